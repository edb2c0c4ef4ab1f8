"""What a socket does, the same on every path: real servers, real `websockets` clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from server.transport.accept import Gate
from server.transport.address import parse_networks
from server.transport.base import Message, TransportLimits, clock
from tests.server.transport.harness import KINDS, Kind, Running, serving
from tests.server.transport.raw import connected, masked, opened, until

LIMITS = TransportLimits(close_timeout=500, per_address=3, faults_per_minute=0)


@pytest.fixture(scope="module", params=KINDS)
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    kind: Kind = request.param
    gate = Gate(LIMITS, origins=["https://hanpan.example"], trusted=parse_networks("127.0.0.1"))
    with serving(kind, gate) as server:
        yield server


@pytest.fixture(autouse=True)
async def fresh(running: Running) -> None:
    """Nothing is left of the test before."""
    await until(lambda: len(running.endpoint.gate.addresses) == 0)
    running.endpoint.received.clear()
    running.endpoint.closed.clear()
    assert running.endpoint.sockets == []


async def test_text_goes_both_ways_in_order(running: Running) -> None:
    async with connect(running.url) as client:
        before = clock()
        for text in ("한판", "", "x" * 16 * 1024):
            await client.send(text)
            assert await client.recv() == text
        await client.send("burst 500")
        assert [await client.recv() for _ in range(500)] == [str(n) for n in range(500)]
        stamps = [stamp for _, stamp in running.endpoint.received]
        assert before <= stamps[0] <= stamps[1] <= stamps[2] <= clock()


async def test_fragments_and_pings_are_none_of_the_endpoints_business(running: Running) -> None:
    async with connect(running.url) as client:
        await client.send(["한", "", "판"])
        await (await client.ping())
        assert await client.recv() == "한판"
    assert [payload for payload, _ in running.endpoint.received] == ["한판".encode()]


async def test_the_peers_close_is_answered_and_told_once(running: Running) -> None:
    async with connect(running.url) as client:
        await client.close(4321, "enough")
        assert client.close_code == 4321
    await until(lambda: running.endpoint.closed)
    await asyncio.sleep(0.05)
    assert len(running.endpoint.closed) == 1
    assert running.endpoint.sockets == []


async def test_close_says_what_was_gathered_then_why(running: Running) -> None:
    async with connect(running.url) as client:
        await client.send("close 4000 good bye")
        assert await client.recv() == "last words"
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert (client.close_code, client.close_reason) == (4000, "good bye")
    await until(lambda: running.endpoint.closed)
    assert running.endpoint.closed == [4000]


async def test_nothing_is_delivered_after_close(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(1, b"close 4000"), masked(1, b"too late"), masked(1, b"later"))
        assert await raw.frame() == (1, b"last words")
        assert await raw.close_code() == 4000
    await until(lambda: running.endpoint.closed)
    assert [payload for payload, _ in running.endpoint.received] == [b"close 4000"]


async def test_a_peer_that_does_not_answer_the_close_is_cut(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(1, b"close 4000"))
        begin = clock()
        await until(lambda: running.endpoint.closed)
        assert clock() - begin < 5_000
        assert running.endpoint.closed == [4000]


async def test_a_broken_line_is_told_once(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(masked(1, b"hello"))
        await raw.frame()
        raw.reset()
    await until(lambda: running.endpoint.closed)
    assert running.endpoint.closed[0] in (1005, 1006)
    assert len(running.endpoint.closed) == 1


async def test_a_half_closed_line_is_a_broken_one(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.writer.write_eof()
        await raw.end()
        await until(lambda: running.endpoint.closed)
    assert running.endpoint.closed[0] in (1005, 1006)


async def test_a_binary_message_ends_it_with_4002(running: Running) -> None:
    async with connect(running.url) as client:
        await client.send(b"binary")
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == 4002


async def test_a_message_above_the_limit_ends_it_with_1009(running: Running) -> None:
    async with connect(running.url) as client:
        await client.send("x" * (16 * 1024 + 1))
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == 1009
    assert running.endpoint.received == []


async def test_bad_text_ends_it_with_1007(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.CRITICAL, "uvicorn.error"):
        async with connected(running.port) as raw:
            raw.send(masked(1, b"\xff\xfe"))
            assert await raw.close_code() == 1007
    assert running.endpoint.received == []


async def test_too_fast_ends_it_with_4005_unanswered(running: Running) -> None:
    async with connected(running.port) as raw:
        raw.send(*[masked(1, str(n).encode()) for n in range(200)])
        assert await raw.close_code() == 4005
    await until(lambda: running.endpoint.closed)
    assert running.endpoint.closed == [4005]
    assert len(running.endpoint.received) == LIMITS.frame_burst


async def test_a_receiver_that_raises_costs_its_own_connection_only(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async with connect(running.url) as other, connect(running.url) as client:
        await client.send("raise")
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == 1011
        await other.send("still here")
        assert await other.recv() == "still here"
    assert "on purpose" in caplog.text


async def test_unsent_bytes_are_counted(running: Running) -> None:
    async with connect(running.url):
        await until(lambda: running.endpoint.sockets)
        (socket,) = running.endpoint.sockets

        def gather() -> list[object]:
            seen: list[object] = [socket.unsent, socket.is_open]
            socket.send(Message(b"x" * 100))
            seen.append(socket.unsent >= 100)
            return seen

        assert running.call(gather) == [0, True, True]
        await until(lambda: running.call(lambda: socket.unsent) == 0)


async def test_a_socket_that_nobody_keeps_is_closed_with_1011(running: Running) -> None:
    async with connect(f"ws://127.0.0.1:{running.port}/forgets") as client:
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code in (1011, 1006)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, None),
        (["hanpan.v1.json"], "hanpan.v1.json"),
        (["hanpan.v9.json", "hanpan.v1.json"], "hanpan.v1.json"),
    ],
)
async def test_version_one_is_spoken(
    running: Running, offered: list[Subprotocol] | None, chosen: str | None
) -> None:
    async with connect(running.url, subprotocols=offered) as client:
        assert client.subprotocol == chosen
        await client.send("hi")
        assert await client.recv() == "hi"


async def test_unknown_versions_only_are_told_so_with_4006(running: Running) -> None:
    offered = [Subprotocol("hanpan.v9.cbor"), Subprotocol("mqtt")]
    async with connect(running.url, subprotocols=offered) as client:
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == 4006
    await until(lambda: len(running.endpoint.gate.addresses) == 0)
    assert running.endpoint.closed == []


async def test_origins_are_narrowed_for_browsers_only(running: Running) -> None:
    async with connect(running.url, origin=Origin("https://HANPAN.example")) as client:
        await client.send("hi")
        assert await client.recv() == "hi"
    async with connect(running.url, origin=None) as client:
        await client.send("hi")
        assert await client.recv() == "hi"
    with pytest.raises(InvalidStatus) as refused:
        await connect(running.url, origin=Origin("https://evil.example"))
    assert refused.value.response.status_code == 403


async def test_an_address_has_so_many_sockets_and_no_more(running: Running) -> None:
    clients = [await connect(running.url) for _ in range(3)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(running.url)
    assert refused.value.response.status_code == 429
    other = {"X-Forwarded-For": "198.51.100.9"}
    async with connect(running.url, additional_headers=other):
        await until(lambda: len(running.endpoint.sockets) == 4)
        remotes = {socket.remote for socket in running.endpoint.sockets}
        assert remotes == {"127.0.0.1", "198.51.100.9"}
    await clients.pop().close()
    await until(lambda: len(running.endpoint.gate.addresses) == 2)
    clients.append(await connect(running.url))
    for client in clients:
        await client.close()


async def test_deflate_is_never_agreed_on(running: Running) -> None:
    async with connect(running.url, compression="deflate") as client:
        assert client.response is not None
        assert "Sec-WebSocket-Extensions" not in client.response.headers


async def test_plain_http_is_served_beside(running: Running) -> None:
    async with opened(running.port) as raw:
        for _ in range(2):
            raw.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = await asyncio.wait_for(raw.reader.readuntil(b"ok"), 10)
            assert answer.startswith(b"HTTP/1.1 200")
