"""The fast socket on a transport that only notes what is done to it (the wire is in test_behaviour)."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from server.transport.base import Message, TransportLimits, close_frame, frame
from server.transport.fast import _POLITE, _REST_S, Detached, FastSocket
from server.transport.flusher import Flusher
from tests.server.transport.raw import masked

LIMITS = TransportLimits(max_unsent=1_000, close_timeout=50)


class Line(asyncio.Transport):
    """A transport that keeps what it is given while `stuck`, and calls back as the real ones do."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.stuck = False
        self.tls = False
        self.read: list[str] = []
        self.kept = 0
        self.high = 0
        self.done: list[str] = []
        self.protocol: FastSocket | None = None

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.high = high or 0

    def write(self, data: Any) -> None:
        assert not self.done
        self.writes.append(data)
        if self.stuck:
            self.kept += len(data)
            if self.kept > self.high and self.protocol is not None:
                protocol, self.protocol = self.protocol, None
                protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return self.kept

    def can_write_eof(self) -> bool:
        return not self.tls

    def write_eof(self) -> None:
        self.done.append("eof")

    def close(self) -> None:
        self.done.append("close")

    def abort(self) -> None:
        self.done.append("abort")

    def pause_reading(self) -> None:
        self.read.append("not")

    def resume_reading(self) -> None:
        self.read.append("again")

    def is_closing(self) -> bool:
        return "close" in self.done or "abort" in self.done


class Ears:
    """What the endpoint hears."""

    def __init__(self, socket: FastSocket) -> None:
        self.messages: list[bytes] = []
        self.codes: list[int] = []
        socket.on_message = lambda payload, stamp: self.messages.append(payload)
        socket.on_close = self.codes.append


def made(limits: TransportLimits = LIMITS) -> tuple[FastSocket, Line, Ears]:
    lost: list[FastSocket] = []
    socket = FastSocket("203.0.113.7", limits, Flusher(), lost.append)
    line = Line()
    line.protocol = socket
    socket.connection_made(line)
    return socket, line, Ears(socket)


async def turn() -> None:
    await asyncio.sleep(0)


async def test_a_turn_is_written_once() -> None:
    socket, line, _ = made()
    first, second = Message(b"one"), Message(b"two")
    socket.send(first)
    socket.send(second)
    assert line.writes == []
    assert socket.unsent == len(first.wire + second.wire)
    await turn()
    assert line.writes == [first.wire + second.wire]
    assert socket.unsent == 0
    await turn()
    assert len(line.writes) == 1


async def test_a_single_message_is_written_without_a_copy() -> None:
    socket, line, _ = made()
    message = Message(b"one")
    socket.send(message, bulk=True)
    await turn()
    assert line.writes[0] is message.wire


async def test_bulk_and_the_rest_keep_their_order_in_one_socket() -> None:
    socket, line, _ = made()
    socket.send(Message(b"audience"), bulk=True)
    socket.send(Message(b"player"))
    await turn()
    assert line.writes == [frame(1, b"audience") + frame(1, b"player")]


async def test_pongs_go_with_what_is_gathered() -> None:
    socket, line, _ = made()
    socket.send(Message(b"one"))
    socket.data_received(masked(9, b"p"))
    await turn()
    assert line.writes == [frame(1, b"one") + frame(10, b"p")]


async def test_close_flushes_and_is_final() -> None:
    socket, line, ears = made()
    socket.send(Message(b"one"))
    socket.close(4000, "bye")
    assert line.writes == [frame(1, b"one"), close_frame(4000, "bye")]
    socket.send(Message(b"two"))
    socket.close(4001)
    socket.data_received(masked(1, b"late"))
    await turn()
    assert len(line.writes) == 2
    assert not socket.is_open
    socket.data_received(masked(8, b"\x0f\xa0"))
    assert line.done == ["close"]
    socket.connection_lost(None)
    assert ears.codes == [4000]
    assert ears.messages == []


async def test_without_an_answer_the_line_is_cut() -> None:
    socket, line, ears = made()
    socket.close(4000)
    assert line.done == []
    await asyncio.sleep(0.1)
    assert line.done == ["abort"]
    socket.connection_lost(None)
    assert ears.codes == [4000]


async def test_the_peers_close_is_echoed_after_what_was_gathered() -> None:
    socket, line, ears = made()
    socket.send(Message(b"one"))
    socket.data_received(masked(8, b"\x10\xe1why") + masked(1, b"more"))
    assert line.writes == [frame(1, b"one"), frame(8, b"\x10\xe1why")]
    assert line.done == ["close"]
    socket.connection_lost(None)
    assert ears.codes == [4321]
    assert ears.messages == []


