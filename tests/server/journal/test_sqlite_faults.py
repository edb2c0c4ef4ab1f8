"""Tests of server/journal/sqlite.py under kill -9, loss of power, a full disk and a failing one.

Each runs a real process that appends and prints what is acknowledged; afterwards the file is opened
and everything acknowledged must be in it, once, in its order.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from server.journal.sqlite import SqliteJournal
from tests.support.disk import Disk
from tests.support.writer import Writer
from tests.support.writer import writer as writer_of

TABLES = 20


def writer(
    path: Path, output: Path, environment: dict[str, str] | None = None, prelude: str = ""
) -> AbstractContextManager[Writer]:
    """A process that writes to the file."""
    return writer_of(str(path), TABLES, output, environment=environment, prelude=prelude)


async def logs(path: Path) -> dict[str, list[bytes]]:
    """What is in the file: each table's entries. Numbers must be contiguous, and the data theirs."""
    journal = SqliteJournal(path, lambda channel, payload: None)
    await journal.start()
    found = {}
    for table, own in await journal.tables():
        entries = await journal.entries(table)
        assert [entry.number for entry in entries] == list(range(1, own.number + 1))
        for entry in entries:
            assert entry.data.startswith(f"{table}:{entry.number}:".encode())
        found[table] = [entry.data for entry in entries]
    await journal.stop()
    return found


def missing(acked: dict[str, int], found: dict[str, list[bytes]]) -> dict[str, int]:
    """By table: how many acknowledged entries are not in the file."""
    return {
        table: last - len(found.get(table, []))
        for table, last in acked.items()
        if last > len(found.get(table, []))
    }


async def test_kill_9_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    for turn in range(5):
        with writer(path, tmp_path / "out") as process:
            await asyncio.to_thread(process.wait_for, 100 + 73 * turn)
            process.kill()
            acked = process.acked()
        found = await logs(path)
        assert missing(acked, found) == {}
        # At most the one entry in flight was written without being answered.
        assert all(len(found[table]) <= last + 1 for table, last in acked.items())


def pragma(setting: str) -> str:
    """A prelude that adds a setting to the journal's own."""
    return f"import server.journal.sqlite_file as f\nf.PRAGMAS = (*f.PRAGMAS, {setting!r})"


def power_loss(disk: Disk, to: Path) -> None:
    """What the disk holds after the power is back: the files as they were last fsynced."""
    shutil.copytree(disk.durable, to)


async def test_a_loss_of_power_loses_nothing_acknowledged(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    path = disk.directory / "journal.sqlite3"
    for turn in range(4):
        # A short write-ahead log goes into the file and begins anew many times in a turn.
        with writer(
            path, tmp_path / "out", disk.environment, pragma("wal_autocheckpoint=30")
        ) as process:
            await asyncio.to_thread(process.wait_for, 400 + 100 * turn)
            process.kill()
            acked = process.acked()
        power_loss(disk, tmp_path / f"after{turn}")
        found = await logs(tmp_path / f"after{turn}" / "journal.sqlite3")
        assert missing(acked, found) == {}


async def test_the_forgetful_disk_finds_a_journal_that_does_not_sync(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    path = disk.directory / "journal.sqlite3"
    with writer(path, tmp_path / "out", disk.environment, pragma("synchronous=OFF")) as process:
        await asyncio.to_thread(process.wait_for, 300)
        process.kill()
        acked = process.acked()
    power_loss(disk, tmp_path / "after")
    try:
        found = await logs(tmp_path / "after" / "journal.sqlite3")
    except Exception:  # not even a journal
        found = {}
    assert missing(acked, found) != {}
    assert missing(acked, await logs(path)) == {}, "kill -9 alone does not find it"


@pytest.mark.parametrize("fault", ["full", "broken"])
async def test_a_failing_disk_is_answered_and_nothing_acknowledged_is_lost(
    tmp_path: Path, fault: str
) -> None:
    disk = Disk(tmp_path)
    path = disk.directory / "journal.sqlite3"
    switch = disk.full if fault == "full" else disk.broken
    with writer(path, tmp_path / "out", disk.environment) as process:
        for _ in range(3):
            await asyncio.to_thread(process.wait_for, 200)
            switch(True)
            await asyncio.to_thread(process.wait_for, 2 * TABLES, True)
            switch(False)
        await asyncio.to_thread(process.wait_for, 200)
        process.kill()
        acked = process.acked()
        assert set(process.refused()) == {"!Unavailable"}
    assert missing(acked, await logs(path)) == {}
    power_loss(disk, tmp_path / "after")
    assert missing(acked, await logs(tmp_path / "after" / "journal.sqlite3")) == {}


async def test_kill_9_on_a_failing_disk_loses_nothing_acknowledged(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    path = disk.directory / "journal.sqlite3"
    for switch in (disk.full, disk.broken):
        with writer(path, tmp_path / "out", disk.environment) as process:
            await asyncio.to_thread(process.wait_for, 200)
            switch(True)
            await asyncio.to_thread(process.wait_for, TABLES, True)
            process.kill()
            acked = process.acked()
        switch(False)
        assert missing(acked, await logs(path)) == {}


async def test_a_lock_held_by_somebody_else_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with writer(path, tmp_path / "out") as process:
        await asyncio.to_thread(process.wait_for, 100)
        other = sqlite3.connect(path, isolation_level=None, timeout=10)
        other.execute("BEGIN IMMEDIATE")
        await asyncio.to_thread(process.wait_for, TABLES, True)
        other.execute("ROLLBACK")
        other.close()
        await asyncio.to_thread(process.wait_for, 100)
        process.kill()
        acked = process.acked()
        assert set(process.refused()) == {"!Unavailable"}
    assert missing(acked, await logs(path)) == {}
