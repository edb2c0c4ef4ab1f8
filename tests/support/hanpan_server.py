"""A real `hanpan serve` of a test's own: a process on a port of its own, with a data folder of its own.

It stays on that port through kills and restarts. The port lies below the range that the system gives to
clients: a client that dials a port of that range while nobody listens may be connected to itself.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.nursery import NURSERY, Child

START_S = 60.0
STOP_S = 20.0
PORTS = range(20_000, 32_000)
READY = "Hanpan listens on "


class HanpanServer:
    """One server process, or none while it is killed.

    data: its folder. settings: as the fields of server/settings.py, e.g. `frames=1000`. environment: of
    the process beside what this one has; with LD_PRELOAD in it the server starts from a bare Python.
    """

    def __init__(
        self,
        data: Path,
        environment: dict[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self.data = data
        self.settings = settings
        self.port = quiet_port()
        self._environment = environment or {}
        self._out = data.with_name(data.name + ".out")
        self._err = data.with_name(data.name + ".err")
        self._process: subprocess.Popen[bytes] | Child | None = None

    # -- life -------------------------------------------------------------------------------------
    def start(self) -> None:
        """Start it (again) on the same port and folder, and wait until it listens."""
        self.launch()
        self.listens()

    def listens(self) -> None:
        """Wait until a launched one listens."""
        until = time.monotonic() + START_S
        while READY not in self._out.read_text():
            assert self._process is not None
            code = self._process.poll()
            if code is not None or time.monotonic() > until:
                self.kill()
                last = self._err.read_text()[-3000:]
                raise AssertionError(f"the server did not start, exit code {code}: {last}")
            time.sleep(0.01)

    def launch(self) -> None:
        """As `start`, without waiting."""
        assert self._process is None, "it runs already"
        command = ["serve", *self._flags()]
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HANPAN_")}
        environment = {**clean, **self._environment}
        if "LD_PRELOAD" not in self._environment:
            out, err = str(self._out), str(self._err)
            self._out.write_bytes(b"")
            self._process = NURSERY.start(command, out, err, environment)
            return
        with self._out.open("wb") as out_file, self._err.open("ab") as err_file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server.cli.main", *command],
                stdout=out_file,
                stderr=err_file,
                env=environment,
                start_new_session=True,
            )

    def _flags(self) -> list[str]:
        flags = ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        for name, value in self.settings.items():
            flag = "--" + name.replace("_", "-")
            flags += [flag] if value is True else [flag, str(value)]
        return flags

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9; no error if it has ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self, timeout: float = STOP_S) -> float:
        """SIGTERM, and how many seconds it then took; its exit code must be 0."""
        self.signal(signal.SIGTERM)
        return self.ended(timeout)

    def ended(self, timeout: float = STOP_S, code: int = 0) -> float:
        """Wait for its end, with this exit code (negative: a signal); how many seconds that took."""
        assert self._process is not None
        began = time.monotonic()
        try:
            found = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not end within {timeout} s") from None
        self._process = None
        assert found == code, f"exit code {found}: {self._err.read_text()[-3000:]}"
        return time.monotonic() - began

    # -- where it is, what it uses ----------------------------------------------------------------
    @property
    def url(self) -> str:
        """As the SDK and HTTP clients take it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        """Its WebSocket endpoint."""
        return f"ws://127.0.0.1:{self.port}/v1/ws"

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    def memory_kib(self) -> int:
        """Resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if "VmRSS" in line))

    # -- what it logged ---------------------------------------------------------------------------
    @property
    def log_text(self) -> str:
        """Everything on stderr, of all its processes so far."""
        return self._err.read_text() if self._err.exists() else ""

    def log(self) -> list[dict[str, Any]]:
        """The log's lines; one that is no JSON object comes as {"level": "error", "event": line}."""
        return [_line(text) for text in self.log_text.splitlines() if text.strip()]

    def check_log(self, allowed: Sequence[str] = ()) -> None:
        """No line is an error, but events that the test provokes, by how they begin."""
        bad = [
            line
            for line in self.log()
            if str(line.get("level")).lower() in ("error", "critical")
            and not str(line.get("event")).startswith(tuple(allowed))
        ]
        assert not bad, f"{len(bad)} errors in the server's log, the first: {bad[:3]}"

    def remove(self) -> None:
        """Kill it and delete its files."""
        self.kill()
        shutil.rmtree(self.data, ignore_errors=True)
        self._out.unlink(missing_ok=True)
        self._err.unlink(missing_ok=True)


@contextmanager
def hanpan_server(
    environment: dict[str, str] | None = None,
    allowed: Sequence[str] = (),
    data: Path | None = None,
    **settings: Any,
) -> Iterator[HanpanServer]:
    """A running server; at the end of the block its log must hold no error but the allowed events.

    data: its folder, if it must be a certain one.
    """
    folder = Path(tempfile.mkdtemp(prefix="hanpan-server-"))
    server = HanpanServer(data or folder / "data", environment, **settings)
    try:
        server.start()
        yield server
        server.check_log(allowed)
    finally:
        server.remove()
        shutil.rmtree(folder, ignore_errors=True)


def quiet_port() -> int:
    """A free TCP port of 127.0.0.1 that the system gives to no client by itself."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def _line(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"level": "error", "event": text}
