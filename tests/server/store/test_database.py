"""Tests of server/store/database.py: migrations, URLs, and a database that is away."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from server.store.database import MIGRATIONS, Database
from server.store.models import StoreError, StoreUnavailable
from server.store.schema import metadata
from server.store.store import Store
from tests.support.postgres_server import postgres_server


async def test_the_migrations_lead_to_the_schema(url: str) -> None:
    database = Database(url)
    await database.start()

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    assert await database.read(differences) == []
    await database.stop()


async def test_several_processes_may_start_at_once(url: str) -> None:
    stores = [Store(url) for _ in range(4)]
    await asyncio.gather(*(store.start() for store in stores))
    player, token = await stores[0].guest(None, "en")
    assert await stores[3].identify(token) == player
    for store in stores:
        await store.stop()


async def test_a_database_of_a_later_version_is_refused_untouched(url: str) -> None:
    database = Database(url)
    await database.start()
    await database.write(
        lambda connection: connection.execute(
            text("UPDATE alembic_version SET version_num = '9999'")
        )
    )
    await database.stop()
    with pytest.raises(StoreError, match="cannot be brought up to date"):
        await Database(url).start()


async def test_a_failed_transaction_leaves_nothing(url: str) -> None:
    database = Database(url)
    await database.start()

    def half(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half (id INTEGER)"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(half)
    with pytest.raises(StoreUnavailable):
        await database.read(lambda connection: connection.execute(text("SELECT * FROM half")))
    await database.stop()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "begins with"),
        ("nonsense", "begins with"),
        ("mysql://localhost/x", "no support|begins with"),
        ("oracle://localhost/x", "no support|begins with"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_a_url_that_cannot_work_gets_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        Database(url)


def test_a_password_is_never_shown() -> None:
    assert "secret" not in str(Database("postgresql://hanpan:secret@127.0.0.1/hanpan"))


async def test_a_locked_sqlite_file_is_unavailable_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.database.WAIT_S", 0.1)
    store = Store(f"sqlite:///{tmp_path}/hanpan.sqlite3")
    await store.start()
    other = sqlite3.connect(tmp_path / "hanpan.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await store.guest(None, "en")
    other.execute("ROLLBACK")
    other.close()
    await store.guest(None, "en")
    await store.stop()


async def test_a_directory_that_cannot_be_made_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be brought up to date"):
        await Database(f"sqlite:///{tmp_path}/file/hanpan.sqlite3").start()


async def test_postgresql_may_go_away_and_come_back() -> None:
    with postgres_server() as server:
        store = Store(server.new_database())
        await store.start()
        player, token = await store.guest("민지", "ko")
        server.stop()
        with pytest.raises(StoreUnavailable):
            await store.identify(token)
        with pytest.raises(StoreUnavailable):
            await store.ready()
        server.start()
        assert await store.identify(token) == player
        await store.stop()


def test_the_migrations_lie_inside_the_package() -> None:
    assert (MIGRATIONS / "env.py").is_file()
    assert MIGRATIONS.parent.name == "store"
    assert sorted((MIGRATIONS / "versions").glob("v*.py"))