async def test_too_much_in_the_transport_closes_as_too_slow() -> None:
    socket, line, ears = made()
    line.stuck = True
    for _ in range(3):
        socket.send(Message(b"x" * 400))
        await turn()
    assert not socket.is_open
    assert line.writes[-1] == close_frame(4007, "too slow")
    assert line.done == ["eof"]
    await asyncio.sleep(0.1)
    assert line.done == ["eof", "abort"]
    socket.connection_lost(None)
    assert ears.codes == [4007]


async def test_much_at_once_is_written_early_and_not_too_slow() -> None:
    socket, line, _ = made()
    for _ in range(100):
        socket.send(Message(b"x" * 400))
        assert socket.unsent <= 1_000 + 402
    await turn()
    assert socket.is_open
    assert b"".join(line.writes) == frame(1, b"x" * 400) * 100


async def test_much_at_once_into_a_stuck_line_is_too_slow() -> None:
    socket, line, _ = made()
    line.stuck = True
    for _ in range(5):
        socket.send(Message(b"x" * 400))
    assert not socket.is_open
    assert line.writes[-1] == close_frame(4007, "too slow")


async def test_a_violation_is_named_and_the_rest_discarded() -> None:
    socket, line, ears = made()
    socket.data_received(masked(1, b"fine") + b"\xff\xff" + masked(1, b"not read"))
    assert ears.messages == [b"fine"]
    assert line.writes[-1][:4] == b"\x88" + line.writes[-1][1:2] + (1002).to_bytes(2)
    assert line.done == ["eof"]
    socket.data_received(masked(1, b"not read"))
    assert ears.messages == [b"fine"]
    for _ in range(20):
        socket.data_received(bytes(65_536))
    assert "abort" in line.done


async def test_who_floods_on_after_a_violation_is_read_in_gulps() -> None:
    socket, line, _ = made(msgspec.structs.replace(LIMITS, close_timeout=10_000))
    socket.data_received(b"\xff\xff")
    socket.data_received(masked(8, b""))
    assert line.read == [], "whoever answers the end is heard at once"
    socket.data_received(bytes(_POLITE))
    assert line.read == ["not"]
    async with asyncio.timeout(5):
        while line.read == ["not"]:  # noqa: ASYNC110  # a timer of the socket ends it
            await asyncio.sleep(0.01)
    socket.data_received(b"more")
    assert line.read == ["not", "again", "not"]
    socket.abort()
    await asyncio.sleep(1.5 * _REST_S)
    assert line.read[3:] == [], "a line that is cut is left alone"


async def test_under_tls_a_violation_ends_the_line_at_once() -> None:
    """TLS has no half-closed lines."""
    socket, line, _ = made()
    line.tls = True
    socket.data_received(b"\xff\xff")
    assert len(line.writes) == 1
    assert line.done == ["close"]


async def test_a_receiver_may_close_in_mid_read() -> None:
    socket, line, ears = made()
    socket.on_message = lambda payload, stamp: socket.close(4000)
    socket.data_received(masked(1, b"a") + masked(1, b"b") + masked(8, b"\x0f\xa0"))
    assert line.writes == [close_frame(4000)]
    assert line.done == ["close"]
    socket.connection_lost(None)
    assert ears.codes == [4000]


async def test_what_is_held_is_released_before_the_end_is_told() -> None:
    socket, _, _ = made()
    told: list[object] = []
    socket.hold(lambda code: told.append("released"))
    socket.on_close = told.append
    socket.connection_lost(ConnectionResetError())
    socket.connection_lost(None)
    assert told == ["released", 1006]


async def test_an_end_that_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    socket, _, _ = made()

    def fail(code: int) -> None:
        raise LookupError("on purpose")

    socket.on_close = fail
    socket.connection_lost(None)
    assert "on purpose" in caplog.text


async def test_after_the_end_everything_is_quiet() -> None:
    socket, line, _ = made()
    socket.send(Message(b"one"))
    socket.connection_lost(None)
    socket.send(Message(b"two"))
    socket.close(4000)
    socket.shutdown()
    await turn()
    assert line.writes == []
    assert socket.unsent == 0


async def test_uvicorns_stop_closes_as_draining() -> None:
    socket, line, _ = made()
    socket.shutdown()
    assert line.writes == [close_frame(4001, "draining")]


async def test_the_end_of_the_call_closes_what_was_not_kept() -> None:
    socket, line, _ = made()
    Detached(socket).close()
    assert line.writes == [close_frame(1011)]
    kept, line, _ = made()
    await kept.run()
    stand_in = Detached(kept)
    assert stand_in.is_closing()
    stand_in.write(b"nowhere")
    stand_in.close()
    assert line.writes == []
    assert kept.is_open
