"""Connections between SDK clients and the server: delayed, half-open, lost; frames stay in order."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Protocol

from hanpan.address import Address
from hanpan.errors import Disconnected
from hanpan.sockets import SocketClosed
from server.transport import codes
from server.transport.base import Message, Socket, TransportLimits
from server.transport.pace import Pace
from tests.simulation.loop import Life, Loop

LIMITS = TransportLimits()


class Observer(Protocol):
    """Who looks on, to judge afterwards."""

    def sent(self, link: Link, payload: bytes) -> None:
        """The server handed a frame to the line."""

    def read(self, link: Link, payload: bytes) -> None:
        """The server read a frame."""

    def got(self, link: Link, payload: bytes) -> None:
        """The client got a frame."""


class Server(Protocol):
    """A process that takes connections."""

    life: Life

    def accept(self, socket: Socket) -> None:
        """A connection came in."""


class Network:
    """Every line. delay_s: of a frame, drawn between the two. closed_to: who reaches nobody."""

    def __init__(self, loop: Loop, chance: random.Random, observer: Observer) -> None:
        self.loop = loop
        self.chance = chance
        self.observer = observer
        self.delay_s = (0.001, 0.02)
        self.closed_to: set[str] = set()
        self.links: list[Link] = []
        self.server: Callable[[str], Server | None] = lambda who: None

    def pause(self) -> float:
        """How long one frame is under way."""
        return self.chance.uniform(*self.delay_s)

    def dial(self, who: str) -> Callable[[Address], asyncio.Future[ClientEnd]]:
        """What opens a client's connections."""

        async def opened(address: Address) -> ClientEnd:
            await asyncio.sleep(self.pause())
            server = self.server(who)
            if server is None or who in self.closed_to:
                raise Disconnected("no connection to the simulated server")
            link = Link(self, server, who)
            self.links.append(link)
            link.open()
            return link.client

        return opened  # type: ignore[return-value]  # awaiting it is all that is asked

    def cut(self, server: Server | None = None, who: str | None = None) -> None:
        """Lose the connections of a process or a player."""
        for link in list(self.links):
            if server in (None, link.server_process) and who in (None, link.who):
                link.cut()


class Link:
    """One connection. half_open: what is sent is lost and nobody is told. aim: when the next frame
    of the client is read, on the loop's clock, whatever the line's delay."""

    def __init__(self, network: Network, server: Server, who: str) -> None:
        self.network = network
        self.server_process = server
        self.who = who
        self.half_open = False
        self.aim: float | None = None
        self.client = ClientEnd(self)
        self.server = ServerEnd(self)
        self._up = self._down = 0.0

    def open(self) -> None:
        """The handshake is done."""
        context = self.server_process.life.context
        self.network.loop.call_soon(self.server_process.accept, self.server, context=context)

    def up(self, work: Callable[..., object], *args: object) -> None:
        """Something goes from the client to the server."""
        if self.half_open:
            return
        loop = self.network.loop
        at = max(loop.time() + self.network.pause(), self._up)
        if self.aim is not None:
            at, self.aim = max(self.aim, self._up), None
        self._up = at + 1e-6
        loop.call_at(at, work, *args, context=self.server_process.life.context)

    def down(self, work: Callable[..., object], *args: object) -> bool:
        """Something goes from the server to the client; whether it is on its way."""
        if self.half_open:
            return False
        loop = self.network.loop
        at = max(loop.time() + self.network.pause(), self._down)
        self._down = at + 1e-6
        loop.call_at(at, work, *args, context=self.client.context)
        return True

    def cut(self) -> None:
        """The line is lost with everything on it; both sides find out, each in its time."""
        self.gone()
        loop = self.network.loop
        self.half_open = True
        for end, context in (
            (self.client.lost, self.client.context),
            (self.server.lost, self.server_process.life.context),
        ):
            loop.call_later(self.network.pause(), end, context=context)

    def gone(self) -> None:
        """Nobody looks after this line any more."""
        if self in self.network.links:
            self.network.links.remove(self)


