"""What is known to hurt WebSocket servers, done to ours over raw sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect

from server.transport.accept import Gate
from server.transport.base import Message, TransportLimits, clock
from tests.server.transport.harness import FAST, Kind, Running, serving
from tests.server.transport.raw import HANDSHAKE, connected, masked, opened, until

LIMITS = TransportLimits(close_timeout=500, handshake_timeout=500, faults_per_minute=0)


@pytest.fixture(scope="module", params=FAST)
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    kind: Kind = request.param
    with serving(kind, Gate(LIMITS)) as server:
        yield server


@pytest.fixture(autouse=True)
async def unhurt(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    """Every attack starts from nothing."""
    await until(lambda: len(running.endpoint.gate.addresses) == 0)
    running.endpoint.received.clear()
    running.endpoint.closed.clear()


def resident() -> int:
    """Bytes of this process in memory (the server is one of its threads)."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def others_are_served(running: Running) -> None:
    async with connect(running.url) as client:
        begin = clock()
        await client.send("still here")
        assert await asyncio.wait_for(client.recv(), 5) == "still here"
        assert clock() - begin < 1_000


async def test_a_ping_flood_is_cut_at_the_cap(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(9, b"p" * 125) * 20_000)
        pongs = 0
        while (frame := await asyncio.wait_for(raw.frame(), 10))[0] == 10:
            pongs += 1
        assert frame[0] == 8
        assert int.from_bytes(frame[1][:2]) == 4005
        assert pongs == LIMITS.control_burst
        await raw.end()
    await others_are_served(running)


async def test_a_pong_flood_is_cut_too(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(10) * 100)
        assert await raw.close_code() == 4005


async def test_pings_of_clients_that_never_read_cost_no_memory(running: Running) -> None:
    before = resident()
    flood = masked(9, b"p" * 125) * 500
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(20):
            raw = await stack.enter_async_context(connected(running.port, receive_buffer=4096))
            raw.stop_reading()
            raw.send(flood)
        await until(lambda: len(running.endpoint.closed) == 20)
        assert set(running.endpoint.closed) == {4005}
        assert resident() - before < 16 << 20
    await others_are_served(running)


async def test_empty_continuation_frames_are_counted(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(1, b"x", False), masked(0, b"", False) * 10_000)
        assert await raw.close_code() in (1009, 4005)
    assert running.endpoint.received == []
    await others_are_served(running)


async def test_slow_fragments_end_at_the_fragment_cap() -> None:
    limits = TransportLimits(frame_rate=10_000, frame_burst=10_000, faults_per_minute=0)
    with serving("fast-uvloop", Gate(limits)) as running:
        async with connected(running.port) as raw:
            raw.send(masked(1, b"x", False), masked(0, b"", False) * limits.max_fragments)
            assert await raw.close_code() == 1009


async def test_a_fragmented_message_is_limited_as_a_whole(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(1, b"x" * 9_000, False), masked(0, b"x" * 9_000))
        assert await raw.close_code() == 1009
    assert running.endpoint.received == []


async def test_a_huge_announcement_is_refused_by_its_head(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0")
        assert await raw.close_code() == 1009


async def test_a_flood_after_the_close_is_cut(running: Running) -> None:
    """The close frame arrives although the peer goes on sending; then the line ends."""
    async with connected(running.port) as raw:
        raw.send(b"\xff" * 64)
        begin = clock()
        junk = b"\xff" * 65_536
        while not running.endpoint.closed and clock() - begin < 5_000:
            raw.send(junk)
            await asyncio.sleep(0)
        assert running.endpoint.closed == [1002]
    await others_are_served(running)


async def test_a_reader_that_stops_is_closed_as_too_slow(running: Running) -> None:
    async with connected(running.port, receive_buffer=4096) as raw:
        raw.stop_reading()
        await until(lambda: running.endpoint.sockets)
        (socket,) = running.endpoint.sockets
        message = Message(b"x" * 16_000)
        sent = 0
        while running.call(lambda: socket.is_open):
            running.call(lambda: socket.send(message))
            assert running.call(lambda: socket.unsent) <= LIMITS.max_unsent + 2 * 16_004
            sent += 1
            assert sent * 16_000 < 1 << 20
        await until(lambda: running.endpoint.closed)
        assert running.endpoint.closed == [4007]


async def test_a_slow_reader_that_goes_on_reads_why(running: Running) -> None:
    async with connected(running.port, receive_buffer=4096) as raw:
        await until(lambda: running.endpoint.sockets)
        (socket,) = running.endpoint.sockets
        message = Message(b"x" * 16_000)

        def stuff() -> None:
            while socket.is_open:
                socket.send(message)

        running.call(stuff)
        assert await raw.close_code() == 4007


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"G",
        b"GET /v1/ws HTTP/1.1\r\nHost: x\r\nUpgr",
        HANDSHAKE.encode(),
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
    ],
    ids=["nothing", "a letter", "half a header", "no blank line", "half a body"],
)
async def test_half_a_request_has_a_deadline(running: Running, head: bytes) -> None:
    begin = clock()  # before the server can have accepted
    async with opened(running.port) as raw:
        raw.send(head)
        await raw.end()
        assert -50 <= clock() - begin - LIMITS.handshake_timeout < 2_000


async def test_data_before_the_handshakes_answer_is_refused(running: Running) -> None:
    async with opened(running.port) as raw:
        raw.send((HANDSHAKE + "\r\n").encode())
        raw.send(masked(1, b"early") * 3)
        await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), 10)
        # In one read with the request it is dropped by uvicorn, in a read of its own it is a violation,
        # after the answer it is a message: never a wrong one.
        raw.send(masked(8, b"\x03\xe8"))
        await raw.end()
    assert {payload for payload, _ in running.endpoint.received} <= {b"early"}


async def test_random_bytes_never_reach_the_log(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    dice = random.Random(7)
    for _ in range(60):
        async with connected(running.port) as raw:
            junk = bytearray(masked(1, dice.randbytes(dice.randrange(200))))
            for _ in range(dice.randrange(4)):
                junk[dice.randrange(len(junk))] = dice.randrange(256)
            raw.send(bytes(junk), dice.randbytes(dice.randrange(64)))
            raw.writer.write_eof()
            await raw.end()
    assert [record.getMessage() for record in caplog.records] == []
    await others_are_served(running)


async def test_resets_in_mid_message_leave_nothing(running: Running) -> None:
    for _ in range(50):
        async with connected(running.port) as raw:
            raw.send(masked(1, b"x" * 10_000)[:5_000])
            raw.reset()
    await until(lambda: len(running.endpoint.closed) == 50)
    await until(lambda: not running.server.server_state.connections)
    assert set(running.endpoint.closed) <= {1005, 1006}
