"""Tests of server/redis/wire.py against a real server, and against one of the test's own that lies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from server.redis.address import Address, address
from server.redis.wire import Reply, ReplyError, Wire, connect
from tests.support.needs import free_port
from tests.support.redis_server import RedisServer, redis_server


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


class Heard:
    """What a wire said."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.lost: list[Exception | None] = []

    async def connect(self, where: Address, within: float = 2.0) -> Wire:
        return await connect(where, self.replies.append, self.lost.append, within)

    async def count(self, count: int) -> list[Reply]:
        async with asyncio.timeout(5):
            while len(self.replies) < count:  # noqa: ASYNC110 - a callback fills it
                await asyncio.sleep(0.001)
        return self.replies


async def test_replies_come_in_the_order_of_the_commands(server: RedisServer) -> None:
    heard = Heard()
    wire = await heard.connect(address(server.url))
    wire.send([("SET", "k", b"\x00\xff"), ("GET", "k")])
    wire.send(
        [("GET", "nothing"), ("INCR", "k"), ("RPUSH", "l", 1, "zwei"), ("LRANGE", "l", 0, -1)]
    )
    replies = await heard.count(6)
    assert replies[:3] == [b"OK", b"\x00\xff", None]
    assert isinstance(replies[3], ReplyError)
    assert replies[4:] == [2, [b"1", b"zwei"]]
    wire.close()
    wire.close()
    wire.send([("PING",)])
    await asyncio.sleep(0.02)
    assert (len(heard.replies), heard.lost, wire.unsent) == (6, [], 0)


async def test_an_end_from_the_other_side_is_told_once(server: RedisServer) -> None:
    heard = Heard()
    wire = await heard.connect(address(server.url))
    wire.send([("QUIT",)])
    await heard.count(1)
    async with asyncio.timeout(5):
        while not heard.lost:  # noqa: ASYNC110 - a callback fills it
            await asyncio.sleep(0.001)
    wire.send([("PING",)])
    wire.close()
    assert len(heard.lost) == 1


async def test_the_database_and_the_password_of_the_url_are_used(server: RedisServer) -> None:
    with server.client() as client:
        client.config_set("requirepass", "p@ss")
        try:
            heard = Heard()
            wire = await heard.connect(address(f"redis://:p%40ss@127.0.0.1:{server.port}/3"))
            wire.send([("SET", "only", "here"), ("DBSIZE",)])
            assert (await heard.count(2))[1] == 1
            wire.close()
            for url in (server.url, f"redis://:wrong@127.0.0.1:{server.port}"):
                with pytest.raises(OSError, match=r"NOAUTH|WRONGPASS"):
                    await Heard().connect(address(url))
        finally:
            client.config_set("requirepass", "")


async def test_nobody_there_is_an_os_error() -> None:
    with pytest.raises(OSError):
        await Heard().connect(Address(port=free_port()))


class Liar(asyncio.Protocol):
    """A server's side that answers whatever comes with `answer`; without one it closes at once."""

    answer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if not self.answer:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.answer)

    def eof_received(self) -> None:
        self.transport.abort()


@asynccontextmanager
async def liar(answer: bytes) -> AsyncIterator[Address]:
    """Where the server is that answers with these bytes."""
    kind = type("Liar", (Liar,), {"answer": answer})
    server = await asyncio.get_running_loop().create_server(kind, "127.0.0.1", 0)
    async with server:
        yield Address(port=server.sockets[0].getsockname()[1])
    await asyncio.sleep(0.01)  # its sides end with those of the clients


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "closed|reset"),
        (b"-LOADING Redis is loading the dataset in memory\r\n", "LOADING"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "(?i)protocol"),
        (b":0", "does not answer"),
    ],
)
async def test_something_else_there_is_an_os_error(answer: bytes, why: str) -> None:
    async with liar(answer) as where:
        with pytest.raises(OSError, match=why):
            await Heard().connect(where, within=0.3)


async def test_garbage_later_ends_the_connection() -> None:
    async with liar(b":0\r\n") as where:
        heard = Heard()
        wire = await heard.connect(where)
        wire.data_received(b"\x00garbage\r\n")
        wire.data_received(b":1\r\n")
        assert (heard.replies, len(heard.lost), wire.unsent) == ([], 1, 0)
