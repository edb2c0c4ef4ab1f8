from __future__ import annotations

import time

from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Close, Frame, Opcode

from server.transport.base import Message, clock, close_frame, frame


@given(st.binary(max_size=300))
@example(b"x" * 125)
@example(b"x" * 126)
@example(b"x" * 65535)
@example(b"x" * 65536)
def test_a_frame_is_what_another_implementation_writes(payload: bytes) -> None:
    assert frame(Opcode.TEXT, payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


def test_a_message_is_framed_once() -> None:
    message = Message("한판".encode())
    assert message.wire is message.wire
    assert message.wire.endswith(message.payload)
    assert len(message) == 6


@given(st.integers(3000, 4999), st.text(max_size=200))
def test_a_close_frame_fits_a_control_frame_and_keeps_whole_characters(
    code: int, reason: str
) -> None:
    reason = reason.encode(errors="ignore").decode()
    wire = close_frame(code, reason)
    assert wire[0] == 0x88
    assert wire[1] == len(wire) - 2 <= 125
    close = Close.parse(wire[2:])
    assert close.code == code
    assert reason.startswith(close.reason)
    if len(reason.encode()) <= 123:
        assert close.reason == reason


def test_the_clock_is_monotonic_milliseconds() -> None:
    before = time.monotonic()
    assert before * 1000 <= clock() <= time.monotonic() * 1000
