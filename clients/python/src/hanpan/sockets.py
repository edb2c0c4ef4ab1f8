"""The socket under a client, small enough to put another one in its place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from hanpan.address import Address
from hanpan.errors import Disconnected
from hanpan.wire import SUBPROTOCOL

LOST = 1006
"""The close code of a connection that ended without one."""
OPEN_S = 10


class SocketClosed(Exception):
    """The connection is over. code: its close code, 1006 where there was none."""

    def __init__(self, code: int = LOST, reason: str = "") -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason


class Socket(Protocol):
    """One connection that carries text frames. Every method may raise SocketClosed."""

    async def recv(self) -> bytes:
        """The next frame."""

    async def send(self, data: bytes) -> None:
        """Send a frame."""

    async def close(self) -> None:
        """Close in good order."""

    def abort(self) -> None:
        """Let the connection drop at once."""


Dial = Callable[[Address], Awaitable[Socket]]
"""Opens a socket to a server, or raises Disconnected."""


class WebSocket:
    """A Socket over the network."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def recv(self) -> bytes:
        """The next frame."""
        try:
            return await self._connection.recv(decode=False)
        except ConnectionClosed as closed:
            raise _closed(closed) from None

    async def send(self, data: bytes) -> None:
        """Send a text frame."""
        try:
            await self._connection.send(data, text=True)
        except ConnectionClosed as closed:
            raise _closed(closed) from None

    async def close(self) -> None:
        """Close in good order, within two seconds."""
        await self._connection.close()

    def abort(self) -> None:
        """Let the connection drop at once."""
        self._connection.transport.abort()


async def dial(address: Address) -> Socket:
    """Open a WebSocket; heartbeats are the protocol's own, and frames are never compressed."""
    try:
        connection = await connect(
            address.socket,
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]  # a NewType of str
            compression=None,
            ping_interval=None,
            open_timeout=OPEN_S,
            close_timeout=2,
            max_size=2**24,
            proxy=None if address.local else True,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        raise Disconnected(f"{address.socket} answers with HTTP status {status}") from None
    except (TimeoutError, OSError, InvalidHandshake, InvalidURI, EOFError) as error:
        reason = str(error) or type(error).__name__
        raise Disconnected(f"no connection to {address.socket}: {reason}") from None
    return WebSocket(connection)


def _closed(closed: ConnectionClosed) -> SocketClosed:
    if closed.rcvd is None:
        return SocketClosed()
    return SocketClosed(closed.rcvd.code, closed.rcvd.reason)
