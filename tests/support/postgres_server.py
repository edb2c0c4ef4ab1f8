"""A real PostgreSQL of a test's own: a fresh cluster on a free port of 127.0.0.1.

PostgreSQL refuses to run as root, so root starts it as the user `postgres`, or else `nobody`.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.needs import free_port, not_run

START_S = 30


class PostgresServer:
    """One running cluster. Every database in it is a test's own."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self._home = Path(tempfile.mkdtemp(prefix="hanpan-postgres-"))
        self._user = _user()
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def initialise(self) -> None:
        """Make the cluster's files."""
        if self._user is not None:
            os.chown(self._home, self._user, -1)
        initdb = (
            f"{self._binaries}/initdb -U hanpan -A trust -E UTF8 --locale=C --no-sync -D".split()
        )
        made = subprocess.run(
            [*initdb, f"{self._home}/data"],
            user=self._user,
            cwd=self._home,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode != 0:
            not_run(f"initdb failed: {made.stderr.strip()}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = (self._home / "log").open("ab")
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        settings += " -c fsync=off -c shared_buffers=16MB"
        self._process = subprocess.Popen(
            [f"{self._binaries}/postgres", "-D", f"{self._home}/data", *settings.split()],
            user=self._user,
            cwd=self._home,
            stdout=log,
            stderr=log,
        )
        log.close()
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        not_run(f"postgres did not start: {(self._home / 'log').read_text()[-2000:]}")

    def url(self, database: str) -> str:
        """The URL of a database in it."""
        return f"postgresql://hanpan@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = "test_" + secrets.token_hex(6)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
        return self.url(name)

    def stop(self) -> None:
        """End it, and every connection to it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(START_S)
            self._process = None

    def remove(self) -> None:
        """End it and delete its files."""
        self.stop()
        shutil.rmtree(self._home)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A running server; fails the test where PostgreSQL is not installed."""
    binaries = _binaries()
    if binaries is None:
        not_run("no PostgreSQL server here (initdb and postgres); .ci/setup installs it")
    server = PostgresServer(binaries)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        server.remove()


def _binaries() -> Path | None:
    on_path = shutil.which("initdb")
    places = [] if on_path is None else [Path(on_path).resolve().parent, Path(on_path).parent]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    return None


def _user() -> int | None:
    """Whom to start it as; None for whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    users = {each.pw_name: each.pw_uid for each in pwd.getpwall()}
    user = users.get("postgres", users.get("nobody"))
    if user is None:
        not_run("root cannot run PostgreSQL, and there is neither a user postgres nor nobody")
    return user