class ClientEnd:
    """The SDK's socket."""

    def __init__(self, link: Link) -> None:
        import contextvars

        self._link = link
        self._got: deque[bytes] = deque()
        self._closed: SocketClosed | None = None
        self._waiting: asyncio.Future[None] | None = None
        self.context = contextvars.Context()

    async def recv(self) -> bytes:
        while not self._got:
            if self._closed is not None:
                raise SocketClosed(self._closed.code, self._closed.reason)
            self._waiting = self._link.network.loop.create_future()
            await self._waiting
        payload = self._got.popleft()
        self._link.network.observer.got(self._link, payload)
        return payload

    async def send(self, data: bytes) -> None:
        if self._closed is not None:
            raise SocketClosed(self._closed.code, self._closed.reason)
        self._link.up(self._link.server.arrived, data)

    async def close(self) -> None:
        if self._closed is None:
            self._link.up(self._link.server.peer_closed)
            self.ended(1000, "")

    def abort(self) -> None:
        if self._closed is None:
            self._link.up(self._link.server.lost)
            self.ended(codes.ABNORMAL, "")

    # -- what the line does ----------------------------------------------------------------------------
    def arrive(self, payload: bytes, size: int) -> None:
        """A frame is here."""
        self._link.server.drained(size)
        if self._closed is None:
            self._got.append(payload)
            self._wake()

    def ended(self, code: int, reason: str) -> None:
        """The connection is over, after what has arrived."""
        if self._closed is None:
            self._closed = SocketClosed(code, reason)
            self._wake()

    def lost(self) -> None:
        """The line is gone."""
        self.ended(codes.ABNORMAL, "")

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class ServerEnd(Socket):
    """The server's socket, by the rules of `Socket`."""

    def __init__(self, link: Link) -> None:
        super().__init__(link.who)
        self._link = link
        self._open = True
        self._ended = False
        self._unsent = 0
        self._pace = Pace(LIMITS.frame_rate, LIMITS.frame_burst)

    def send(self, message: Message, bulk: bool = False) -> None:
        if not self._open:
            return
        payload = message.payload
        self._unsent += len(payload)
        self._link.network.observer.sent(self._link, payload)
        self._link.down(self._link.client.arrive, payload, len(payload))
        if self._unsent > LIMITS.max_unsent:
            self.close(codes.TOO_SLOW, "too slow")

    def close(self, code: int, reason: str = "") -> None:
        if not self._open:
            return
        self._open = False
        if self._link.down(self._link.client.ended, code, reason):
            self._link.up(self._finished, code)
        loop = self._link.network.loop
        loop.call_later(LIMITS.close_timeout / 1000, self._finished, code)

    async def run(self) -> None:
        """The session lives in the callbacks."""

    def start(self) -> None:
        """It is open already."""

    @property
    def unsent(self) -> int:
        return self._unsent

    @property
    def is_open(self) -> bool:
        return self._open

    # -- what the line does ----------------------------------------------------------------------------
    def arrived(self, payload: bytes) -> None:
        """A frame is read."""
        if not self._open:
            return
        stamp = self._link.network.loop.time() * 1000.0
        if not self._pace.allows(stamp):
            self.close(codes.TOO_FAST, "too many frames")
            return
        self._link.network.observer.read(self._link, payload)
        self._deliver(payload, stamp)

    def drained(self, size: int) -> None:
        """The peer has read so much."""
        self._unsent -= size

    def peer_closed(self) -> None:
        """The client closed in good order."""
        self._open = False
        self._finished(1000)

    def lost(self) -> None:
        """The line is gone."""
        self._open = False
        self._finished(codes.ABNORMAL)

    def _finished(self, code: int) -> None:
        if not self._ended:
            self._ended = True
            self._link.gone()
            self._finish(code)
