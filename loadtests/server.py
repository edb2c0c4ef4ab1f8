"""The server under load: `hanpan serve` as a process of its own on a free port of 127.0.0.1."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from loadtests import usage

RAISED = {
    "frames": 1_000_000,
    "frame_burst": 1_000_000,
    "guests_per_minute": 1_000_000,
    "joins_per_minute": 1_000_000,
    "per_address": 100_000,
    "connections": 100_000,
    "tables_per_player": 100_000,
    "heartbeat_ms": 3_600_000,
    "drain_ms": 100,
}
"""Limits that a crowd from one address at full speed needs raised, and a quick end; the rest is as
delivered."""

READY = "Hanpan listens on "
_HANPAN = str(Path(sys.executable).with_name("hanpan"))


class Server:
    """A running server; a context manager. pid: of its process; url: as `http://127.0.0.1:port`.

    settings: as the options of `hanpan serve`, e.g. `max_unsent=1000`.
    """

    def __init__(self, **settings: int | str) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="hanpan-load-"))
        self._log = (self._home / "log").open("wb")
        flags = []
        limits: dict[str, int | str] = {**RAISED, **settings}
        for name, value in limits.items():
            flags += ["--" + name.replace("_", "-"), str(value)]
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HANPAN_")}
        self._process = subprocess.Popen(
            [_HANPAN, "serve", "--port", "0", "--data", str(self._home / "data"), *flags],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=clean,
            text=True,
        )
        self.pid = self._process.pid
        self.url = self._listens()

    def _listens(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(READY):
                return line.removeprefix(READY).strip()
        raise RuntimeError(f"the server did not start: {self.log()}")

    @property
    def ways(self) -> list[tuple[str, str | None]]:
        """Where players connect, and who makes their tables if not the same server."""
        return [(self.url, None)]

    def log(self) -> str:
        """The end of what it wrote to stderr."""
        self._log.flush()
        return (self._home / "log").read_text()[-2_000:]

    def cpu_s(self) -> float:
        """CPU seconds of the process so far."""
        return usage.cpu_s(self.pid)

    def beside_s(self) -> float:
        """CPU seconds of what serves it: nothing does."""
        return 0.0

    def rss_kib(self) -> int:
        """Its resident memory in KiB."""
        return usage.rss_kib(self.pid)

    def record(self, match: str) -> bytes:
        """The full record of a finished match, as `hanpan record` writes it."""
        command = [_HANPAN, "record", match, "--data", str(self._home / "data")]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if kind is not None:
            print(self.log(), file=sys.stderr)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()
        shutil.rmtree(self._home, ignore_errors=True)
