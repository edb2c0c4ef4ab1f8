"""The way to a table: at once, by a menu, or to the seat that one still has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hanpan import Client, GameInfo, Table
from hanpan_terminal.options import Options
from hanpan_terminal.screen import Screen
from hanpan_terminal.text import Phrases

T = TypeVar("T")
FIRST = "peeper"
"""The game that Enter plays, where the server has it."""


class Lobby:
    """Finds a table for the options, or asks the player."""

    def __init__(
        self,
        client: Client,
        games: Sequence[GameInfo],
        options: Options,
        screen: Screen,
        phrases: Phrases,
    ) -> None:
        self._client = client
        self._games = sorted(games, key=lambda game: game.game != FIRST)
        self._options = options
        self._screen = screen
        self._phrases = phrases

    async def table(self) -> Table | None:
        """The table to sit or watch at; None when the player does not want one."""
        options = self._options
        if options.table is not None:
            if options.watch:
                return await self._client.watch(options.table, invite=options.invite)
            table = await self._client.join(options.table, invite=options.invite)
            await self._ready(table)
            return table
        for seat in self._client.seated:
            if seat.phase == "running":
                self._screen.show(self._phrases("table.back"))
                return await self._client.watch(seat.table)
        if options.game is not None:
            return await self.play(options.game)
        return await self.menu()

    async def menu(self) -> Table | None:
        """Ask: Enter plays the first game with bots at once."""
        first = self._games[0]
        while True:
            self._screen.show(self._phrases("menu.play", title=self.title(first.game)))
            for number, game in enumerate(self._games[1:], 2):
                title = self.title(game.game)
                self._screen.show(self._phrases("menu.game", number=number, title=title))
            self._screen.show(self._phrases("menu.more"))
            line = await self._screen.line()
            typed = (line or "").strip().lower()
            if line is None or self._phrases.command(typed) == "quit":
                return None
            if typed == "t":
                table = await self._tables()
                if table is not None:
                    return table
                continue
            chosen = pick(typed or "1", self._games)
            if chosen is not None:
                return await self.play(chosen.game)
            self._screen.show(self._phrases("menu.what"))

    async def play(self, game: str) -> Table:
        """A new table with bots, where the player sits and is ready."""
        options = self._options
        seats = options.seats or default_seats(next(g for g in self._games if g.game == game).seats)
        table_id, invite = await self._client.create_table(
            game,
            seats,
            ruleset=options.ruleset,
            speed=options.speed,
            visibility="private" if options.private else "public",
            bots=seats - 1 if options.bots is None else options.bots,
            level=options.level,
        )
        if invite:
            self._screen.show(self._phrases("table.made", table=table_id, invite=invite))
        elif options.bots is not None and options.bots < seats - 1:
            self._screen.show(self._phrases("table.open", table=table_id))
        table = await self._client.join(table_id, invite=invite)
        await self._ready(table)
        return table

    def title(self, game: str) -> str:
        """A game's title in the player's language."""
        titles = next((g.titles for g in self._games if g.game == game), {})
        return titles.get(self._phrases.locale) or titles.get("en") or game

    async def _tables(self) -> Table | None:
        found = await self._client.list_tables()
        if not found:
            self._screen.show(self._phrases("tables.none"))
            return None
        for number, table in enumerate(found, 1):
            taken = sum(seat.state != "open" for seat in table.seats)
            told = self._phrases(
                "tables.one",
                number=number,
                title=self.title(table.game),
                ruleset=table.ruleset,
                speed=table.speed,
                taken=taken,
                seats=len(table.seats),
            )
            self._screen.show(told)
        self._screen.show(self._phrases("tables.which"))
        typed = (await self._screen.line() or "").strip().lower()
        chosen = pick(typed.removeprefix("w"), found)
        if chosen is None:
            return None
        if typed.startswith("w"):
            return await self._client.watch(chosen.table)
        joined = await self._client.join(chosen.table)
        await self._ready(joined)
        return joined

    async def _ready(self, table: Table) -> None:
        if table.info is not None and table.info.phase == "waiting":
            await table.ready()


def pick(typed: str, among: Sequence[T]) -> T | None:
    """The one of this number, from 1."""
    number = int(typed) if typed.strip().isdecimal() else 0
    return among[number - 1] if 0 < number <= len(among) else None


def default_seats(bounds: Sequence[int]) -> int:
    """Four where the game allows it, else as many as it does; bounds: the fewest and the most."""
    return min(max(4, bounds[0]), bounds[-1])
