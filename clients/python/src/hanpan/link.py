"""Keeps one connection alive: dials, identifies, beats, and comes back when it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import Protocol

from hanpan._messages import (
    ClientMessage,
    Draining,
    Error,
    Hello,
    Identify,
    Ok,
    Ping,
    ServerMessage,
)
from hanpan.address import Address
from hanpan.backoff import Backoff, Pace
from hanpan.calls import Call
from hanpan.errors import Disconnected, HanpanError, Refused, refusal, stop
from hanpan.sockets import Dial, Socket, SocketClosed
from hanpan.wire import decode, encode

log = logging.getLogger("hanpan")
HELD_S = 5.0
"""A connection that lasted so long was a good one: the next wait begins anew."""
HANDSHAKE_S = 10.0


class Owner(Protocol):
    """Whose link it is."""

    def identify(self) -> Identify:
        """Who this is, and from where its streams go on."""

    def connected(self, hello: Hello, ok: Ok) -> None:
        """Identified, for the first time or again."""

    def receive(self, message: ServerMessage) -> None:
        """A message."""

    def disconnected(self, error: HanpanError | None) -> None:
        """The connection is gone: to come back, or for good if there is an error."""


class Link:
    """One connection after the other, until it is closed or there is no use in coming back.

    patience_s: how long to try before giving up; None: for ever.
    """

    def __init__(
        self,
        owner: Owner,
        address: Address,
        dial: Dial,
        backoff: Backoff,
        patience_s: float | None,
    ) -> None:
        self.ready = False
        self._owner = owner
        self._address = address
        self._dial = dial
        self._backoff = backoff
        self._patience_s = patience_s
        self._socket: Socket | None = None
        self._out: deque[Call | ClientMessage] = deque()
        self._work = asyncio.Event()
        self._heard = 0.0
        self._sent = 0.0
        self._in_ms: int | None = None

    # -- for the owner -------------------------------------------------------------------------------
    def push(self, item: Call | ClientMessage) -> None:
        """Send this in its turn; while there is no connection, nothing is sent."""
        if self.ready:
            self._out.append(item)
            self._work.set()

    def abort(self) -> None:
        """Drop the connection as a network would; the link comes back."""
        if self._socket is not None:
            self._socket.abort()

    async def close(self) -> None:
        """Close the connection in good order."""
        self.ready = False
        if self._socket is not None:
            with contextlib.suppress(SocketClosed):
                await self._socket.close()

    # -- one connection ------------------------------------------------------------------------------
    async def open(self) -> None:
        """Dial and identify once. Raises Disconnected, or Refused by `identify`."""
        self._in_ms = None
        socket = self._socket = await self._dial(self._address)
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                hello, ok = await self._greet(socket)
        except TimeoutError:
            socket.abort()
            raise Disconnected("the server does not answer to identify") from None
        except BaseException:
            socket.abort()
            raise
        self._out.clear()
        self._heard = self._sent = self._now()
        self.ready = True
        self._hello = hello
        self._owner.connected(hello, ok)

    async def _greet(self, socket: Socket) -> tuple[Hello, Ok]:
        hello: Hello | None = None
        number = 1
        while True:
            message = decode(await socket.recv())
            if isinstance(message, Hello):
                hello = message
                identify = self._owner.identify()
                identify.id = number
                await socket.send(encode(identify))
            elif isinstance(message, Draining):
                self._in_ms = message.in_ms
            elif isinstance(message, Ok) and message.re == number and hello is not None:
                return hello, message
            elif isinstance(message, Error) and message.re in (number, None):
                await socket.close()
                raise refusal(message)

    async def run(self) -> None:
        """Keep the connection until it ends for good; the first one must be open."""
        while True:
            opened = self._now()
            closed = await self._pump()
            self.ready = False
            if self._now() - opened > HELD_S:
                self._backoff.reset()
            stopped = stop(closed.code, closed.reason)
            self._owner.disconnected(stopped)
            if stopped is not None:
                return
            log.info("connection lost (%s), coming back", closed)
            error = await self._come_back(closed.code)
            if error is not None:
                self._owner.disconnected(error)
                return

    async def _come_back(self, code: int) -> HanpanError | None:
        """Try until there is a connection; the error to stop with if there is none to be had."""
        lost = self._now()
        in_ms = self._in_ms
        while True:
            wait = self._backoff.next(code, in_ms)
            if self._patience_s is not None and self._now() + wait - lost > self._patience_s:
                return Disconnected(f"no connection for {self._patience_s:g} s")
            await asyncio.sleep(wait)
            code, in_ms = 0, None
            try:
                await self.open()
            except Disconnected as error:
                log.info("%s", error)
            except SocketClosed as closed:
                code, in_ms = closed.code, self._in_ms
                stopped = stop(closed.code, closed.reason)
                if stopped is not None:
                    return stopped
            except Refused as refused:
                if not refused.retry:
                    return refused
                in_ms = refused.after_ms
            else:
                return None

    async def _pump(self) -> SocketClosed:
        socket = self._socket
        assert socket is not None
        others = [
            asyncio.create_task(self._write(socket)),
            asyncio.create_task(self._beat(socket)),
        ]
        try:
            while True:
                data = await socket.recv()
                self._heard = self._now()
                message = decode(data)
                if isinstance(message, Draining):
                    self._in_ms = message.in_ms
                if message is not None:
                    self._owner.receive(message)
        except SocketClosed as closed:
            return closed
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    async def _write(self, socket: Socket) -> None:
        limits = self._hello.limits
        pace = Pace(limits.frames, limits.burst)
        with contextlib.suppress(SocketClosed):
            while True:
                while self._out:
                    item = self._out.popleft()
                    wait = pace.take(self._now())
                    if wait:
                        await asyncio.sleep(wait)
                    message = item
                    if isinstance(item, Call):
                        if item.answer.done():
                            continue
                        item.sends += 1
                        message = item.message
                    assert isinstance(message, ClientMessage)
                    await socket.send(encode(message))
                    self._sent = self._now()
                self._work.clear()
                await self._work.wait()

    async def _beat(self, socket: Socket) -> None:
        interval = self._hello.heartbeat_ms / 1000
        while True:
            await asyncio.sleep(interval / 2)
            now = self._now()
            if now - self._heard > 2 * interval:
                log.info("no sign of life of the server")
                socket.abort()
                return
            if now - self._sent >= interval / 2 or now - self._heard >= interval:
                self.push(Ping(id="beat"))

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
