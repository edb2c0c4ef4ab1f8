"""Tests of server/redis/client.py: repeats that we make, and none that we do not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from server.redis.client import again, client
from tests.support.proxy import Proxy
from tests.support.redis_server import RedisServer, redis_server


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


async def test_again_calls_until_there_is_an_answer() -> None:
    attempts: list[int] = []

    async def call(attempt: int) -> str:
        attempts.append(attempt)
        if attempt < 3:
            raise RedisConnectionError("away")
        return "there"

    assert await again(call, 5) == "there"
    assert attempts == [0, 1, 2, 3]


async def test_again_ends_in_time_with_the_last_error() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def call(attempt: int) -> None:
        raise OSError(f"away {attempt}")

    with pytest.raises(RedisError, match="away"):
        await again(call, 0.3)
    assert loop.time() - began < 0.5


async def test_an_answer_that_is_an_error_is_not_asked_for_again() -> None:
    attempts: list[int] = []

    async def call(attempt: int) -> None:
        attempts.append(attempt)
        raise ResponseError("OOM")

    with pytest.raises(ResponseError):
        await again(call, 5)
    assert attempts == [0]


async def test_nothing_is_sent_twice_behind_our_back(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.redis.client.ANSWER_S", 0.3)
    async with Proxy(server.port) as proxy:
        redis = client(proxy.url)
        await redis.set("count", 0)
        proxy.hold_replies = True
        with pytest.raises(RedisError):
            await redis.incr("count")
        proxy.hold_replies = False
        assert await redis.get("count") == b"1"
        await redis.aclose()


async def test_more_calls_than_connections_wait_for_their_turn(server: RedisServer) -> None:
    redis = client(server.url)
    await redis.set("count", 0)
    answers = await asyncio.gather(*(redis.incr("count") for _ in range(200)))
    assert sorted(answers) == list(range(1, 201))
    with server.client() as behind:
        assert len(behind.client_list()) <= 9
    await redis.aclose()


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
async def test_a_connection_that_just_ended_is_a_connection_error(scheme: str) -> None:
    """As uvloop says it, by a RuntimeError; nobody who repeats a call would have caught that."""
    made = client(f"{scheme}://127.0.0.1:1/0")
    make: Any = made.connection_pool.make_connection
    connection = make()
    connection._writer = writer = Mock()
    connection._reader = Mock()
    writer.writelines.side_effect = RuntimeError("the handler is closed")
    with pytest.raises(RedisConnectionError, match="the handler is closed"):
        await connection.send_packed_command([b"PING"], check_health=False)
    assert writer.close.called
    await made.aclose()
