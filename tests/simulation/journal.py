"""A journal on a simulated disk: what was not synced dies with its process, what was synced does not."""

from __future__ import annotations

import asyncio
import random
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from server.journal.base import (
    Batch,
    Conflict,
    Done,
    Entry,
    Exists,
    Fenced,
    Journal,
    JournalError,
    Own,
    Unavailable,
)
from tests.simulation.loop import Loop

T = TypeVar("T")
Group = list[tuple[Batch, Done, float]]


class Commit(NamedTuple):
    """A batch that was done: its entries' numbers, when it was handed on, durable, and answered."""

    table: str
    first: int
    last: int
    began: float
    durable: float
    answered: float


class Weather:
    """What the disk is like: slow_s: how much longer each commit takes, mute_s: how much longer its
    answer. failing: nothing is done."""

    def __init__(self) -> None:
        self.slow_s = 0.0
        self.mute_s = 0.0
        self.failing = False


class Disk:
    """What survives every process. took: when a table changed its owner, with its number then."""

    def __init__(self, loop: Loop, chance: random.Random) -> None:
        self.loop = loop
        self.chance = chance
        self.weather = Weather()
        self.own: dict[str, Own] = {}
        self.log: dict[str, list[Entry]] = {}
        self.dropped: dict[str, list[Entry]] = {}
        self.alive: set[str] = set()
        self.durable_at: dict[str, list[float]] = {}
        self.commits: list[Commit] = []
        self.took: list[tuple[str, int]] = []

    def full(self, table: str) -> list[Entry]:
        """A table's whole log, also of one that is closed."""
        return self.log[table] if table in self.log else self.dropped[table]

    def tables(self) -> list[str]:
        """Every table that there ever was."""
        return [*self.log, *self.dropped]

    def number_at(self, table: str, when: float) -> int:
        """How many entries of a table were durable at a time."""
        return bisect_right(self.durable_at.get(table, []), when)

    def append(self, batch: Batch) -> JournalError | None:
        """Do a batch, or say why not."""
        own = self.own.get(batch.table)
        if own is None or own.fence != batch.fence:
            return Fenced(batch.table)
        log = self.log[batch.table]
        first, last = batch.entries[0].number, batch.entries[-1].number
        if first == len(log) + 1:
            log += batch.entries
            self.durable_at.setdefault(batch.table, []).extend(
                [self.loop.time()] * len(batch.entries)
            )
            self.own[batch.table] = Own(own.holder, own.fence, last)
            return None
        return None if log[first - 1 : last] == batch.entries else Conflict(batch.table)


