"""The terminal's own commands: everything that is typed and is neither a move nor a question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from hanpan import Table
from hanpan.words import Words
from hanpan_terminal.options import Level
from hanpan_terminal.text import Phrases
from hanpan_terminal.voice import Voice

Command = Callable[[str], Awaitable[None]]


class Commands:
    """The commands at one table; `quit` is the caller's."""

    def __init__(self, table: Table, words: Words, voice: Voice, phrases: Phrases) -> None:
        self._table = table
        self._words = words
        self._voice = voice
        self._phrases = phrases
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: dict[str, Command] = {
            "help": self._help,
            "chat": self._chat,
            "ready": self._ready,
            "start": self._start,
            "rematch": self._rematch,
            "again": self._again,
            "withdraw": self._withdraw,
            "auto": self._auto,
            "players": self._players,
            "hear": self._hear,
        }

    async def do(self, line: str) -> bool:
        """Do what the line says if it is a command. Raises what the SDK raises."""
        word, _, rest = line.strip().partition(" ")
        command = self._known.get(self._phrases.command(word) or "")
        if command is None:
            return False
        await command(rest.strip())
        return True

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Something to do that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _help(self, rest: str) -> None:
        self._voice.say(self._phrases("help"))

    async def _chat(self, rest: str) -> None:
        if rest:
            await self._table.chat(rest)

    async def _ready(self, rest: str) -> None:
        await self._table.ready()

    async def _start(self, rest: str) -> None:
        await self._table.start()

    async def _rematch(self, rest: str) -> None:
        await self._table.rematch()

    async def _again(self, rest: str) -> None:
        for text in self._voice.again() or [self._phrases("nothing")]:
            self._voice.say(text)

    async def _withdraw(self, rest: str) -> None:
        await self._table.withdraw()
        self._voice.say(self._phrases("withdrawn"))

    async def _players(self, rest: str) -> None:
        for seat in self._table.seats:
            state = self._phrases(f"state.{seat.state}")
            name = seat.name or "-"
            told = self._phrases("players.one", seat=seat.seat + 1, name=name, state=state)
            self._voice.say(told)

    async def _hear(self, rest: str) -> None:
        level = self._phrases.command(rest)
        if level not in ("high", "normal", "low"):
            self._voice.say(self._phrases("hear.how"))
            return
        self._voice.hear = cast("Level", level)
        self._voice.say(self._phrases("hear", level=self._phrases(f"level.{level}")))

    async def _auto(self, rest: str) -> None:
        """Standing orders: `auto ron auto`, `auto mine 7 9`, `auto decline return`, `auto off`."""
        if self._phrases.command(rest) == "off":
            await self._table.standing({})
            self._voice.say(self._phrases("standing.off"))
            return
        head, _, tail = rest.partition(" ")
        tokens = self._words.tokens(head)
        if not tokens or not tail:
            self._voice.say(self._phrases("standing.how"))
            return
        value: Any = self._words.tokens(tail)
        if self._phrases.command(tail) == "auto":
            value = "auto"
        await self._table.standing({tokens[0]: value})
        self._voice.say(self._phrases("standing"))
