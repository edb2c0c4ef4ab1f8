"""Incoming frames of a server's connection, sans I/O (RFC 6455, 5 and 8.1).

`feed` bytes, then call `next` until it gives None. It is lazy on purpose: a read of 256 KiB can hold
40,000 pings, and whoever counts frames must be able to stop at the twenty-first. Nothing is buffered
that is above the limits: an oversized frame is refused by its head.
"""

from __future__ import annotations

import codecs
from struct import unpack_from

from server.transport import codes
from server.transport.base import TransportLimits

try:
    from websockets.speedups import apply_mask
except ImportError:  # where no compiled module was to be had
    from websockets.utils import apply_mask

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

_new_utf8 = codecs.getincrementaldecoder("utf-8")

_CLOSE_CODES = frozenset({1000, 1001, 1002, 1003, *range(1007, 1015), *range(3000, 5000)})
"""What a close frame may name (RFC 6455, 7.4, and the IANA registry)."""


class Violation(Exception):
    """The peer broke the protocol or a limit; `code` and `reason` go into the close frame.

    The decoder is of no use afterwards: what follows cannot be told apart.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Decoder:
    """Takes frames apart, puts fragments together, checks text.

    `next` gives (opcode, payload): a whole message (TEXT, BINARY), a control frame, or (CONT, b"") for a
    fragment that does not end its message. Raises Violation.
    """

    __slots__ = ("_at", "_data", "_fragments", "_kind", "_limits", "_parts", "_size", "_utf8")

    def __init__(self, limits: TransportLimits) -> None:
        self._limits = limits
        self._data = b""
        self._at = 0
        self._parts: list[bytes] | None = None
        self._fragments = 0
        self._kind = CONT
        self._size = 0
        self._utf8: codecs.IncrementalDecoder | None = None

    def feed(self, data: bytes) -> None:
        """Adds what was read."""
        self._data = data if self._at == len(self._data) else self._data[self._at :] + data
        self._at = 0

    def next(self) -> tuple[int, bytes] | None:
        """The next frame that is complete, None if more bytes are needed."""
        data, at = self._data, self._at
        end = len(data)
        if end - at < 2:
            if at == end:
                self._data, self._at = b"", 0
            return None
        first, second = data[at], data[at + 1]
        opcode, size = first & 0x0F, second & 0x7F
        whole = first == 0x81 and second >= 0x80 and self._parts is None
        if not whole:
            self._check_head(first, second, opcode)
        at += 2
        if size == 126:
            if end - at < 2:
                return None
            (size,) = unpack_from("!H", data, at)
            at += 2
        elif size == 127:
            if end - at < 8:
                return None
            (size,) = unpack_from("!Q", data, at)
            at += 8
        if self._size + size > self._limits.max_message and opcode < CLOSE:
            raise Violation(codes.TOO_BIG, f"more than {self._limits.max_message} bytes")
        begin = at + 4
        at = begin + size
        if at > end:
            return None
        payload = apply_mask(data[begin:at], data[begin - 4 : begin])
        self._at = at
        if whole:
            if not payload.isascii():
                _check_text(payload)
            return TEXT, payload
        if opcode >= CLOSE:
            if opcode == CLOSE:
                check_close(payload)
            return opcode, payload
        return self._gather(opcode, payload, final=first >= 0x80)

    def _check_head(self, first: int, second: int, opcode: int) -> None:
        if first & 0x70:
            raise Violation(codes.PROTOCOL_ERROR, "reserved bits are set")
        if second < 0x80:
            raise Violation(codes.PROTOCOL_ERROR, "a client's frames are masked")
        if opcode >= CLOSE:
            if opcode > PONG:
                raise Violation(codes.PROTOCOL_ERROR, "unknown opcode")
            if second & 0x7F > 125 or first < 0x80:
                raise Violation(codes.PROTOCOL_ERROR, "a control frame is whole and short")
            return
        if opcode > BINARY:
            raise Violation(codes.PROTOCOL_ERROR, "unknown opcode")
        if opcode == CONT and self._parts is None:
            raise Violation(codes.PROTOCOL_ERROR, "nothing to continue")
        if opcode != CONT and self._parts is not None:
            raise Violation(codes.PROTOCOL_ERROR, "the message before is unfinished")

    def _gather(self, opcode: int, payload: bytes, *, final: bool) -> tuple[int, bytes]:
        """A data frame that is not a whole text by itself."""
        parts = self._parts
        if parts is None:
            parts = self._parts = []
            self._kind = opcode
            self._utf8 = _new_utf8() if opcode == TEXT else None
        self._fragments += 1
        if self._fragments > self._limits.max_fragments:
            raise Violation(codes.TOO_BIG, f"more than {self._limits.max_fragments} fragments")
        if self._utf8 is not None:
            try:
                self._utf8.decode(payload, final)
            except UnicodeDecodeError:
                raise Violation(codes.INVALID_TEXT, "text is UTF-8") from None
        if payload:
            parts.append(payload)
            self._size += len(payload)
        if not final:
            return CONT, b""
        self._parts, self._utf8 = None, None
        self._size = self._fragments = 0
        return self._kind, b"".join(parts)


def _check_text(payload: bytes) -> None:
    try:
        payload.decode()
    except UnicodeDecodeError:
        raise Violation(codes.INVALID_TEXT, "text is UTF-8") from None


def check_close(payload: bytes) -> None:
    """Raises Violation for a close frame's payload that RFC 6455, 7.4 does not allow."""
    if not payload:
        return
    if len(payload) < 2 or close_code(payload) not in _CLOSE_CODES:
        raise Violation(codes.PROTOCOL_ERROR, "not a close code")
    _check_text(payload[2:])


def close_code(payload: bytes) -> int:
    """The code of a close frame's payload, 1005 for an empty one."""
    if not payload:
        return codes.NO_STATUS
    (code,) = unpack_from("!H", payload)
    return int(code)
