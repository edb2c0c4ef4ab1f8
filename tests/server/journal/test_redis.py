"""Tests of server/journal/redis.py against real servers: the contract, leases, settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from server.journal.redis import RedisJournal
from tests.server.journal.contract import JournalContract
from tests.support.redis_server import KINDS, RedisServer, redis_server


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    with redis_server(request.param) as server:
        yield server


@pytest.fixture
async def journal(server: RedisServer) -> AsyncIterator[RedisJournal]:
    with server.client() as client:
        client.flushall()
    journal = RedisJournal(server.url)
    await journal.start()
    yield journal
    await journal.stop()


@pytest.fixture
async def other(server: RedisServer, journal: RedisJournal) -> AsyncIterator[RedisJournal]:
    """Another process's journal on the same server."""
    other = RedisJournal(server.url)
    await other.start()
    yield other
    await other.stop()


@pytest.fixture
async def published(server: RedisServer) -> AsyncIterator[list[tuple[str, bytes]]]:
    """What Redis published on the channels c and d."""
    seen: list[tuple[str, bytes]] = []
    with server.client() as client:
        listener = client.pubsub()
        listener.subscribe("hanpan:c", "hanpan:d")

        def listen() -> None:
            for message in listener.listen():
                if message["type"] == "message":
                    seen.append((message["channel"].decode()[7:], message["data"]))
                elif message["type"] == "unsubscribe" and message["data"] == 0:
                    return

        thread = asyncio.create_task(asyncio.to_thread(listen))
        await asyncio.sleep(0.02)
        yield seen
        listener.unsubscribe()
        await thread
        listener.close()


class TestContract(JournalContract):
    pass
