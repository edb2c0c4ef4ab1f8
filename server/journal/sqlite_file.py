"""The journal's file: what the committer's thread does, synchronously.

The log is one append-only table in the order of the commits, so a group of entries of many tables
fills a page or two instead of one page a table; which rows are whose is kept in memory (8 bytes an
entry) and read again when the file is opened.

An error (a full disk, a failed fsync) rolls the whole group back, and the next commit overwrites what
was written of it; nothing is tried again here. Only if the process dies before that can an entry that
was refused for a failed fsync still be found in the file, as any entry in flight can.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

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
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, holder TEXT NOT NULL,
    fence INTEGER NOT NULL, number INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY, own INTEGER NOT NULL, number INTEGER NOT NULL,
    snapshot INTEGER NOT NULL, data BLOB NOT NULL
);
"""
FORMAT = 1
"""PRAGMA user_version: a file of a later format is refused."""

Outcome = JournalError | bool
"""True: written now. False: it was there already, byte for byte. Else what kept it from being done."""


class _Rows:
    """A table's row in `own`, and its entries' rows in `log`, in their order."""

    def __init__(self, own: int) -> None:
        self.own = own
        self.log = array("q")


class JournalFile:
    """One open journal file. Every method belongs to one thread; sqlite3.Error passes through,
    except out of `commit`."""

    def __init__(self, path: Path, busy_s: float) -> None:
        self.path = path
        self.busy_s = busy_s
        self._sql: sqlite3.Connection | None = None
        self._rows: dict[str, _Rows] = {}

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
        names: dict[int, str] = dict(sql.execute("SELECT id, name FROM own").fetchall())
        self._rows = {name: _Rows(own) for own, name in names.items()}
        for row, own in sql.execute("SELECT id, own FROM log ORDER BY id"):
            self._rows[names[own]].log.append(row)

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
        added: dict[str, list[int]] = {}
        try:
            with self._transaction() as sql:
                outcomes = [self._write(sql, batch, added) for batch in group]
        except sqlite3.Error as error:
            return [Unavailable(f"The journal cannot be written: {error}.") for _ in group]
        for table, rows in added.items():
            self._rows[table].log.extend(rows)
        return outcomes

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

    def _write(self, sql: sqlite3.Connection, batch: Batch, added: dict[str, list[int]]) -> Outcome:
        rows = self._rows.get(batch.table)
        if rows is None:
            return Fenced(f"There is no table {batch.table} in the journal.")
        first, last = batch.entries[0].number, batch.entries[-1].number
        changed = sql.execute(
            "UPDATE own SET number = ? WHERE id = ? AND fence = ? AND number = ?",
            (last, rows.own, batch.fence, first - 1),
        )
        if changed.rowcount != 1:
            return self._refusal(sql, batch, [*rows.log, *added.get(batch.table, [])])
        new = added.setdefault(batch.table, [])
        for entry in batch.entries:
            made = sql.execute(
                "INSERT INTO log (own, number, snapshot, data) VALUES (?, ?, ?, ?)",
                (rows.own, entry.number, entry.snapshot, entry.data),
            )
            assert made.lastrowid is not None
            new.append(made.lastrowid)
        return True

    def _refusal(self, sql: sqlite3.Connection, batch: Batch, log: list[int]) -> Outcome:
        """Why the batch does not follow; False if it is there already."""
        fence, number = sql.execute(
            "SELECT fence, number FROM own WHERE name = ?", (batch.table,)
        ).fetchone()
        if fence != batch.fence:
            return Fenced(f"{batch.table} has fence {fence}, not {batch.fence}.")
        first, last = batch.entries[0].number, batch.entries[-1].number
        if last <= number and self._read(log[first - 1 : last]) == batch.entries:
            return False
        return Conflict(f"{batch.table} stands at {number}; {first} to {last} do not follow.")

    # -- everything else ------------------------------------------------------------------------

    def create(self, table: str, holder: str) -> Own:
        try:
            made = self.sql.execute(
                "INSERT INTO own (name, holder, fence, number) VALUES (?, ?, 1, 0)", (table, holder)
            )
        except sqlite3.IntegrityError as error:
            raise Exists(f"There is a table {table} already.") from error
        assert made.lastrowid is not None
        self._rows[table] = _Rows(made.lastrowid)
        return Own(holder, 1, 0)

    def tables(self) -> list[tuple[str, Own]]:
        rows = self.sql.execute("SELECT name, holder, fence, number FROM own ORDER BY name")
        return [(name, Own(holder, fence, number)) for name, holder, fence, number in rows]

    def take(self, table: str, holder: str, expected: Own) -> Own | None:
        changed = self.sql.execute(
            "UPDATE own SET holder = ?, fence = fence + 1 WHERE name = ? AND holder = ? AND fence = ?",
            (holder, table, expected.holder, expected.fence),
        )
        if changed.rowcount != 1:
            return None
        query = "SELECT holder, fence, number FROM own WHERE name = ?"
        return Own(*self.sql.execute(query, (table,)).fetchone())

    def release(self, table: str, fence: int) -> None:
        # The next fence at once: a straggling append of the old holder must find it changed.
        changed = self.sql.execute(
            "UPDATE own SET holder = '', fence = fence + 1 WHERE name = ? AND fence = ?",
            (table, fence),
        )
        if changed.rowcount != 1:
            raise Fenced(f"{table} is no longer held with fence {fence}.")

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

    def _read(self, ids: Iterable[int]) -> list[Entry]:
        sql = self.sql
        query = "SELECT number, data, snapshot FROM log WHERE id = ?"
        return [_entry(sql.execute(query, (row,)).fetchone()) for row in ids]

    def drop(self, table: str, fence: int | None = None) -> None:
        rows = self._rows.get(table)
        if rows is None:
            return
        query = "SELECT fence FROM own WHERE id = ?"
        if fence not in (None, *self.sql.execute(query, (rows.own,)).fetchone()):
            raise Fenced(f"{table} is no longer held with fence {fence}.")
        with self._transaction() as sql:
            sql.executemany("DELETE FROM log WHERE id = ?", ((row,) for row in rows.log))
            sql.execute("DELETE FROM own WHERE id = ?", (rows.own,))
        del self._rows[table]


def _entry(row: tuple[int, bytes, int]) -> Entry:
    number, data, snapshot = row
    return Entry(number, data, bool(snapshot))
