"""Tests of server/journal/lock.py: one holder, and none once it has ended."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from server.journal.lock import FileLock


def test_one_holds_it_until_it_lets_go(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "j"), FileLock(tmp_path / "j")
    assert one.take()
    assert not other.take()
    one.release()
    one.release()
    assert other.take()
    other.release()


def test_it_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from server.journal.lock import FileLock\n"
        "lock = FileLock(Path(sys.argv[1])); print(lock.take(), flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "j")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        lock = FileLock(tmp_path / "j")
        assert not lock.take()
        holder.kill()
        holder.wait()
    assert lock.take()
    lock.release()


def test_a_place_where_nothing_can_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error):
        FileLock(tmp_path / "missing" / "j").take()
