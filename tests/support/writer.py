"""Runs `journal_writer` and reads what it says."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Writer:
    """The process, and what it has said so far."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        self._process = process
        self._output = output

    def lines(self) -> list[str]:
        """What it printed, whole lines only."""
        return [line for line in self._output.read_text().split("\n")[:-1] if line]

    def acked(self) -> dict[str, int]:
        """By table: the last number acknowledged. They must have come in order."""
        last: dict[str, int] = {}
        for line in self.lines():
            table, number, *refused = line.split()
            if not refused:
                assert int(number) == last.get(table, int(number) - 1) + 1, line
                last[table] = int(number)
        return last

    def refused(self) -> list[str]:
        """The errors it was answered."""
        return [line.split()[2] for line in self.lines() if "!" in line]

    def wait_for(self, count: int, refused: bool = False) -> None:
        """Wait until it printed that many more lines of a kind."""
        self.wait_until(self._count(refused) + count, refused)

    def wait_until(self, count: int, refused: bool = False) -> None:
        """Wait until it printed that many lines of a kind in all."""
        until = time.monotonic() + 20
        while self._count(refused) < count:
            assert self._process.poll() is None, "the writer ended by itself"
            assert time.monotonic() < until, self.lines()[-5:]
            time.sleep(0.01)

    def _count(self, refused: bool) -> int:
        return sum(("!" in line) == refused for line in self.lines())

    def pause(self) -> None:
        """Stop it in mid-flight."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()


@contextmanager
def writer(
    where: str,
    tables: int,
    output: Path,
    node: str = "writer",
    environment: dict[str, str] | None = None,
    prelude: str = "",
) -> Iterator[Writer]:
    """A running writer. where: a file or a Redis URL. prelude: Python that runs in it first."""
    program = f"{prelude}\nimport asyncio\nfrom tests.support.journal_writer import main\n"
    program += f"asyncio.run(main({where!r}, {tables}, {node!r}))"
    with output.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=sink, stderr=subprocess.STDOUT, env=environment
        )
    made = Writer(process, output)
    try:
        yield made
    finally:
        made.kill()
