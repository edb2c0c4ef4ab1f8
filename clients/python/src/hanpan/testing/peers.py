"""One client's connection as a fake server sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from hanpan.wire import SUBPROTOCOL

Message = dict[str, Any]


class PeerGone(Exception):
    """The client closed the connection, or lost it."""


class Peer:
    """A client at the other end: read what it sends, send what it is to see."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._protocol = ServerProtocol(subprotocols=[SUBPROTOCOL])  # type: ignore[list-item]  # a NewType of str
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self.opened = asyncio.Event()
        self.received: list[Message] = []
        self.gone = False

    async def recv(self) -> Message:
        """The client's next message. Raises PeerGone."""
        message = await self._inbox.get()
        if message is None:
            self._inbox.put_nowait(None)
            raise PeerGone
        return message

    async def expect(self, kind: str) -> Message:
        """The client's next message, which must be of this type; heartbeats are passed over."""
        while True:
            message = await self.recv()
            if message["type"] == kind:
                return message
            assert message["type"] == "ping", f"{message} where {kind} was expected"

    def send(self, message: Message) -> None:
        """Send a message."""
        if not self.gone:
            self._protocol.send_text(msgspec.json.encode(message))
            self._flush()

    def close(self, code: int, reason: str = "") -> None:
        """Close with a code; 0 drops the connection without a close frame."""
        if code == 0:
            self._writer.transport.abort()
        elif not self.gone:
            self._protocol.send_close(code, reason)
            self._flush()

    async def serve(self, head: bytes) -> None:
        """Read the connection until it ends. head: what has been read of it already."""
        try:
            self._feed(head)
            while data := await self._reader.read(65536):
                self._feed(data)
            self._protocol.receive_eof()
            self._flush()
        except OSError:
            pass
        finally:
            self.gone = True
            self._inbox.put_nowait(None)
            self._writer.close()

    def _feed(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._protocol.accept(event))
                self._flush()
                self.opened.set()
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                message = msgspec.json.decode(event.data, type=Message)
                self.received.append(message)
                self._inbox.put_nowait(message)
        self._flush()

    def _flush(self) -> None:
        for part in self._protocol.data_to_send():
            if part:
                self._writer.write(part)
            elif self._writer.can_write_eof():
                self._writer.write_eof()
        if self._protocol.close_expected() and not self._protocol.data_to_send():
            self.gone = True
