"""The database behind the store: its engine, its migrations, and the threads that wait for it.

The URL says which: `sqlite:///file` (one host) or `postgresql://…` (psycopg). Statements are
synchronous and run in a few threads of their own; nothing here waits on the event loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.store.models import StoreError, StoreUnavailable

T = TypeVar("T")
MIGRATIONS = Path(__file__).parent / "migrations"
THREADS = 4
WAIT_S = 5
"""How long a locked file, a connection or a free place in the pool is waited for."""
MIGRATION_LOCK = 0x68616E70616E
"""PostgreSQL's advisory lock while one process of several brings the database up to date."""


class Database:
    """Runs functions of a connection in a transaction each."""

    def __init__(self, url: str) -> None:
        """Raises StoreError for a URL that names no database we know."""
        self.url = _url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = _sqlite(self.url) if self.sqlite else _postgresql(self.url)
        self._threads: ThreadPoolExecutor | None = None

    async def start(self) -> None:
        """Bring the database up to date. Raises StoreError with a sentence for an operator."""
        self._threads = ThreadPoolExecutor(THREADS, "store")
        try:
            if self.sqlite and self.url.database:
                Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            await self.write(self._migrate)
        except (CommandError, OSError) as error:
            await self.stop()
            raise StoreError(
                f"The database {self} cannot be brought up to date: {error}"
            ) from error
        except BaseException:
            await self.stop()
            raise

    def _migrate(self, connection: Connection) -> None:
        if not self.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    async def stop(self) -> None:
        """Finish what is running and close every connection."""
        if self._threads is not None:
            threads, self._threads = self._threads, None
            await asyncio.to_thread(threads.shutdown)
        self._engine.dispose()

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds. Raises StoreUnavailable."""
        return await self._run(work, write=False)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction. Raises StoreUnavailable, or IntegrityError for a value that
        must be the only one."""
        return await self._run(work, write=True)

    async def _run(self, work: Callable[[Connection], T], write: bool) -> T:
        if self._threads is None:
            raise StoreUnavailable("The database is closed.")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._transaction, work, write)
        except IntegrityError:
            raise
        except (DBAPIError, PoolTimeout) as error:
            why = str(getattr(error, "orig", None) or error).strip()
            raise StoreUnavailable(f"The database {self} does not answer: {why}") from error

    def _transaction(self, work: Callable[[Connection], T], write: bool) -> T:
        with self._engine.connect() as connection:
            connection.execution_options(hanpan_write=write)
            with connection.begin():
                return work(connection)

    def __str__(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)


def _url(url: str) -> URL:
    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError(
            "The database URL is none; it begins with sqlite:/// or postgresql://."
        ) from error
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise StoreError(
            f"There is no support for {parsed.drivername}; use sqlite:/// or postgresql://."
        )
    if parsed.drivername == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError("The database needs a file: sqlite:///data/hanpan.sqlite3.")
    return parsed


def _postgresql(url: URL) -> Engine:
    # Asked before use: a connection that died with the server is replaced, not reported.
    options = {} if "connect_timeout" in url.query else {"connect_timeout": WAIT_S}
    return create_engine(
        url, pool_size=THREADS, pool_timeout=WAIT_S, pool_pre_ping=True, connect_args=options
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, pool_size=THREADS, connect_args={"timeout": WAIT_S})

    # sqlite3's own opening of transactions is switched off, so that a writer begins as one: an upgrade
    # from reading fails at once when another writer was there.
    @event.listens_for(engine, "connect")
    def connect(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("hanpan_write", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine
