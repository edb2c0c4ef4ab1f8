"""The decoder alone, and side by side with the one of `websockets`."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from server.transport.base import TransportLimits
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

LIMITS = TransportLimits(max_message=400, max_fragments=8)


def masked(opcode: int, payload: bytes, fin: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, fin or opcode >= CLOSE).serialize(mask=True)


def decode(data: bytes, cuts: list[int] | None = None) -> list[tuple[int, bytes]]:
    """All frames of `data`, fed in pieces; Violation as from the decoder."""
    decoder = Decoder(LIMITS)
    found = []
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts or [])})
    for begin, end in itertools.pairwise(edges):
        decoder.feed(data[begin:end])
        while (item := decoder.next()) is not None:
            found.append(item)
    return found


@given(st.text(max_size=100), st.lists(st.integers(0, 500), max_size=20))
def test_a_message_comes_out_whole_however_it_is_cut(text: str, cuts: list[int]) -> None:
    payload = text.encode(errors="ignore")
    data = masked(TEXT, payload) + masked(PING, b"p") + masked(BINARY, payload)
    assert decode(data, cuts) == [(TEXT, payload), (PING, b"p"), (BINARY, payload)]


@given(st.text(max_size=60), st.lists(st.integers(0, 250), max_size=6))
def test_fragments_are_put_together_with_control_frames_between(text: str, cuts: list[int]) -> None:
    payload = text.encode(errors="ignore")
    edges = sorted([0, len(payload), *(cut % (len(payload) + 1) for cut in cuts)])
    parts = [payload[a:b] for a, b in itertools.pairwise(edges)]
    data = b""
    for n, part in enumerate(parts):
        data += masked(CONT if n else TEXT, part, n == len(parts) - 1) + masked(PONG, b"")
    frames = decode(data)
    assert frames[-2:] == [(TEXT, payload), (PONG, b"")]
    assert frames[:-2] == [(CONT, b""), (PONG, b"")] * (len(parts) - 1)


def test_bytes_one_by_one() -> None:
    payload = "다섯".encode() * 30
    data = masked(TEXT, payload)
    assert decode(data, list(range(len(data)))) == [(TEXT, payload)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xc1\x80\0\0\0\0", 1002),
        (b"\xa1\x80\0\0\0\0", 1002),
        (b"\x91\x80\0\0\0\0", 1002),
        (b"\x83\x80\0\0\0\0", 1002),
        (b"\x8b\x80\0\0\0\0", 1002),
        (b"\x81\x00", 1002),
        (b"\x09\x80\0\0\0\0", 1002),
        (b"\x89\xfe\x00\x7e\0\0\0\0", 1002),
        (masked(CONT, b"x"), 1002),
        (masked(TEXT, b"x", False) + masked(TEXT, b"y"), 1002),
        (masked(TEXT, b"x", False) + masked(BINARY, b"y"), 1002),
        (masked(CLOSE, b"\x03"), 1002),
        (masked(CLOSE, b"\x03\xed"), 1002),
        (masked(CLOSE, b"\x00\x00"), 1002),
        (masked(CLOSE, b"\x13\x88"), 1002),
        (masked(CLOSE, b"\x03\xe8\xff"), 1007),
        (masked(TEXT, b"\xc0\xaf"), 1007),
        (masked(TEXT, b"\xed\xa0\x80"), 1007),
        (masked(TEXT, b"\xce", False) + masked(CONT, b"\xce", False), 1007),
        (masked(TEXT, b"\xce", False) + masked(CONT, b""), 1007),
        (masked(TEXT, b"x" * 401), 1009),
        # By its head alone: not one byte of it has come.
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 1009),
        (b"\x81\xfe\x01\x91", 1009),
        (masked(TEXT, b"x" * 300, False) + masked(CONT, b"y" * 101), 1009),
        (masked(BINARY, b"", False) + masked(CONT, b"", False) * 8, 1009),
        (masked(TEXT, b"", False) + masked(CONT, b"", False) * 7 + masked(CONT, b""), 1009),
    ],
    # Masks are random, and every worker must collect the same names.
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)
def test_a_violation_has_its_code(data: bytes, code: int) -> None:
    with pytest.raises(Violation) as broken:
        decode(data)
    assert broken.value.code == code
    assert broken.value.reason


def test_the_limits_hold_at_their_edge() -> None:
    assert decode(masked(TEXT, b"x" * 400)) == [(TEXT, b"x" * 400)]
    most = masked(TEXT, b"", False) + masked(CONT, b"", False) * 6 + masked(CONT, b"")
    assert decode(most + most) == [*[(CONT, b"")] * 7, (TEXT, b"")] * 2


def test_it_stops_where_the_caller_stops() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(masked(PING, b"") * 40_000)
    assert decoder.next() == (PING, b"")
    decoder.feed(b"")
    assert decoder.next() == (PING, b"")


def test_close_code() -> None:
    assert close_code(b"") == 1005
    assert close_code(b"\x0f\xa0bye") == 4000


FRAMES = st.builds(
    masked,
    st.sampled_from([CONT, TEXT, BINARY, PING, PONG]),
    st.one_of(
        st.binary(max_size=125), st.text(max_size=20).map(lambda t: t.encode("utf8", "replace"))
    ),
    st.booleans(),
)


@settings(max_examples=200)
@example(b"\x88\x84\x00\x80\xe4!\xe6\xe7\x00\x80", [])
@given(
    st.lists(st.one_of(FRAMES, st.binary(max_size=12)), max_size=6).map(b"".join),
    st.lists(st.integers(0, 2000), max_size=4),
)
def test_side_by_side_with_websockets(data: bytes, cuts: list[int]) -> None:
    """Both accept the same frames, and give the same code at the same place."""
    other = Protocol(Side.SERVER, max_size=LIMITS.max_message)
    other.receive_data(data)
    theirs: list[tuple[int, bytes]] = []
    parts: list[bytes] = []
    kind = CONT
    for event in other.events_received():
        assert isinstance(event, Frame)
        if event.opcode >= CLOSE:
            theirs.append((int(event.opcode), bytes(event.data)))
            continue
        if event.opcode != CONT:
            kind, parts = int(event.opcode), []
        parts.append(bytes(event.data))
        theirs.append((kind, b"".join(parts)) if event.fin else (CONT, b""))
    code = other.close_sent.code if other.parser_exc and other.close_sent else None

    decoder = Decoder(LIMITS)
    ours: list[tuple[int, bytes]] = []
    broken: int | None = None
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    try:
        for begin, end in itertools.pairwise(edges):
            decoder.feed(data[begin:end])
            while (item := decoder.next()) is not None:
                ours.append(item)
                if item[0] == CLOSE:
                    break
    except Violation as violation:
        broken = violation.code

    if broken == 1007:
        # Their text is checked by whoever receives the frames; ours stops at the first bad one.
        assert theirs[: len(ours)] == ours
        assert code in (None, 1002, 1007, 1009)
    elif ours and ours[-1][0] == CLOSE:
        assert theirs[: len(ours)] == ours
    else:
        # A false head is noticed before the rest of its frame has come, and before its size; a close
        # frame's false code before its reason, which is the one text that they check.
        assert ours == theirs
        assert broken == code or (broken == 1002 and code in (None, 1007, 1009))
