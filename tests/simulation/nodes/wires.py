"""Connections between processes and the simulated Redis: delayed, held one way or both, cut, lossy."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from server.redis.client import ANSWER_S

if TYPE_CHECKING:
    from tests.simulation.nodes.redis import SimRedis

Command = tuple[Any, ...]
OUTSIDE = contextvars.Context()
LOOK_S = 0.05
DELAY_S = (0.0002, 0.001)


class Line:
    """All connections of one process. delay_s: of a packet, drawn between the two. hold_up, hold_down:
    nothing passes that way, and comes later where its connection is still there. loss: the part of what is
    published that does not come. lose_replies: so many next groups of commands are done, and their connection
    ends before the answer."""

    def __init__(self, redis: SimRedis, who: str) -> None:
        self.redis = redis
        self.who = who
        self.delay_s = DELAY_S
        self.hold_up = False
        self.hold_down = False
        self.loss = 0.0
        self.lose_replies = 0
        self.wires: dict[SimWire, None] = {}
        self._held: list[Callable[[], None]] = []

    def pause(self) -> float:
        """How long one packet is under way."""
        return self.redis.chance.uniform(*self.delay_s)

    @property
    def is_open(self) -> bool:
        """Whether a new connection gets its greeting answered now."""
        return not (self.hold_up or self.hold_down or self.redis.stopped)

    async def greeted(self) -> None:
        """The way there and back of a new connection. Raises ConnectionError."""
        await asyncio.sleep(self.pause() + self.pause())
        while not self.is_open:  # noqa: ASYNC110  # virtual time is free
            await asyncio.sleep(LOOK_S)
        if not self.redis.up:
            raise ConnectionRefusedError("Redis is not running")

    def later(self, work: Callable[[], None]) -> None:
        """Keep what cannot pass."""
        self._held.append(work)

    def open(self) -> None:
        """Everything passes again, what was kept too."""
        self.hold_up = self.hold_down = False
        held, self._held = self._held, []
        for work in held:
            work()

    def cut(self) -> None:
        """End all connections; both sides find out."""
        for wire in list(self.wires):
            wire.cut()

    def end(self) -> None:
        """The process is gone, and its side of the connections with it."""
        for wire in list(self.wires):
            wire.close()


class SimWire:
    """One connection, with what `server.redis.wire.Wire` offers."""

    def __init__(
        self,
        line: Line,
        on_reply: Callable[[Any], None],
        on_lost: Callable[[Exception | None], None],
    ) -> None:
        self.line = line
        self.ended = False
        self.unsent = 0
        self._loop = line.redis.loop
        self.heard = self._loop.time()
        self._on_reply = on_reply
        self._on_lost = on_lost
        # What comes is a callback of the process that opened it.
        self._context = contextvars.copy_context()
        self._up = self._down = 0.0
        line.wires[self] = None

    # -- the process's side ------------------------------------------------------------------------------
    def send(self, commands: list[Command]) -> None:
        """Write the commands; a connection that is lost swallows them."""
        if not self.ended:
            self._send(list(commands))

    def _send(self, commands: list[Command]) -> None:
        if self.line.hold_up:
            self.line.later(lambda: self._send(commands))
            return
        at = self._up = max(self._loop.time() + self.line.pause(), self._up + 1e-7)
        self._loop.call_at(at, self.line.redis.arrived, self, commands, context=OUTSIDE)

    def close(self) -> None:
        """End it at once; no callback comes afterwards."""
        if not self.ended:
            self.ended = True
            self.line.wires.pop(self, None)
            self.line.redis.forget(self)

    def _got(self, replies: list[Any]) -> None:
        if self.ended:
            return
        self.heard = self._loop.time()
        for reply in replies:
            if not self.ended:
                self._on_reply(reply)

    # -- Redis's side ------------------------------------------------------------------------------------
    def answer(self, replies: list[Any]) -> None:
        """Send replies, unless they are to be lost."""
        if self.line.lose_replies and not self.ended:
            self.line.lose_replies -= 1
            self.cut()
            return
        self._reply(replies)

    def push(self, message: list[Any]) -> None:
        """Send what was published."""
        if self.line.loss and self.line.redis.chance.random() < self.line.loss:
            return
        self._reply([message])

    def _reply(self, replies: list[Any]) -> None:
        if self.ended:
            return
        if self.line.hold_down:
            self.line.later(lambda: self._reply(replies))
            return
        at = self._down = max(self._loop.time() + self.line.pause(), self._down + 1e-7)
        self._loop.call_at(at, self._got, replies, context=self._context)

    def cut(self) -> None:
        """It ends, and the process hears of it."""
        if not self.ended:
            self.close()
            self._loop.call_later(self.line.pause(), self._on_lost, None, context=self._context)


class Client:
    """What the journal uses of redis-py: a call is answered, fails, or takes too long."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.connection_pool = self

    async def _call(self, *commands: Command) -> list[Any]:
        line = self._line
        if not line.redis.up:
            raise RedisConnectionError("Redis is not running")
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        replies: list[Any] = []

        def reply(one: Any) -> None:
            replies.append(one)
            if len(replies) == len(commands) and not answered.done():
                answered.set_result(None)

        def lost(_: Exception | None) -> None:
            if not answered.done():
                answered.set_exception(RedisConnectionError("Redis closed the connection"))

        wire = SimWire(line, reply, lost)
        wire.send(list(commands))
        try:
            async with asyncio.timeout(ANSWER_S):
                await answered
        except TimeoutError as error:
            raise RedisTimeoutError("Redis does not answer") from error
        finally:
            wire.close()
        return replies

    async def eval(self, script: str, count: int, *rest: Any) -> Any:
        """Run a script."""
        return (await self._call(("EVAL", script, count, *rest)))[0]

    def register_script(self, script: str) -> Callable[..., Any]:
        """A script that can be called."""

        async def run(keys: list[str], args: list[Any]) -> Any:
            return await self.eval(script, len(keys), *keys, *args)

        return run

    async def smembers(self, key: str) -> Any:
        """As redis-py's."""
        return (await self._call(("SMEMBERS", key)))[0]

    async def hget(self, key: str, field: str) -> Any:
        """As redis-py's."""
        return (await self._call(("HGET", key, field)))[0]

    async def exists(self, key: str) -> Any:
        """As redis-py's."""
        return (await self._call(("EXISTS", key)))[0]

    async def xrange(self, key: str, min: str, count: int) -> Any:  # redis-py's name
        """As redis-py's."""
        return (await self._call(("XRANGE", key, min, count)))[0]

    def pipeline(self, transaction: bool) -> Pipeline:
        """Commands that are sent together."""
        return Pipeline(self)

    async def aclose(self) -> None:
        """Every call closes what it opened."""

    async def disconnect(self) -> None:
        """Likewise."""


class Pipeline:
    """Commands that are sent together."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._commands: list[Command] = []

    def hmget(self, key: str, *fields: str) -> None:
        """Fields of a hash."""
        self._commands.append(("HMGET", key, *fields))

    async def execute(self) -> list[Any]:
        """All replies."""
        return await self._client._call(*self._commands) if self._commands else []
