"""Players and spectators on the SDK, at many tables at once, and what they saw and were told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import defaultdict
from typing import Any, NamedTuple

import hanpan
from hanpan.bots import Random
from tests.support import wire

GAMES = {"peeper": 4, "chamsaejak": 4, "pepper": 4, "cockroach_duel": 2}
"""The games by their seats at a crowd's tables."""
LIMITS: dict[str, Any] = {
    "guests_per_minute": 100_000,
    "joins_per_minute": 100_000,
    "frames": 100_000,
    "frame_burst": 100_000,
    "per_address": 100_000,
    "faults_per_minute": 0,
    "tables_per_player": 1_000,
    "empty_table_ms": 600_000,
}
"""The server's limits that a crowd from one address needs raised."""


class Acked(NamedTuple):
    """An action that was answered with ok. action: as canonical JSON."""

    table: str
    seat: int
    request: str
    action: str


class Seen:
    """A table as one client sees it: every frame's number and events, in the order of their coming."""

    def __init__(self, table: hanpan.Table) -> None:
        self.table = table
        self.stream = table.state.stream
        self.epochs = {table.state.epoch}
        self.frames: list[hanpan.Frame] = []
        self.problems: list[str] = []
        self._last = table.state.seq
        table.on_frame.add(self._take)

    def _take(self, frame: hanpan.Frame) -> None:
        self.frames.append(frame)
        if self.table.state.epoch not in self.epochs:
            self.epochs.add(self.table.state.epoch)
            self._last = 0
        jumped = any(event.type == "snapshot" for event in frame.events)
        # A snapshot may stand for any number of frames, but a number never runs back.
        follows = frame.seq >= self._last if jumped else frame.seq == self._last + 1
        again = frame.seq == self._last and not frame.events
        if not (follows or again):
            self.problems.append(f"{self.table.id} {self.stream}: {frame.seq} after {self._last}")
        self._last = frame.seq


class Crowd:
    """Clients at a server. acked: what was answered with ok; seen: by table and client.

    pace_s: how long a player waits before an answer, at most. maker: who makes the tables, if not one of
    their players.
    """

    def __init__(
        self, url: str, seed: int = 1, pace_s: float = 0.15, patience_s: float = 60
    ) -> None:
        self.url = url
        self.pace_s = pace_s
        self.maker: hanpan.Client | None = None
        self.clients: list[hanpan.Client] = []
        self.tables: list[str] = []
        self.acked: list[Acked] = []
        self.seen: list[Seen] = []
        self.refused: dict[str, int] = defaultdict(int)
        self._chance = random.Random(seed)
        self._patience_s = patience_s
        self._tasks: list[asyncio.Task[None]] = []

    # -- who is there -----------------------------------------------------------------------------
    async def enter(self, count: int) -> None:
        """So many more clients."""
        for _ in range(count):
            token = await wire.guest(self.url)
            backoff = hanpan.Backoff(0.05, 0.5, random.Random(self._chance.random()))
            client = hanpan.connect(self.url, token, backoff=backoff, patience_s=self._patience_s)
            self.clients.append(await client)

    async def table(
        self, game: str, people: list[hanpan.Client], spectators: list[hanpan.Client], **fields: Any
    ) -> str:
        """A running table of these players, bots in the other seats, who play match after match."""
        seats = GAMES[game]
        fields.setdefault("speed", "instant")
        maker = self.maker or people[0]
        name, _ = await maker.create_table(game, seats, bots=seats - len(people), **fields)
        self.tables.append(name)
        for client in people:
            seat = await client.join(name)
            self.seen.append(Seen(seat))
            self._tasks.append(asyncio.create_task(self._play(seat)))
        for client in spectators:
            self.seen.append(Seen(await client.watch(name)))
        return name

    async def fill(self, tables: int, clients: int, spectators: int = 1) -> None:
        """So many tables of all games in turn, instant and blitz, one to three people at each."""
        await self.enter(clients)
        for number in range(tables):
            game = list(GAMES)[number % len(GAMES)]
            people = self._chance.sample(self.clients, min(GAMES[game], 1 + number % 3))
            others = [client for client in self.clients if client not in people]
            watching = self._chance.sample(others, spectators)
            speed = "blitz" if number % 2 else "instant"
            await self.table(game, people, watching, speed=speed)

    # -- playing ----------------------------------------------------------------------------------
    async def _play(self, table: hanpan.Table) -> None:
        choose = Random(self._chance.randrange(1 << 30), claims=0.3)
        await self._again_and_again(table.ready)
        answered: set[str] = set()
        while not table.ended:
            if table.result is not None:
                await self._again_and_again(table.rematch)
            waiting = [r for r in table.requests if r.id not in answered]
            if not waiting:
                await table.changed()
                continue
            answered.add(waiting[0].id)
            await asyncio.sleep(self._chance.random() * self.pace_s)
            await self._answer(table, waiting[0], choose(waiting[0]))

    async def _answer(
        self, table: hanpan.Table, request: hanpan.Request, action: hanpan.Action
    ) -> None:
        assert table.seat is not None
        seat = table.seat
        while True:
            try:
                await request.act(action)
            except hanpan.StateError as error:
                self.refused[error.code] += 1
                return
            except hanpan.ServerError as error:
                self.refused[error.code] += 1
                await asyncio.sleep(0.1)
                continue
            self.acked.append(Acked(table.id, seat, request.id, canonical(action)))
            return

    async def _again_and_again(self, ask: Any) -> None:
        """Until it is answered, whatever the server's state."""
        while True:
            try:
                await ask()
            except hanpan.ServerError as error:
                self.refused[error.code] += 1
                await asyncio.sleep(0.1)
            except hanpan.StateError:
                return
            else:
                return

    async def progress(self, tables: int | None = None, seconds: float = 60) -> None:
        """Until an action at each table (or at so many of them) has been answered from now on."""
        start = len(self.acked)
        wanted = len(self.tables) if tables is None else tables
        moved: set[str] = set()
        try:
            async with asyncio.timeout(seconds):
                while len(moved) < wanted:
                    self.check()
                    await asyncio.sleep(0.05)
                    moved = {acked.table for acked in self.acked[start:]}
        except TimeoutError:
            still = [t for t in self.tables if t not in moved]
            raise AssertionError(f"{len(still)} tables do not go on: {still[:5]}") from None

    def check(self) -> None:
        """No player has stopped, and no stream has a gap or a double."""
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()
        problems = [problem for seen in self.seen for problem in seen.problems]
        assert not problems, problems[:5]
        gone = [c.error for c in self.clients if c.error is not None]
        assert not gone, gone

    async def stop_playing(self) -> None:
        """Answer no more requests."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def leave(self) -> None:
        """Everyone goes."""
        await self.stop_playing()
        for client in self.clients:
            with contextlib.suppress(hanpan.HanpanError):
                await client.close()


def canonical(action: Any) -> str:
    """An action as JSON that is the same for equal actions."""
    return json.dumps(action, sort_keys=True)
