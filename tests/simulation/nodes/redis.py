"""A simulated Redis: the journal's keys, the leases with their ends, and pub/sub.

It does one command after the other; what it did is durable. It can be stopped, when all that comes waits,
and killed, when every connection ends and what it knows stays.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Any

from server.redis.address import Address
from server.redis.wire import Wire
from tests.simulation.journal import Disk
from tests.simulation.nodes.scripts import SCRIPTS, Taken, Written, table_of
from tests.simulation.nodes.wires import Client, Command, Line, SimWire


class SimRedis:
    """What survives every process, and the lines to it. newest: each table's fence, noted beside the
    data, so that a broken script shows. written: every write to a log;
    taken: every takeover. after_write: what happens once, when
    a process has written."""

    def __init__(self, loop: asyncio.AbstractEventLoop, chance: random.Random) -> None:
        self.loop = loop
        self.chance = chance
        self.disk = Disk(loop, chance)  # type: ignore[arg-type]  # of the loop it needs the time alone
        self.leases: dict[str, tuple[str, float]] = {}
        self.newest: dict[str, int] = {}
        self.written: list[Written] = []
        self.taken: list[Taken] = []
        self.lines: dict[str, Line] = {}
        self.subscribers: dict[bytes, dict[SimWire, None]] = {}
        self.after_write: dict[str, Callable[[], None]] = {}
        self.up = True
        self.stopped = False
        self._waiting: list[tuple[SimWire, list[Command]]] = []

    # -- as the server's own modules reach it ------------------------------------------------------------
    def line(self, who: str) -> Line:
        """The line of a process, which is called by the host in its URL."""
        if who not in self.lines:
            self.lines[who] = Line(self, who)
        return self.lines[who]

    async def connect(
        self,
        address: Address,
        on_reply: Callable[[Any], None],
        on_lost: Callable[[Exception | None], None],
        within: float = 2.0,
        first: Iterable[Command] = (),
    ) -> Wire:
        """In the place of `server.redis.wire.connect`."""
        line = self.line(address.host)
        try:
            async with asyncio.timeout(within):
                await line.greeted()
        except TimeoutError as error:
            raise ConnectionError(f"Redis at {address} does not answer") from error
        return SimWire(line, on_reply, on_lost)  # type: ignore[return-value]  # all that is called

    def client(self, url: str) -> Client:
        """In the place of `server.redis.client.client`."""
        return Client(self.line(url.partition("//")[2].partition(":")[0]))

    # -- doing -------------------------------------------------------------------------------------------
    def arrived(self, wire: SimWire, commands: list[Command]) -> None:
        """Commands are here; those of a connection that ended since may have come before its end."""
        if wire.ended and self.chance.random() < 0.5:
            return
        if self.stopped:
            self._waiting.append((wire, commands))
        elif self.up:
            wire.answer([self.execute(wire, command) for command in commands])

    def execute(self, wire: SimWire, command: Command) -> Any:
        """The reply to a command."""
        word, *rest = command
        if word in ("EVALSHA", "EVAL"):
            script, count = rest[0], rest[1]
            keys, args = list(rest[2 : 2 + count]), list(rest[2 + count :])
            return SCRIPTS[script](self, wire.line.who, keys, args)
        return getattr(self, f"_{word.lower()}")(wire, *rest)

    def _publish(self, wire: SimWire, channel: str | bytes, payload: str | bytes) -> int:
        return self.publish(channel, payload)

    def publish(self, channel: str | bytes, payload: str | bytes) -> int:
        """Pass a message on to who listens; how many that is."""
        name = channel.encode() if isinstance(channel, str) else channel
        data = payload.encode() if isinstance(payload, str) else payload
        listeners = list(self.subscribers.get(name, ()))
        for wire in listeners:
            wire.push([b"message", name, data])
        return len(listeners)

    def _subscribe(self, wire: SimWire, *channels: bytes) -> list[Any]:
        for channel in channels:
            if not wire.ended:
                self.subscribers.setdefault(channel, {})[wire] = None
        return [b"subscribe", channels[-1], len(channels)]

    def _unsubscribe(self, wire: SimWire, *channels: bytes) -> list[Any]:
        for channel in channels:
            self.subscribers.get(channel, {}).pop(wire, None)
        return [b"unsubscribe", channels[-1], 0]

    def _ping(self, wire: SimWire) -> list[Any]:
        return [b"pong", b""]

    def _exists(self, wire: SimWire, key: str) -> int:
        return int(self.lease(key) is not None)

    def _smembers(self, wire: SimWire, key: str) -> set[bytes]:
        return {name.encode() for name in self.disk.own}

    def _hmget(self, wire: SimWire, key: str, *fields: str) -> list[bytes | None]:
        own = self.disk.own.get(table_of(key))
        if own is None:
            return [None] * len(fields)
        return [str(getattr(own, field)).encode() for field in fields]

    def _hget(self, wire: SimWire, key: str, field: str) -> bytes | None:
        log = self.disk.log.get(table_of(key))
        if log is None:
            return None
        snapshots = [entry.number for entry in log if entry.snapshot]
        return b"%d" % (snapshots[-1] if snapshots else 0)

    def _xrange(self, wire: SimWire, key: str, low: str, count: int) -> list[Any]:
        first = int(low.partition("-")[0])
        log = self.disk.log.get(table_of(key), [])
        return [
            (b"%d-0" % e.number, {b"d": e.data} | ({b"s": b"1"} if e.snapshot else {}))
            for e in log[max(0, first - 1) :][:count]
        ]

    def lease(self, key: str) -> str | None:
        """The token that holds a lease."""
        token, until = self.leases.get(key, (None, 0.0))
        return token if until > self.loop.time() else None

    def forget(self, wire: SimWire) -> None:
        """A connection has ended."""
        for listeners in self.subscribers.values():
            listeners.pop(wire, None)

    # -- what goes wrong ---------------------------------------------------------------------------------
    def stop(self) -> None:
        """Do nothing for a while, as under SIGSTOP."""
        self.stopped = self.up

    def go_on(self) -> None:
        """Do all that has come meanwhile."""
        self.stopped = False
        waiting, self._waiting = self._waiting, []
        for wire, commands in waiting:
            wire.answer([self.execute(wire, command) for command in commands])

    def kill(self) -> None:
        """End every connection; what was not done yet is not done by this process any more."""
        self.up = False
        self.stopped = False
        self._waiting.clear()
        for line in self.lines.values():
            line.cut()

    def start(self) -> None:
        """Come back with everything that was written."""
        self.up = True
