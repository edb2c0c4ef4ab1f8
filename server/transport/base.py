"""What the server sees of a WebSocket connection, whichever way it came in.

Two implementations, one behaviour: `fast` (the socket of our own protocol class under uvicorn) and
`asgi` (any other ASGI server, the test client). An endpoint does

    socket = await accept(scope, receive, send, gate)
    if socket is not None:
        socket.on_message, socket.on_close = ...
        await socket.run()

Rules of both: nothing awaits a peer; a message is handed on synchronously at the read; nothing is
delivered after `close`; `on_close` is called exactly once.
"""

from __future__ import annotations

import logging
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

import msgspec

from server.transport import codes

logger = logging.getLogger("hanpan.transport")


def clock() -> float:
    """Monotonic milliseconds: the clock of all stamps.

    It is `time.monotonic`, not `loop.time`: uvloop's is cached for a whole turn, in whole milliseconds.
    """
    return time.monotonic() * 1000.0


class TransportLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one connection may do; sizes in bytes, times in milliseconds, rates in frames a second.

    Whatever is above a limit closes the connection: `max_message` and `max_fragments` with 1009,
    `max_unsent` with 4007, the two rates with 4005, unanswered. faults_per_minute: such closings of one
    address, above which it has to wait.
    """

    max_message: int = 16 * 1024
    max_fragments: int = 64
    max_unsent: int = 192 * 1024
    frame_rate: float = 20.0
    frame_burst: int = 40
    control_rate: float = 2.0
    control_burst: int = 20
    close_timeout: float = 2_000.0
    handshake_timeout: float = 5_000.0
    max_head: int = 16 * 1024
    per_address: int = 1_024
    faults_per_minute: int = 20


class Message:
    """One text message, encoded once for any number of sockets.

    payload: UTF-8 bytes of the text. wire: the complete unmasked frame of a server, made when first asked
    for; `frame` is the same or None, for those who ask a thousand times.
    """

    __slots__ = ("frame", "payload")

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.frame: bytes | None = None

    @property
    def wire(self) -> bytes:
        """The frame as it goes over the line."""
        wire = self.frame
        if wire is None:
            wire = self.frame = frame(0x1, self.payload)
        return wire

    def __len__(self) -> int:
        return len(self.payload)


def frame(opcode: int, payload: bytes) -> bytes:
    """A final, unmasked frame (RFC 6455, 5.2)."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
    return head + payload


def close_frame(code: int, reason: str = "") -> bytes:
    """A close frame; the reason is cut to what a control frame holds, at a whole character."""
    text = reason.encode()[:123].decode(errors="ignore").encode()
    return frame(0x8, struct.pack("!H", code) + text)


def _no_message(payload: bytes, stamp: float) -> None:
    """Until the endpoint has set its own."""


def _no_close(code: int) -> None:
    """Until the endpoint has set its own."""


class Socket(ABC):
    """One accepted connection.

    remote: the peer's address, as trusted proxies tell it. on_message: called at the read with the
    text's UTF-8 bytes and the read's time (`clock`). on_close: called once with the close code, 1006
    when the line just broke; codes never decide about anything but what is logged.
    """

    __slots__ = ("_release", "on_close", "on_message", "remote")

    def __init__(self, remote: str) -> None:
        self.remote = remote
        self.on_message: Callable[[bytes, float], None] = _no_message
        self.on_close: Callable[[int], None] = _no_close
        self._release: Callable[[int], None] | None = None

    @abstractmethod
    def send(self, message: Message, bulk: bool = False) -> None:
        """Gathers a message; what one turn of the loop gathers is written once.

        Never awaits, never raises; nothing happens once the socket closes. `bulk` is for audiences: such
        a socket is written after all others that wait, in slices, so that players never wait for spectators.
        """

    @abstractmethod
    def close(self, code: int, reason: str = "") -> None:
        """Writes what was gathered and the close frame; the line ends with the peer's answer or the time-out."""

    @abstractmethod
    async def run(self) -> None:
        """Keeps the connection beyond the endpoint's call: the endpoint's last line.

        It may return at once (`fast`) or when the connection has ended (`asgi`), so whatever the end
        asks for belongs into `on_close`. A socket whose endpoint ends without it is closed with 1011.
        """

    @property
    @abstractmethod
    def unsent(self) -> int:
        """Bytes gathered or in the transport's buffer."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether `send` still does something."""

    def hold(self, release: Callable[[int], None]) -> None:
        """Names what is given back when the connection has ended, before `on_close`, with the code."""
        self._release = release

    @abstractmethod
    def start(self) -> None:
        """The handshake is answered."""

    def drop(self) -> None:
        """The peer went before the handshake was answered."""
        self._finish(codes.ABNORMAL)

    def _deliver(self, payload: bytes, stamp: float) -> None:
        """Hands a message on; a receiver that raises costs this connection only."""
        try:
            self.on_message(payload, stamp)
        except Exception:
            logger.exception("a message's receiver failed")
            self.close(codes.INTERNAL)

    def _finish(self, code: int) -> None:
        """Tells the end once, and lets go of whoever was told."""
        release, self._release = self._release, None
        on_close, self.on_close = self.on_close, _no_close
        self.on_message = _no_message
        try:
            if release is not None:
                release(code)
            on_close(code)
        except Exception:
            logger.exception("a closing's receiver failed")
