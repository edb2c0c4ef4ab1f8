"""A load client: a process of its own with many lines, told what to do over a pipe."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from collections import deque
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import uvloop

from loadtests.line import Line, connect, guests, identified
from loadtests.priority import give_way
from loadtests.replay import Counts, Table
from loadtests.script import Script

AT_ONCE = 32
"""Handshakes that run beside each other while a crowd comes in."""


class Client:
    """The handle of a load client's process; a method of `_Work` is called by its name.

    `ask` waits for the result; `tell` does not, and the next `hear` gets it. behind: whether it gives
    way to the server and to other clients where there are too few cores for all.
    """

    def __init__(self, behind: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_main, args=(theirs, behind), daemon=True)
        self._process.start()

    def ask(self, what: str, *args: Any) -> Any:
        """Have something done. Raises what it raised there."""
        self.tell(what, *args)
        return self.hear()

    def tell(self, what: str, *args: Any) -> None:
        """Have something done without waiting."""
        self._pipe.send((what, args))

    def hear(self) -> Any:
        """The result of the oldest `tell`."""
        result = self._pipe.recv()
        if isinstance(result, BaseException):
            raise result
        return result

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join(10)


@contextmanager
def crowd_of(count: int, behind: bool = False) -> Iterator[list[Client]]:
    """So many load clients; they end with the block."""
    clients: list[Client] = []
    try:
        for _ in range(count):
            clients.append(Client(behind))
        yield clients
    finally:
        for client in clients:
            client.close()


def all_of(clients: list[Client], what: str, *args: Any) -> list[Any]:
    """The same asked of every client at the same time."""
    for client in clients:
        client.tell(what, *args)
    return [client.hear() for client in clients]


def _main(pipe: Connection, behind: bool) -> None:
    if behind:
        give_way()
    uvloop.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    work = _Work()
    while True:
        try:
            what, args = await asyncio.to_thread(pipe.recv)
        except EOFError:
            return
        try:
            result = await getattr(work, what)(*args)
        except Exception as error:
            result = RuntimeError(f"{what}: {error!r}")
        pipe.send(result)


class _Work:
    """What a load client can do."""

    def __init__(self) -> None:
        self.counts = Counts()
        self.tables: list[Table] = []
        self.lines: list[Line] = []
        self._pacer: asyncio.Task[None] | None = None

    # -- coming in --------------------------------------------------------------------------------
    async def sit(
        self, url: str, scripts: list[Script], tables: int, speed: str, owner: str | None = None
    ) -> list[str]:
        """So many tables, each seat a guest on a line of its own; their ids.

        owner: the server that makes the tables, if it is not the one that the players are connected to.
        """
        seats = scripts[0].seats
        tokens = iter(await asyncio.to_thread(guests, url, tables * seats))
        new = [Table("", scripts[i % len(scripts)], self.counts) for i in range(tables)]
        maker = None
        if owner is not None:
            (token,) = await asyncio.to_thread(guests, owner, 1)
            maker = await identified(owner, token, _unheard)
            for table in new:
                table.name = await _create(maker, table.script, speed)
        await _few_at_once(
            _sit(url, table, [next(tokens) for _ in range(seats)], speed) for table in new
        )
        if maker is not None:
            maker.close()
        self.tables += new
        return [table.name for table in new]

    async def sit_at_many(self, url: str, scripts: list[Script], tables: int, speed: str) -> None:
        """So many tables, all on the same few lines: one line a seat."""
        seats = scripts[0].seats
        tokens = await asyncio.to_thread(guests, url, seats)
        by_name: list[dict[str, Any]] = [{} for _ in range(seats)]
        lines = [await identified(url, t, _router(by_name[i])) for i, t in enumerate(tokens)]
        self.lines += lines
        for i in range(tables):
            table = Table("", scripts[i % len(scripts)], self.counts)
            table.name = await _create(lines[0], table.script, speed)
            for seat, line in enumerate(lines):
                table.seats[seat].line = line
                by_name[seat][table.name] = table.seats[seat].take
                await line.ask(type="join_table", table=table.name, seat=seat)
            for line in lines:
                await line.ask(type="ready", table=table.name)
            self.tables.append(table)

    async def watch(self, url: str, table: str, count: int) -> None:
        """So many spectators of a table, each a guest on a line of his own."""
        tokens = await asyncio.to_thread(guests, url, count)

        async def come(token: str) -> None:
            line = await identified(url, token, self._watched)
            await line.ask(type="watch", table=table)
            self.lines.append(line)

        await _few_at_once(come(token) for token in tokens)

    async def idle(self, url: str, count: int) -> None:
        """So many guests who have said who they are, and do nothing."""
        tokens = await asyncio.to_thread(guests, url, count)
        for token in tokens:
            self.lines.append(await identified(url, token, self._watched))

    async def listen(self, url: str, count: int) -> None:
        """So many lines to a WebSocket address that nothing is asked of."""
        for _ in range(count):
            self.lines.append(await connect(url, self._watched))

    def _watched(self, payload: bytes) -> None:
        self.counts.watched += 1
        self.counts.octets += len(payload)

    # -- playing ----------------------------------------------------------------------------------
    async def play(self, turns_a_second: float | None) -> None:
        """Let all tables play: as fast as each can, or turns at random times at this rate."""
        await self.rest()
        for table in self.tables:
            table.permits = None if turns_a_second is None else deque()
            table.playing = True
            table.go_on()
        if turns_a_second is not None:
            self._pacer = asyncio.create_task(self._pace(turns_a_second))

    async def play_to(self, share: float) -> None:
        """Let all tables play until this share of their match is over, and there they stand."""
        for table in self.tables:
            table.playing = True
            table.play_to(int(share * (len(table.script.steps) - 1)))
        while not all(table.stands for table in self.tables):  # noqa: ASYNC110  # ends by itself
            await asyncio.sleep(0.005)

    async def rest(self) -> None:
        """Let the tables stand as they are."""
        if self._pacer is not None:
            self._pacer.cancel()
            self._pacer = None
        for table in self.tables:
            table.playing = False

    async def _pace(self, rate: float) -> None:
        """Turns fall due at random (a Poisson process) whether or not earlier ones are through."""
        chance = random.Random(1)
        due = time.perf_counter()
        while True:
            due += chance.expovariate(rate)
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            table = chance.choice(self.tables)
            assert table.permits is not None
            table.permits.append(due)
            table.go_on()

    async def counted(self) -> Counts:
        """What was done and seen since the last call."""
        counts = self.counts.take()
        counts.cpu_s = time.process_time()
        lost = sum(line.lost for line in self.lines)
        if lost:
            counts.errors.append(f"{lost} lines were lost")
        return counts


async def _sit(url: str, table: Table, tokens: list[str], speed: str) -> None:
    lines = [
        await identified(url, token, seat.take)
        for seat, token in zip(table.seats, tokens, strict=True)
    ]
    table.name = table.name or await _create(lines[0], table.script, speed)
    for number, (seat, line) in enumerate(zip(table.seats, lines, strict=True)):
        seat.line = line
        await line.ask(type="join_table", table=table.name, seat=number)
    for line in lines:
        await line.ask(type="ready", table=table.name)


async def _create(line: Line, script: Script, speed: str) -> str:
    made = await line.ask(
        type="create_table",
        game=script.game,
        seats=script.seats,
        ruleset=script.ruleset,
        options=script.options,
        speed=speed,
        seed=script.seed,
        early_close=True,
    )
    return str(made["table"])


def _unheard(payload: bytes) -> None:
    """What nobody counts."""


def _router(by_name: dict[str, Any]) -> Any:
    """What hands a line's frames to the seats at its tables."""
    start = len(b'{"type":"update","table":"')

    def take(payload: bytes) -> None:
        if payload.startswith(b'{"type":"update"'):
            by_name[payload[start : payload.index(b'"', start)].decode()](payload)

    return take


async def _few_at_once(work: Any) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(job: Coroutine[Any, Any, None]) -> None:
        async with gate:
            await job

    await asyncio.gather(*(one(job) for job in work))
