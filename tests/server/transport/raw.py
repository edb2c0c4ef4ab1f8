"""A WebSocket client that does what it is told, rules or not."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
from collections.abc import AsyncIterator

from websockets.frames import Frame, Opcode

HANDSHAKE = (
    "GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n"
)


def masked(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A client's frame."""
    return Frame(Opcode(opcode), payload, fin).serialize(mask=True)


class Raw:
    """A connection after its handshake."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))

    async def frame(self) -> tuple[int, bytes]:
        """The next frame of the server."""
        head = await self.reader.readexactly(2)
        size = head[1]
        assert size < 128
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2))
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8))
        return head[0] & 0x0F, await self.reader.readexactly(size)

    async def close_code(self) -> int:
        """The code of the server's close frame, which is answered; then the line must end."""
        while True:
            opcode, payload = await asyncio.wait_for(self.frame(), 10)
            if opcode == Opcode.CLOSE:
                break
        self.send(masked(opcode, payload))
        await self.end()
        return int.from_bytes(payload[:2])

    async def end(self) -> None:
        """Waits until the server has ended the line, one way or the other."""
        with contextlib.suppress(ConnectionError):
            while await asyncio.wait_for(self.reader.read(65536), 10):
                pass

    def stop_reading(self) -> None:
        """From now on the kernel's buffers fill."""
        assert isinstance(self.writer.transport, asyncio.Transport)
        self.writer.transport.pause_reading()

    def reset(self) -> None:
        """Ends the line with a reset."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.writer.transport.abort()


@contextlib.asynccontextmanager
async def opened(port: int, *, receive_buffer: int = 0) -> AsyncIterator[Raw]:
    """A connection on which nothing has been said."""
    sock = socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    except OSError:
        sock.close()
        raise
    reader, writer = await asyncio.open_connection(sock=sock, limit=4096)
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def connected(port: int, extra: str = "", *, receive_buffer: int = 0) -> AsyncIterator[Raw]:
    """A connection whose handshake is answered."""
    async with opened(port, receive_buffer=receive_buffer) as raw:
        raw.send((HANDSHAKE + extra + "\r\n").encode())
        answer = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), 10)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        yield raw


async def until(condition: object, seconds: float = 10.0) -> None:
    """Waits for `condition()`; fails when it does not come."""
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (what is waited for happens in other threads)
            await asyncio.sleep(0.01)
