"""A socket straight on the event loop's transport: no ASGI call, task, future or queue a message.

It is an asyncio protocol that takes the line over from uvicorn's class once the handshake is answered
(`uvicorn_ws`). States: OPEN -> CLOSING (our close frame is out, the peer's is awaited) or FAILED (the
peer broke the protocol or a limit: what still comes is discarded, so that the close frame is not lost
to a reset) -> ENDED.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from server.transport import codes
from server.transport.base import (
    Message,
    Socket,
    TransportLimits,
    clock,
    close_frame,
    frame,
)
from server.transport.decoder import (
    BINARY,
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    Decoder,
    Violation,
    close_code,
)
from server.transport.flusher import Flusher
from server.transport.pace import Pace

OPEN, CLOSING, FAILED, ENDED = range(4)

SLOW_TIMEOUT = 500.0
"""How long a connection that was too slow may take to read why, in ms."""

_DISCARD = 1 << 20
"""Bytes that a closing connection may still send before the line is cut."""

_POLITE = 4_096
_REST_S = 0.2
"""A failed line that sends on after so many bytes is read only so often: who floods costs one read then,
not one for everything he sends."""


def _nowhere(data: bytes) -> None:
    """Before there is a line, and after it."""


class FastSocket(Socket, asyncio.Protocol):
    """See `Socket`. `kept` tells whether the endpoint has called `run`."""

    __slots__ = (
        "_code",
        "_controls",
        "_decoder",
        "_discarded",
        "_first",
        "_flusher",
        "_frames",
        "_gathered",
        "_lags",
        "_limits",
        "_loop",
        "_lost",
        "_more",
        "_state",
        "_timer",
        "_write",
        "kept",
        "transport",
    )

    def __init__(
        self,
        remote: str,
        limits: TransportLimits,
        flusher: Flusher,
        lost: Callable[[FastSocket], None],
    ) -> None:
        super().__init__(remote)
        self.kept = False
        self._limits = limits
        self._flusher = flusher
        self._lost: Callable[[FastSocket], None] | None = lost
        self._loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self._write: Callable[[bytes], None] = _nowhere
        self._decoder = Decoder(limits)
        self._frames = Pace(limits.frame_rate, limits.frame_burst)
        self._controls = Pace(limits.control_rate, limits.control_burst)
        self._first: bytes | None = None
        self._more: list[bytes] | None = None
        self._gathered = 0
        self._lags = False
        self._state = OPEN
        self._code = codes.ABNORMAL
        self._discarded = 0
        self._timer: asyncio.TimerHandle | None = None

    # Sending

    def send(self, message: Message, bulk: bool = False) -> None:
        if self._state:
            return
        wire = message.frame or message.wire
        if self._first is None:
            self._first = wire
            self._lags = bulk
            self._flusher.add(self, bulk)
        else:
            self._gather(wire, bulk)

    def _gather(self, wire: bytes, bulk: bool = False) -> None:
        first = self._first
        if first is None:
            self._first = wire
            self._lags = bulk
            self._flusher.add(self, bulk)
            return
        if self._more is None:
            self._more = [first]
            self._gathered = len(first)
        self._more.append(wire)
        self._gathered += len(wire)
        if self._gathered > self._limits.max_unsent:
            # Much at once is not too slow: that is what the line does not take.
            self.flush()
        elif self._lags and not bulk:
            self._lags = False
            self._flusher.add(self, False)

    def flush(self) -> None:
        """Writes what was gathered with one call."""
        first = self._first
        if first is None:
            return
        self._first = None
        if self._more is not None:
            first = b"".join(self._more)
            self._more = None
        self._write(first)

    def _forget(self) -> None:
        self._first = self._more = None

    @property
    def unsent(self) -> int:
        gathered = sum(map(len, self._more or (self._first or b"",)))
        transport = self.transport
        if transport is None or self._state == ENDED:
            return gathered
        return gathered + transport.get_write_buffer_size()

    @property
    def is_open(self) -> bool:
        return self._state == OPEN

    def pause_writing(self) -> None:
        """Called inside a write that leaves more than `max_unsent` in the transport."""
        if self._state == OPEN:
            self._too_slow()

    # Ending

    def close(self, code: int, reason: str = "") -> None:
        if self._state == OPEN:
            self._end(CLOSING, code, close_frame(code, reason))

    def shutdown(self) -> None:
        """Called by uvicorn for every connection that is left when it stops."""
        self.close(codes.DRAINING, "draining")

    def abort(self) -> None:
        """Ends the line at once."""
        if self.transport is not None:
            self.transport.abort()

    def start(self) -> None:
        """Nothing: it is live since the line was taken over."""

    def drop(self) -> None:
        self.connection_lost(None)

    async def run(self) -> None:
        self.kept = True

    def call_ended(self) -> None:
        """The endpoint's ASGI call has returned or raised."""
        if not self.kept:
            self.close(codes.INTERNAL)

    def _too_slow(self) -> None:
        self._forget()
        self._fail(codes.TOO_SLOW, "too slow")
        if self._timer is not None:
            # What waits in the transport is memory: who does not read by now will hardly read why.
            self._timer.cancel()
            timeout = min(self._limits.close_timeout, SLOW_TIMEOUT)
            self._timer = self._loop.call_later(timeout / 1000.0, self.abort)

    def _fail(self, code: int, reason: str) -> None:
        """The peer's fault: says why, and hears nothing more."""
        if self._state == OPEN:
            self._end(FAILED, code, close_frame(code, reason))
        self._state = FAILED
        transport = self.transport
        if transport is None or transport.is_closing():
            return
        if transport.can_write_eof():
            transport.write_eof()
        else:
            transport.close()

    def _end(self, state: int, code: int, last: bytes) -> None:
        self._state = state
        self._code = code
        self.flush()
        transport = self.transport
        if transport is None:
            return
        if not transport.is_closing():
            self._write(last)
        self._timer = self._loop.call_later(self._limits.close_timeout / 1000.0, self.abort)

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._write = self.transport.write
        self.transport.set_write_buffer_limits(high=self._limits.max_unsent)

    def data_received(self, data: bytes) -> None:
        stamp = clock()
        decoder = self._decoder
        if self._state:
            self._discarded += len(data)
            if self._discarded > _DISCARD:
                self.abort()
            if self._state != CLOSING:
                if self._discarded > _POLITE:
                    self._rest()
                return
        try:
            decoder.feed(data)
            while (item := decoder.next()) is not None:
                self._take(item[0], item[1], stamp)
                if self._state > CLOSING:
                    return
        except Violation as broken:
            self._fail(broken.code, broken.reason)

    def _rest(self) -> None:
        transport = self.transport
        if transport is not None and not transport.is_closing():
            transport.pause_reading()
            self._loop.call_later(_REST_S, self._read_on)

    def _read_on(self) -> None:
        transport = self.transport
        if transport is not None and not transport.is_closing():
            transport.resume_reading()

    def _take(self, opcode: int, payload: bytes, stamp: float) -> None:
        """One frame; in CLOSING only the peer's close frame counts."""
        if opcode == CLOSE:
            self._closed_by_peer(payload)
        elif self._state != OPEN:
            return
        elif opcode in (PING, PONG):
            if not self._controls.allows(stamp):
                self._fail(codes.TOO_FAST, "too many control frames")
            elif opcode == PING:
                self._gather(frame(PONG, payload))
        elif not self._frames.allows(stamp):
            self._fail(codes.TOO_FAST, "too many frames")
        elif opcode == TEXT:
            self._deliver(payload, stamp)
        elif opcode == BINARY:
            self._binary(payload)
        else:
            assert opcode == CONT

    def _binary(self, payload: bytes) -> None:
        """The protocol has text frames only."""
        self._fail(codes.BAD_FRAME, "text frames only")

    def _closed_by_peer(self, payload: bytes) -> None:
        if self._state == OPEN:
            self._end(CLOSING, close_code(payload), frame(CLOSE, payload))
        self._state = FAILED
        if self.transport is not None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._state = ENDED
        self._write = _nowhere
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._forget()
        lost, self._lost = self._lost, None
        if lost is not None:
            lost(self)
            self._finish(self._code)


class Detached(asyncio.Transport):
    """What uvicorn's class holds after it gave the line away.

    Its only use is `close`, which uvicorn calls at the end of the ASGI call.
    """

    def __init__(self, socket: FastSocket) -> None:
        super().__init__()
        self._socket: FastSocket | None = socket

    def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.call_ended()

    def is_closing(self) -> bool:
        return True

    def write(self, data: Any) -> None:
        """Nothing: the line is no longer uvicorn's."""
