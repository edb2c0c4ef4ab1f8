"""The journal's file: what the committer's thread does, synchronously.

The log is one append-only table in the order of the commits, so a group of entries of many tables
fills a page or two instead of one page a table; which rows are whose and who owns what is kept in
memory (8 bytes an entry) and read again when the file is opened. One statement writes, reads or deletes
many rows, and what it reads comes as one: for every statement and for every row that it returns, this
thread has to wait for its turn among those that serve the tables.

An error (a full disk, a failed fsync) rolls the whole group back, and the next commit overwrites what
was written of it; nothing is tried again here. Only if the process dies before that can an entry that
was refused for a failed fsync still be found in the file, as any entry in flight can.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

from server.journal.base import (
    Batch,
    Conflict,
    Entry,
    Exists,
    Fenced,
    JournalError,
    Own,
    Unavailable,
)

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")
SCHEMA = """
CREATE TABLE IF NOT EXISTS own (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, holder TEXT NOT NULL, fence INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY, own INTEGER NOT NULL, number INTEGER NOT NULL,
    snapshot INTEGER NOT NULL, data BLOB NOT NULL
);
"""
FORMAT = 1
"""PRAGMA user_version: a file of a later format is refused."""

AT_ONCE = 50
"""Rows a statement; fewer than the texts of statements that a connection remembers."""

Outcome = JournalError | bool
"""True: written now. False: it was there already, byte for byte. Else what kept it from being done."""


class _Rows:
    """A table's row in `own` with its fence, and its entries' rows in `log`, in their order."""

    def __init__(self, own: int, fence: int) -> None:
        self.own = own
        self.fence = fence
        self.log = array("q")


class JournalFile:
    """One open journal file. Every method belongs to one thread; sqlite3.Error passes through,
    except out of `commit`."""

    def __init__(self, path: Path, busy_s: float) -> None:
        self.path = path
        self.busy_s = busy_s
        self._sql: sqlite3.Connection | None = None
        self._rows: dict[str, _Rows] = {}
        self._next = 1

    def open(self) -> None:
        """Open or make the file and learn what is in it. Raises JournalError for a foreign format."""
        sql = sqlite3.connect(
            self.path, timeout=self.busy_s, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in PRAGMAS:
                sql.execute(f"PRAGMA {pragma}")
            (version,) = sql.execute("PRAGMA user_version").fetchone()
            if version > FORMAT:
                raise JournalError(
                    f"{self.path} was written by a later version of this program (format {version})."
                )
            if version < FORMAT:  # not again: on a full disk the file must still open
                sql.executescript(
                    f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version={FORMAT}; COMMIT;"
                )
            self._load(sql)
        except BaseException:
            sql.close()
            raise
        self._sql = sql

    def _load(self, sql: sqlite3.Connection) -> None:
        owns: dict[int, _Rows] = {}
        self._rows = {}
        for own, name, fence in sql.execute("SELECT id, name, fence FROM own"):
            owns[own] = self._rows[name] = _Rows(own, fence)
        self._next = 1
        for row, own in sql.execute("SELECT id, own FROM log ORDER BY id"):
            owns[own].log.append(row)
            self._next = row + 1

    def close(self) -> None:
        """Close the file; its write-ahead log goes into it where the disk allows."""
        if self._sql is not None:
            self._sql.close()
            self._sql = None

    @property
    def sql(self) -> sqlite3.Connection:
        """The open connection."""
        assert self._sql is not None
        return self._sql

    # -- appending ------------------------------------------------------------------------------

    def commit(self, group: list[Batch]) -> list[Outcome]:
        """All batches in one transaction, one outcome each; on an error nothing of the group is done."""
        new: dict[str, list[Entry]] = {}
        values: list[Any] = []
        outcomes: list[Outcome] = []
        row = self._next
        try:
            for batch in group:
                outcomes.append(self._judge(batch, new.get(batch.table, [])))
                if outcomes[-1] is not True:
                    continue
                new.setdefault(batch.table, []).extend(batch.entries)
                own = self._rows[batch.table].own
                for entry in batch.entries:
                    values += (row, own, entry.number, entry.snapshot, entry.data)
                    row += 1
            self._insert(values)
        except sqlite3.Error as error:
            return [Unavailable(f"The journal cannot be written: {error}.") for _ in group]
        self._added(group, outcomes)
        return outcomes

    def _judge(self, batch: Batch, before: list[Entry]) -> Outcome:
        """Whether the batch follows; False if it is there already. before: of the same group."""
        rows = self._rows.get(batch.table)
        if rows is None:
            return Fenced(f"There is no table {batch.table} in the journal.")
        if batch.fence != rows.fence:
            return Fenced(f"{batch.table} has fence {rows.fence}, not {batch.fence}.")
        stored = len(rows.log)
        number = stored + len(before)
        first, last = batch.entries[0].number, batch.entries[-1].number
        if first == number + 1:
            return True
        if first >= 1 and last <= number:
            there = self._read(rows.log[first - 1 : last])
            there += before[max(0, first - 1 - stored) : max(0, last - stored)]
            if there == batch.entries:
                return False
        return Conflict(f"{batch.table} stands at {number}; {first} to {last} do not follow.")

    def _insert(self, values: list[Any]) -> None:
        """Rows of five values each, in one transaction.

        A statement is one by itself. To open and to end it costs two more, and every statement takes
        the interpreter's lock back several times from an event loop that is busy.
        """
        if not values:
            return
        if len(values) <= 5 * AT_ONCE:
            self._insert_some(self.sql, values)
            return
        with self._transaction() as sql:
            for start in range(0, len(values), 5 * AT_ONCE):
                self._insert_some(sql, values[start : start + 5 * AT_ONCE])

    def _insert_some(self, sql: sqlite3.Connection, values: list[Any]) -> None:
        rows = ", ".join(["(?, ?, ?, ?, ?)"] * (len(values) // 5))
        sql.execute(f"INSERT INTO log (id, own, number, snapshot, data) VALUES {rows}", values)

    def _added(self, group: list[Batch], outcomes: list[Outcome]) -> None:
        """Remember which rows were written."""
        for batch, outcome in zip(group, outcomes, strict=True):
            if outcome is True:
                after = self._next + len(batch.entries)
                self._rows[batch.table].log.extend(range(self._next, after))
                self._next = after

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        sql = self.sql
        sql.execute("BEGIN IMMEDIATE")
        try:
            yield sql
            sql.execute("COMMIT")
        except BaseException:
            if sql.in_transaction:  # some errors have rolled back already
                sql.execute("ROLLBACK")
            raise

    # -- everything else ------------------------------------------------------------------------

    def create(self, table: str, holder: str) -> Own:
        try:
            made = self.sql.execute(
                "INSERT INTO own (name, holder, fence) VALUES (?, ?, 1)", (table, holder)
            )
        except sqlite3.IntegrityError as error:
            raise Exists(f"There is a table {table} already.") from error
        assert made.lastrowid is not None
        self._rows[table] = _Rows(made.lastrowid, 1)
        return Own(holder, 1, 0)

    def tables(self) -> list[tuple[str, Own]]:
        rows = self.sql.execute("SELECT name, holder, fence FROM own ORDER BY name")
        return [
            (name, Own(holder, fence, len(self._rows[name].log))) for name, holder, fence in rows
        ]

    def take(self, table: str, holder: str, expected: Own) -> Own | None:
        changed = self.sql.execute(
            "UPDATE own SET holder = ?, fence = fence + 1 WHERE name = ? AND holder = ? AND fence = ?",
            (holder, table, expected.holder, expected.fence),
        )
        if changed.rowcount != 1:
            return None
        rows = self._rows[table]
        rows.fence += 1
        return Own(holder, rows.fence, len(rows.log))

    def release(self, table: str, fence: int) -> None:
        # The next fence at once: a straggling append of the old holder must find it changed.
        changed = self.sql.execute(
            "UPDATE own SET holder = '', fence = fence + 1 WHERE name = ? AND fence = ?",
            (table, fence),
        )
        if changed.rowcount != 1:
            raise Fenced(f"{table} is no longer held with fence {fence}.")
        self._rows[table].fence += 1

    def entries(self, table: str, start: int) -> list[Entry]:
        rows = self._rows.get(table)
        return [] if rows is None else self._read(rows.log[max(start, 1) - 1 :])

    def tail(self, table: str) -> list[Entry]:
        rows = self._rows.get(table)
        found: list[Entry] = []
        # Backwards: the last snapshot is near the end of however long a log.
        for row in reversed(rows.log if rows is not None else array("q")):
            found += self._read([row])
            if found[-1].snapshot:
                break
        found.reverse()
        return found

    def _read(self, ids: Sequence[int]) -> list[Entry]:
        """The entries in these rows, which ascend."""
        found: list[Entry] = []
        for start in range(0, len(ids), AT_ONCE):
            some = ids[start : start + AT_ONCE]
            (rows,) = self.sql.execute(
                "SELECT group_concat(number || ' ' || snapshot || ' ' || hex(data), ',') FROM log"
                f" WHERE id IN ({_places(some)})",
                some,
            ).fetchone()
            found += sorted(map(_entry, rows.split(",")), key=_number)
        return found

    def drop(self, table: str, fence: int | None = None) -> None:
        rows = self._rows.get(table)
        if rows is None:
            return
        query = "SELECT fence FROM own WHERE id = ?"
        if fence not in (None, *self.sql.execute(query, (rows.own,)).fetchone()):
            raise Fenced(f"{table} is no longer held with fence {fence}.")
        with self._transaction() as sql:
            for start in range(0, len(rows.log), AT_ONCE):
                some = rows.log[start : start + AT_ONCE]
                sql.execute(f"DELETE FROM log WHERE id IN ({_places(some)})", some)
            sql.execute("DELETE FROM own WHERE id = ?", (rows.own,))
        del self._rows[table]


def _places(values: Sequence[int]) -> str:
    """The place holders of so many values."""
    return ", ".join(["?"] * len(values))


def _entry(row: str) -> Entry:
    number, snapshot, data = row.split(" ")
    return Entry(int(number), bytes.fromhex(data), snapshot == "1")


_number = attrgetter("number")
