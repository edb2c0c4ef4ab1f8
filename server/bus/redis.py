"""The bus of many processes: Redis pub/sub by exact channel, over two guarded connections.

Pub/sub loses silently, and a connection can be dead without saying so. So the bus sends itself a
message through a channel of its own every second; when nothing at all came for `SILENCE_S`, or a
connection ends, it connects and subscribes anew and tells its users that messages may be lost.
Receiving is a callback of the transport and suspends by itself between reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import Callable

import structlog

from server.bus.base import Bus, BusError, Listener
from server.bus.listeners import Listeners
from server.redis.address import address
from server.redis.wire import Command, Reply, Wire, connect

log = structlog.get_logger("hanpan.bus")

PING_S = 1.0
SILENCE_S = 5.0
AWAY_S = 2.5
"""Without anything for so long, its own pings included, Redis counts as away."""
ANSWER_S = 2.0
LONGEST_PAUSE_S = 1.0
MOST_UNSENT = 8 * 1024 * 1024
"""Bytes waiting for a Redis that does not read; further messages are dropped."""


class RedisBus(Bus):
    """url: see server/redis/address. prefix: of every channel. silence_s: see above."""

    def __init__(self, url: str, prefix: str = "hanpan:", silence_s: float = SILENCE_S) -> None:
        """Raises ValueError for a URL that is none."""
        self._address = address(url)
        self._prefix = prefix.encode()
        self._silence_s = silence_s
        self._ping = self._prefix + b"ping:" + secrets.token_hex(8).encode()
        self._listeners = Listeners()
        self._resets: list[Callable[[], None]] = []
        self._gathered: list[Command] = []
        self._asked: set[str] = set()
        self._changed: set[str] = set()
        self._waiting: list[asyncio.Future[None]] = []
        self._subscriber: Wire | None = None
        self._publisher: Wire | None = None
        self._task: asyncio.Task[None] | None = None
        self._broken = asyncio.Event()
        self.dropped = 0
        """Messages that were not sent because Redis was away or did not read."""
        self.resubscriptions = 0
        self._hop: float | None = None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            await self._connect()
        except OSError as error:
            self._disconnect()
            raise BusError(f"Redis at {self._address} cannot be used: {error}.") from error
        self._task = self._loop.create_task(self._guard(), name="bus guard")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._disconnect()

    # -- the two connections --------------------------------------------------------------------

    async def _connect(self) -> None:
        """Connect both and subscribe to everything; returns when Redis has confirmed it."""
        self._broken.clear()
        self._publisher = await connect(self._address, self._sent, self._lost, ANSWER_S)
        self._subscriber = await connect(self._address, self._received, self._lost, ANSWER_S)
        self._asked = set(self._listeners.channels())
        self._changed.clear()
        channels = [self._prefix + channel.encode() for channel in self._asked]
        self._subscriber.send([("SUBSCRIBE", self._ping, *channels)])
        async with asyncio.timeout(ANSWER_S):
            await self._confirmed()

    def _disconnect(self) -> None:
        for wire in (self._publisher, self._subscriber):
            if wire is not None:
                wire.close()
        self._publisher = self._subscriber = None
        self.dropped += len(self._gathered)
        self._gathered.clear()
        self._fail_waiting()

    def _lost(self, _: Exception | None) -> None:
        self._broken.set()
        self._fail_waiting()

    def _fail_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_exception(ConnectionError("Redis closed the connection"))

    async def _guard(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PING_S):
                    await self._broken.wait()
            if self._broken.is_set() or self._is_silent():
                await self._reconnect()
            if self._publisher is not None:
                stamp = repr(self._loop.time())
                self._publisher.send([("PUBLISH", self._ping, stamp)])

    @property
    def hop(self) -> float | None:
        return self._hop

    @property
    def is_up(self) -> bool:
        wire = self._subscriber
        return wire is not None and self._loop.time() - wire.heard < AWAY_S

    def _is_silent(self) -> bool:
        wire = self._subscriber
        return wire is None or self._loop.time() - wire.heard > self._silence_s

    async def _reconnect(self) -> None:
        pause = 0.0
        log.warning("bus_away")
        while True:
            self._disconnect()
            # Jittered: all processes lose a restarted Redis at the same moment.
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            with contextlib.suppress(OSError):
                await self._connect()
                break
            pause = min(2 * pause + 0.02, LONGEST_PAUSE_S)
        self.resubscriptions += 1
        log.info("bus_back")
        for callback in self._resets:
            try:
                callback()
            except Exception as error:
                self._loop.call_exception_handler(
                    {"message": "a bus reset callback failed", "exception": error}
                )

    # -- sending --------------------------------------------------------------------------------

    def publish(self, channel: str, payload: bytes) -> None:
        if self._publisher is None or self._publisher.unsent > MOST_UNSENT:
            self.dropped += 1
            return
        if not self._gathered:
            self._loop.call_soon(self._send)
        self._gathered.append(("PUBLISH", self._prefix + channel.encode(), payload))

    def _send(self) -> None:
        gathered, self._gathered = self._gathered, []
        if self._publisher is not None:
            self._publisher.send(gathered)
        else:
            self.dropped += len(gathered)

    def _sent(self, _: Reply) -> None:
        """How many got it, or an error: at most once is all that was promised."""

    # -- receiving ------------------------------------------------------------------------------

    def subscribe(self, channel: str, listener: Listener) -> None:
        if self._listeners.add(channel, listener):
            self._change(channel)

    def unsubscribe(self, channel: str, listener: Listener) -> None:
        if self._listeners.remove(channel, listener):
            self._change(channel)

    def _change(self, channel: str) -> None:
        if self._subscriber is None:
            return  # the next connection asks for everything
        if not self._changed:
            self._loop.call_soon(self._ask)
        self._changed.add(channel)

    def _ask(self) -> None:
        changed, self._changed = self._changed, set()
        if self._subscriber is None:
            return
        wanted = changed & self._listeners.channels()
        come, gone = sorted(wanted - self._asked), sorted((changed - wanted) & self._asked)
        self._asked = (self._asked | wanted) - set(gone)
        for command, channels in (("SUBSCRIBE", come), ("UNSUBSCRIBE", gone)):
            if channels:
                names = [self._prefix + channel.encode() for channel in channels]
                self._subscriber.send([(command, *names)])

    async def settle(self) -> None:
        with contextlib.suppress(OSError):
            await self._confirmed()

    async def _confirmed(self) -> None:
        if self._subscriber is None:
            raise ConnectionError("Redis is away")
        self._ask()
        answered: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append(answered)
        self._subscriber.send([("PING",)])  # answered after what was asked before it
        await answered

    def _received(self, reply: Reply) -> None:
        if not isinstance(reply, list):
            self._broken.set()  # an error: the connection cannot be what we think it is
        elif reply[0] == b"message":
            _, channel, payload = reply
            if channel == self._ping:
                self._hop = self._loop.time() - float(payload)
            else:
                self._listeners.deliver(channel[len(self._prefix) :].decode(), payload)
        elif reply[0] == b"pong" and self._waiting:
            answered = self._waiting.pop(0)
            if not answered.done():
                answered.set_result(None)

    def on_reset(self, callback: Callable[[], None]) -> None:
        self._resets.append(callback)
