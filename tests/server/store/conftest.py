"""The store's kinds: every test that asks for `store` or `url` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store.store import Store
from tests.support.postgres_server import PostgresServer, postgres_server


class Clock:
    """A wall clock that stands until it is set."""

    def __init__(self) -> None:
        self.ms = 1_764_445_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/deep/hanpan.sqlite3"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
async def store(url: str, clock: Clock) -> AsyncIterator[Store]:
    store = Store(url, clock)
    await store.start()
    yield store
    await store.stop()
