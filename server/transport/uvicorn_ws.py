"""uvicorn's WebSocket class with an offer: the handshake is uvicorn's, then the line can be ours.

An endpoint finds the offer in `scope["extensions"][EXTENSION]["claim"]` and calls it with the remote
address and the limits before it accepts; it gets the socket, which is live as soon as `websocket.accept`
is sent. An application that does not claim gets plain uvicorn. What is relied on here is held by a
contract test, and uvicorn is pinned.
"""

from __future__ import annotations

import asyncio
import weakref
from typing import Any, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from server.transport import codes
from server.transport.base import TransportLimits
from server.transport.fast import Detached, FastSocket
from server.transport.flusher import Flusher

EXTENSION = "hanpan.socket"

_flushers: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Flusher] = (
    weakref.WeakKeyDictionary()
)


def flusher_of(loop: asyncio.AbstractEventLoop) -> Flusher:
    """The one flusher of an event loop."""
    flusher = _flushers.get(loop)
    if flusher is None:
        flusher = _flushers[loop] = Flusher()
    return flusher


def write_to_players() -> None:
    """Has the running loop's flusher write what is for players now."""
    flusher_of(asyncio.get_running_loop()).players_now()


class SocketProtocol(WebSocketsSansIOProtocol):
    """Pass it as uvicorn's `ws` setting."""

    socket_class: type[FastSocket] = FastSocket
    claimed: FastSocket | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, Any]", self.scope["extensions"])
            extensions[EXTENSION] = {"claim": self.claim}

    def claim(self, remote: str, limits: TransportLimits) -> FastSocket:
        """The socket of this connection; nothing reaches it before the handshake is answered."""
        socket = self.socket_class(remote, limits, flusher_of(self.loop), self.dropped)
        self.claimed = socket
        return socket

    def dropped(self, socket: FastSocket) -> None:
        """Takes an ended socket out of uvicorn's set."""
        cast("set[Any]", self.connections).discard(socket)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._let_go_of_parser()

    def _let_go_of_parser(self) -> None:
        """End the generator that reads, which holds the object that holds it: left so, every connection
        would be the garbage collector's."""
        self.conn.parser.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.claimed is not None and message["type"] == "websocket.accept":
            self._hand_over(self.claimed)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            # Answered with a refusal, which uvicorn takes for a failure of the application and logs.
            self.handshake_complete = True

    def _hand_over(self, socket: FastSocket) -> None:
        transport = self.transport
        self.transport = Detached(socket)
        self.claimed = None
        self.scope["extensions"] = {}
        self.stop_keepalive()
        if self.disconnected or transport.is_closing():
            socket.drop()
            return
        self.connections.discard(self)
        cast("set[Any]", self.connections).add(socket)
        transport.set_protocol(socket)
        socket.connection_made(transport)
        self._let_go_of_parser()
        if not self.queue.empty() or self.conn.reader.buffer:
            # RFC 6455, 4.1: a client waits for the answer before it sends anything.
            transport.resume_reading()
            socket.close(codes.PROTOCOL_ERROR, "data before the handshake")
