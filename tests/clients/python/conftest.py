"""A fake server with one table, and a client at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from hanpan import Backoff, Client, connect
from hanpan.testing import FakeServer, FakeTable

Connect = Callable[..., Awaitable[Client]]


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(hand=["5", "5", "9"])


@pytest.fixture
async def server(table: FakeTable) -> AsyncIterator[FakeServer]:
    async with FakeServer(table) as made:
        yield made


@pytest.fixture
async def client(server: FakeServer) -> AsyncIterator[Client]:
    async with connect(server.url, token="secret", backoff=Backoff(0.005, 0.02)) as made:
        yield made


@pytest.fixture
async def connecting() -> AsyncIterator[Connect]:
    """Connects quickly and closes in the end."""
    made: list[Client] = []

    async def open_client(url: str, **fields: Any) -> Client:
        fields.setdefault("token", "secret")
        fields.setdefault("backoff", Backoff(0.005, 0.02))
        made.append(await connect(url, **fields))
        return made[-1]

    yield open_client
    for client in made:
        await client.close()


async def until(condition: Callable[[], object]) -> None:
    """Until the condition holds, at most ten seconds."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come about")