class SimJournal(Journal):
    """One process's way to the disk: a commit at a time, groups gather meanwhile."""

    def __init__(
        self,
        disk: Disk,
        on_sync: Callable[[], None] = lambda: None,
        publish: Callable[[str, bytes], None] = lambda channel, payload: None,
    ) -> None:
        self._disk = disk
        self._loop = disk.loop
        self._on_sync = on_sync
        self._publish = publish
        self._gathered: Group = []
        self._running = False
        self._stopped = False
        self._waiting: list[asyncio.Future[None]] = []

    async def start(self) -> None:
        """Always there."""

    async def stop(self) -> None:
        await self._settled()
        self._stopped = True

    # -- appending ---------------------------------------------------------------------------------------
    def append(self, batch: Batch, done: Done) -> None:
        if not self._gathered and not self._running:
            self._loop.call_soon(self._write)
        self._gathered.append((batch, done, self._loop.time()))

    def _write(self) -> None:
        if self._running or not self._gathered:
            return
        group, self._gathered = self._gathered, []
        self._running = True
        took = self._disk.chance.uniform(0.0004, 0.004) + self._disk.weather.slow_s
        self._loop.call_later(took, self._sync, group)

    def _sync(self, group: Group) -> None:
        failing = self._disk.weather.failing or self._stopped
        outcomes = [
            Unavailable("the disk is full") if failing else self._do(batch) for batch, _, _ in group
        ]
        durable = self._loop.time()
        self._on_sync()
        mute = self._disk.chance.uniform(0.0001, 0.002) + self._disk.weather.mute_s
        self._loop.call_later(mute, self._answer, group, outcomes, durable)

    def _do(self, batch: Batch) -> JournalError | None:
        before = len(self._disk.log.get(batch.table, ()))
        error = self._disk.append(batch)
        if error is None and len(self._disk.log[batch.table]) > before:
            for one in batch.publishes:
                self._publish(one.channel, one.payload)
        return error

    def _answer(self, group: Group, outcomes: list[JournalError | None], durable: float) -> None:
        self._running = False
        self._write()
        for (batch, done, began), outcome in zip(group, outcomes, strict=True):
            if outcome is None:
                first, last = batch.entries[0].number, batch.entries[-1].number
                now = self._loop.time()
                self._disk.commits.append(Commit(batch.table, first, last, began, durable, now))
            try:
                done(outcome)
            except Exception as error:
                told = {"message": "the answer to a commit failed", "exception": error}
                self._loop.call_exception_handler(told)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def _settled(self) -> None:
        """Until no commit is under way."""
        while self._running or self._gathered:
            future = self._loop.create_future()
            self._waiting.append(future)
            await future

    # -- everything else ---------------------------------------------------------------------------------
    async def _call(self, work: Callable[[], T]) -> T:
        if self._stopped:
            raise Unavailable("the journal is closed")
        self._write()
        await self._settled()
        await asyncio.sleep(self._disk.chance.uniform(0.0002, 0.003))
        if self._disk.weather.failing:
            raise Unavailable("the disk is full")
        done = work()
        await asyncio.sleep(self._disk.chance.uniform(0.0001, 0.001))
        return done

    async def create(self, table: str, holder: str) -> Own:
        def work() -> Own:
            if table in self._disk.own:
                raise Exists(table)
            self._disk.own[table], self._disk.log[table] = Own(holder, 1, 0), []
            self._disk.durable_at[table] = []
            return self._disk.own[table]

        return await self._call(work)

    async def tables(self) -> list[tuple[str, Own]]:
        return await self._call(lambda: sorted(self._disk.own.items()))

    async def take(self, table: str, holder: str, expected: Own) -> Own | None:
        def work() -> Own | None:
            own = self._disk.own.get(table)
            if own is None or (own.holder, own.fence) != (expected.holder, expected.fence):
                return None
            self._disk.own[table] = Own(holder, own.fence + 1, own.number)
            self._disk.took.append((table, own.number))
            return self._disk.own[table]

        return await self._call(work)

    async def release(self, table: str, fence: int) -> None:
        def work() -> None:
            own = self._disk.own.get(table)
            if own is None or own.fence != fence:
                raise Fenced(table)
            self._disk.own[table] = Own("", fence + 1, own.number)

        await self._call(work)

    async def tail(self, table: str) -> list[Entry]:
        def work() -> list[Entry]:
            log = self._disk.log.get(table, [])
            snapshots = [entry.number for entry in log if entry.snapshot]
            return log[snapshots[-1] - 1 :] if snapshots else list(log)

        return await self._call(work)

    async def entries(self, table: str, start: int = 1) -> list[Entry]:
        return await self._call(lambda: self._disk.log.get(table, [])[start - 1 :])

    async def drop(self, table: str, fence: int | None = None) -> None:
        def work() -> None:
            own = self._disk.own.get(table)
            if own is not None and fence not in (None, own.fence):
                raise Fenced(table)
            if self._disk.own.pop(table, None) is not None:
                self._disk.dropped[table] = self._disk.log.pop(table)

        await self._call(work)

    async def hold(self, node: str) -> None:
        self._disk.alive.add(node)

    async def alive(self, node: str) -> bool:
        return node in self._disk.alive
