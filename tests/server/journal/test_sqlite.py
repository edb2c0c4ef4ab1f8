"""Tests of server/journal/sqlite.py on one healthy file: the contract, closing, a second process."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
import uvloop

from server.journal.base import Batch, Conflict, Entry, JournalError, Own, Unavailable
from server.journal.sqlite import SqliteJournal
from tests.server.journal.contract import JournalContract, append, batch
from tests.server.journal.model import play


@pytest.fixture
def published() -> list[tuple[str, bytes]]:
    return []


@pytest.fixture
async def journal(
    tmp_path: Path, published: list[tuple[str, bytes]]
) -> AsyncIterator[SqliteJournal]:
    journal = SqliteJournal(
        tmp_path / "deep" / "journal.sqlite3",
        lambda channel, payload: published.append((channel, payload)),
        busy_s=0.2,
    )
    await journal.start()
    yield journal
    await journal.stop()


class TestContract(JournalContract):
    pass


@pytest.mark.parametrize("seed", range(8))
async def test_a_random_history_agrees_with_the_model(journal: SqliteJournal, seed: int) -> None:
    await play(journal, seed)


async def test_everything_is_there_after_a_restart(journal: SqliteJournal) -> None:
    own = await journal.create("t_a", "n1")
    await journal.create("t_b", "n1")
    await append(journal, batch("t_a", 1, 1, b"x"), batch("t_b", 1, 1, b"y"))
    await journal.stop()
    await journal.start()
    assert await journal.tables() == [("t_a", Own("n1", 1, 1)), ("t_b", Own("n1", 1, 1))]
    # The holder of before has ended with its process, so the table can be taken at once.
    taken = await journal.take("t_a", "n2", own)
    assert taken == Own("n2", 2, 1)
    assert await append(journal, batch("t_a", 2, 2, b"z")) == [None]
    assert await journal.entries("t_a") == [Entry(1, b"x"), Entry(2, b"z")]


async def test_after_a_commit_s_last_answer_it_says_so(tmp_path: Path) -> None:
    heard: list[str] = []
    journal = SqliteJournal(
        tmp_path / "journal", lambda channel, payload: None, answered=lambda: heard.append("all")
    )
    await journal.start()
    await journal.create("t_a", "n1")
    await journal.create("t_b", "n1")
    journal.append(batch("t_a", 1, 1, b"x"), lambda error: heard.append(f"a {error}"))
    journal.append(batch("t_b", 1, 2, b"y"), lambda error: heard.append(f"b {type(error)}"))
    await journal.stop()
    told = [line for line in heard if line != "all"]
    assert told == ["a None", f"b {Conflict}"]
    assert heard[-1] == "all"


async def test_what_is_gathered_while_a_commit_runs_is_written_without_the_loop(
    journal: SqliteJournal,
) -> None:
    """A loop that is busy for long must not keep the thread from the next group."""
    await journal.create("t_a", "n1")
    answers: list[JournalError | None] = []
    journal.append(batch("t_a", 1, 1, b"x"), answers.append)
    journal.append(batch("t_a", 1, 2, b"y"), answers.append)
    with sqlite3.connect(journal.path) as other:
        until = time.monotonic() + 10
        while other.execute("SELECT count(*) FROM log").fetchone() != (2,):
            assert time.monotonic() < until
            time.sleep(0.001)  # noqa: ASYNC251  # the loop stands still on purpose
    other.close()
    assert answers == []
    await journal.tables()
    assert answers == [None, None]


async def test_stopping_commits_what_was_appended(journal: SqliteJournal) -> None:
    await journal.create("t_a", "n1")
    answers: list[JournalError | None] = []
    journal.append(batch("t_a", 1, 1, b"x"), answers.append)
    await asyncio.sleep(0)
    journal.append(batch("t_a", 1, 2, b"y"), answers.append)
    await journal.stop()
    assert answers == [None, None]
    await journal.start()
    assert len(await journal.entries("t_a")) == 2


async def test_a_closed_journal_refuses(journal: SqliteJournal) -> None:
    await journal.create("t_a", "n1")
    await journal.stop()
    (error,) = await append(journal, batch("t_a", 1, 1, b"x"))
    assert isinstance(error, Unavailable)
    with pytest.raises(Unavailable):
        await journal.tables()
    assert not await journal.alive("n1")


async def test_a_second_process_is_refused_until_the_first_lets_go(journal: SqliteJournal) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from server.journal.sqlite import SqliteJournal\n"
        "from server.journal.base import JournalError\n"
        "async def main():\n"
        "    journal = SqliteJournal(Path(sys.argv[1]), lambda channel, payload: None)\n"
        "    try: await journal.start()\n"
        "    except JournalError as error: sys.exit(str(error))\n"
        "    await journal.stop()\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, str(journal.path)]
    second = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False
    )
    assert second.returncode == 1
    assert "is in use by another process" in second.stderr
    assert str(journal.path) in second.stderr
    await journal.stop()
    third = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False
    )
    assert (third.returncode, third.stderr) == (0, "")


async def test_a_second_journal_in_the_same_process_is_refused(journal: SqliteJournal) -> None:
    second = SqliteJournal(journal.path, lambda channel, payload: None)
    with pytest.raises(JournalError, match="in use"):
        await second.start()
    await journal.create("t_a", "n1")
    assert await append(journal, batch("t_a", 1, 1, b"x")) == [None]


async def test_a_file_of_a_later_format_is_refused(journal: SqliteJournal) -> None:
    await journal.stop()
    sql = sqlite3.connect(journal.path)
    sql.execute("PRAGMA user_version=99")
    sql.close()
    with pytest.raises(JournalError, match="later version"):
        await journal.start()
    sql = sqlite3.connect(journal.path)
    sql.execute("PRAGMA user_version=1")
    sql.close()
    await journal.start()


async def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(JournalError, match="cannot be opened"):
        await SqliteJournal(path, lambda channel, payload: None).start()


async def test_a_locked_file_is_answered_and_nothing_is_lost(journal: SqliteJournal) -> None:
    await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"one"))
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answers = await append(journal, batch("t_a", 1, 2, b"two"), batch("t_a", 1, 3, b"three"))
    assert [type(answer) for answer in answers] == [Unavailable, Unavailable]
    with pytest.raises(Unavailable):
        await journal.create("t_b", "n1")
    other.execute("ROLLBACK")
    other.close()
    assert await journal.entries("t_a") == [Entry(1, b"one")]
    assert await append(journal, batch("t_a", 1, 2, b"two")) == [None]


async def test_what_fails_inside_a_group_leaves_nothing_of_it(journal: SqliteJournal) -> None:
    for table in ("t_a", "t_b"):
        await journal.create(table, "n1")
    broken = Batch("t_b", 1, [Entry(1, cast("bytes", object()))])
    answers = await append(journal, batch("t_a", 1, 1, b"x"), broken)
    assert [type(answer) for answer in answers] == [Unavailable, Unavailable]
    assert await journal.entries("t_a") == []
    assert await append(journal, batch("t_a", 1, 1, b"y"), batch("t_b", 1, 1, b"z")) == [None, None]
    assert await journal.entries("t_a") == [Entry(1, b"y")]


async def test_a_short_lock_is_waited_for(journal: SqliteJournal) -> None:
    await journal.create("t_a", "n1")
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    asyncio.get_running_loop().call_later(0.05, other.execute, "ROLLBACK")
    assert await append(journal, batch("t_a", 1, 1, b"one")) == [None]
    other.close()


async def test_a_backup_can_be_taken_of_a_running_journal(
    journal: SqliteJournal, tmp_path: Path
) -> None:
    await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"one"))
    source = sqlite3.connect(journal.path)
    copy = sqlite3.connect(tmp_path / "copy.sqlite3")
    source.backup(copy)
    source.close()
    copy.close()
    restored = SqliteJournal(tmp_path / "copy.sqlite3", lambda channel, payload: None)
    await restored.start()
    assert await restored.entries("t_a") == [Entry(1, b"one")]
    await restored.stop()


def test_it_runs_on_uvloop(tmp_path: Path) -> None:
    async def main() -> None:
        journal = SqliteJournal(tmp_path / "journal.sqlite3", lambda channel, payload: None)
        await journal.start()
        await journal.create("t_a", "n1")
        assert await append(journal, batch("t_a", 1, 1, b"x")) == [None]
        assert await journal.entries("t_a") == [Entry(1, b"x")]
        await journal.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
