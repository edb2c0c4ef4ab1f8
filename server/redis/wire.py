"""One connection to Redis without a task, a future or an await a command.

Commands are written in pipelines; replies come to a callback, in order. What is hot goes here: appends,
publishes, what subscribers receive (a tenth of the CPU of an awaited command). Everything else uses
redis-py (`server/redis/client.py`). RESP2, so that pub/sub replies are plain arrays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, cast

import hiredis

from server.redis.address import Address

Command = tuple[Any, ...]
"""Bytes, text and whole numbers."""
Reply = Any
"""What hiredis makes of a reply: bytes, int, None, list, or a ReplyError that is not raised."""
ReplyError = hiredis.ReplyError


class Wire(asyncio.Protocol):
    """A connection that is up, or was. on_reply: called for each reply; on_lost: once, when it ends
    without `close`."""

    def __init__(
        self,
        on_reply: Callable[[Reply], None],
        on_lost: Callable[[Exception | None], None],
    ) -> None:
        self._on_reply = on_reply
        self._on_lost = on_lost
        self._reader = hiredis.Reader()
        self._transport: asyncio.Transport | None = None
        self.heard = 0.0
        """When the last bytes came, in the loop's time."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # No isinstance: uvloop's transports are of no class of asyncio's.
        self._transport = cast("asyncio.Transport", transport)
        self._loop = asyncio.get_running_loop()
        self.heard = self._loop.time()

    def data_received(self, data: bytes) -> None:
        self.heard = self._loop.time()
        try:
            self._reader.feed(data)
            while self._transport is not None and (reply := self._reader.gets()) is not False:
                self._on_reply(reply)
        except hiredis.ProtocolError as error:
            self._lose(error)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lose(exc)

    def _lose(self, error: Exception | None) -> None:
        if self._transport is not None:
            self.close()
            self._on_lost(error)

    @property
    def unsent(self) -> int:
        """Bytes that the system has not taken yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def send(self, commands: Iterable[Command]) -> None:
        """Write the commands; a connection that is lost swallows them."""
        if self._transport is not None:
            self._transport.write(b"".join([hiredis.pack_command(command) for command in commands]))

    def close(self) -> None:
        """End it at once; no callback comes afterwards."""
        if self._transport is not None:
            self._transport.abort()
            self._transport = None


async def connect(
    address: Address,
    on_reply: Callable[[Reply], None],
    on_lost: Callable[[Exception | None], None],
    within: float = 2.0,
    first: Iterable[Command] = (),
) -> Wire:
    """A connection on which Redis has answered, the commands `first` too. Raises OSError, also for a
    timeout, a refused password, and a Redis that is still loading its data."""
    loop = asyncio.get_running_loop()
    opened: asyncio.Future[None] = loop.create_future()
    greeting = [*_greeting(address), *first]
    answers = 0

    def reply(answer: Reply) -> None:
        nonlocal answers
        if opened.done():
            on_reply(answer)
            return
        answers += 1
        if isinstance(answer, ReplyError):
            opened.set_exception(ConnectionError(str(answer)))
        elif answers == len(greeting):
            opened.set_result(None)

    def lost(error: Exception | None) -> None:
        if opened.done():
            on_lost(error)
        else:
            opened.set_exception(ConnectionError(str(error or "Redis closed the connection")))

    wire: Wire | None = None
    try:
        async with asyncio.timeout(within):
            make = lambda: Wire(reply, lost)  # noqa: E731
            if address.path is not None:
                _, wire = await loop.create_unix_connection(make, address.path)
            else:
                tls = address.context()
                _, wire = await loop.create_connection(make, address.host, address.port, ssl=tls)
            wire.send(greeting)
            await opened
    except BaseException as error:
        opened.cancel()
        if wire is not None:
            wire.close()
        if isinstance(error, TimeoutError):
            raise ConnectionError(f"Redis at {address} does not answer") from error
        raise
    return wire


def _greeting(address: Address) -> list[Command]:
    greeting: list[Command] = []
    if address.password is not None:
        user = () if address.username is None else (address.username,)
        greeting.append(("AUTH", *user, address.password))
    if address.db:
        greeting.append(("SELECT", address.db))
    # Also shows that the data are loaded: until then Redis answers LOADING.
    return [*greeting, ("EXISTS", "hanpan")]
