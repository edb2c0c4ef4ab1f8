"""A server of one's own for the length of a command, in a process beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

READY = "Hanpan listens on "
STOP_S = 15


class CannotServe(Exception):
    """The server did not start; the message says why."""


class Embedded:
    """`hanpan serve` as a child; leaves when the block ends. Its log goes to a file in the data folder."""

    def __init__(self, data: Path, port: int, flags: Sequence[str] = ()) -> None:
        self._data = data
        self._flags = ["--data", str(data), "--port", str(port), *flags]
        self.url = ""

    def __enter__(self) -> Embedded:
        self._data.mkdir(parents=True, exist_ok=True)
        log = self._data / "server.log"
        with log.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server.cli.main", "serve", *self._flags],
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                text=True,
                # Ctrl-C in the terminal is for the player's client, not for the server.
                start_new_session=os.name == "posix",
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(READY):
                self.url = line.removeprefix(READY).strip()
                return self
        self._process.wait()
        lines = log.read_text().strip().splitlines()
        raise CannotServe(lines[-1] if lines else "The server ended without a word.")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
