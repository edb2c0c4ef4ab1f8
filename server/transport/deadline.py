"""uvicorn's HTTP class with what it lacks: a deadline for a request, and a limit for its head.

From the accept (or the first byte of a further request) to the end of the request, body included, a
client has `handshake_timeout`; half a header is no reason to hold a descriptor. Bodies here are small,
so one deadline serves both. Handshakes have their turns: each is a hundred times the work of a frame.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.transport.accept import FAULTY, Gate
from server.transport.base import TransportLimits
from server.transport.turns import turns_of

HELD_MS = 3_000
"""How long the line of whoever has to wait is kept, unread."""


class DeadlineProtocol(HttpToolsProtocol):
    """Pass it as uvicorn's `http` setting; the limits are the configuration's `limits`."""

    deadline: asyncio.TimerHandle | None = None
    wait_s = 0
    head_bytes = 0
    in_head = True

    @property
    def limits(self) -> TransportLimits:
        """Those of the configuration, the defaults where it names none."""
        limits = getattr(self.config, "limits", None)
        return limits if isinstance(limits, TransportLimits) else TransportLimits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        # The narrower argument is uvicorn's.
        super().connection_made(transport)
        gate = getattr(self.config, "gate", None)
        if isinstance(gate, Gate) and self.client is not None:
            self.wait_s = gate.wait_s(self.client[0])
        self.arm()

    def data_received(self, data: bytes) -> None:
        if self.wait_s:
            return
        if self.deadline is None and self.cycle is not None and self.cycle.response_complete:
            self.arm()
        if self.in_head:
            self.head_bytes += len(data)
        super().data_received(data)
        if (
            self.in_head
            and self.head_bytes > self.limits.max_head
            and not self.transport.is_closing()
        ):
            self.send_400_response("The request's head is too large.")

    def on_message_begin(self) -> None:
        self.in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.in_head = False
        self.head_bytes = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.disarm()
        self.in_head = True
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        # Hundreds that come at once, as after a restart, must not hold up everybody's game.
        self.transport.pause_reading()
        turns_of(self.loop).add(self.upgrade)

    def upgrade(self) -> None:
        """Hands the line on, when its turn has come."""
        self.disarm()
        if not self.transport.is_closing():
            self.transport.resume_reading()
            super().handle_websocket_upgrade()
        # The parser holds this object: left so, every connection would be the garbage collector's.
        self.parser = None  # type: ignore[assignment]  # as uvicorn does where a line ends

    def connection_lost(self, exc: Exception | None) -> None:
        self.disarm()
        super().connection_lost(exc)

    def arm(self) -> None:
        """Starts the time of one request, or the one after which whoever has to wait is answered: an
        answer at once would only bring the next attempt."""
        end, ms = self.expire, self.limits.handshake_timeout
        if self.wait_s:
            end, ms = self.refuse, min(ms, HELD_MS)
        self.deadline = self.loop.call_later(ms / 1000.0, end)

    def refuse(self) -> None:
        """Answers whoever has to wait."""
        self.transport.write(
            b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\n"
            b"content-type: text/plain; charset=utf-8\r\nretry-after: %d\r\n"
            b"content-length: %d\r\n\r\n%b" % (self.wait_s, len(FAULTY), FAULTY)
        )
        self.transport.close()

    def disarm(self) -> None:
        """The request is complete."""
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def expire(self) -> None:
        """The time is over: no answer, the peer has shown no interest in one."""
        self.deadline = None
        self.transport.abort()
