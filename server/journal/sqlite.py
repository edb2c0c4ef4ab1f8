"""The journal of one process alone: a SQLite file, written by a thread of its own in groups.

The file belongs to this process while the journal is open, so no lease is needed: whoever else is
named as a holder in it has ended. Its retry policy: wait up to `busy_s` for a file that somebody else
has locked, and nothing else; whoever appended hears `Unavailable` and may append again.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from server.journal.base import Batch, Done, Entry, Journal, JournalError, Own, Unavailable
from server.journal.lock import FileLock
from server.journal.sqlite_file import JournalFile, Outcome
from server.journal.worker import Worker

T = TypeVar("T")
Group = list[tuple[Batch, Done]]


class SqliteJournal(Journal):
    """A journal in a file of its own, group commit, `synchronous=FULL`.

    publish: what gets the payloads of a committed batch, usually the memory bus's `publish`.
    answered: called once everyone is told of whom a commit wrote something.
    busy_s: how long a locked file is waited for, in seconds.
    """

    def __init__(
        self,
        path: Path,
        publish: Callable[[str, bytes], None],
        busy_s: float = 1.0,
        answered: Callable[[], None] = lambda: None,
    ) -> None:
        self.path = path
        self._publish = publish
        self._answered = answered
        self._file = JournalFile(path, busy_s)
        self._lock = FileLock(path)
        self._held: set[str] = set()
        self._thread: Worker | None = None
        self._gathered: deque[tuple[Batch, Done]] = deque()
        self._planned = False

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        thread = Worker("journal")
        try:
            await thread.call(self._open)
        except BaseException:
            thread.end()
            raise
        self._thread = thread

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.take():
                raise JournalError(
                    f"The journal {self.path} is in use by another process; stop that one, or give"
                    " this one a file of its own."
                )
            self._file.open()
        except (sqlite3.Error, OSError) as error:
            self._lock.release()
            raise JournalError(f"The journal {self.path} cannot be opened: {error}.") from error
        except JournalError:
            self._lock.release()
            raise

    async def stop(self) -> None:
        if self._thread is None:
            return
        await self._call(lambda: None)
        while self._gathered:  # by what was answered meanwhile
            await self._call(lambda: None)
        thread, self._thread = self._thread, None
        await thread.call(self._close)
        thread.end()

    def _close(self) -> None:
        self._file.close()
        self._lock.release()

    # -- appending: a group while the last one is written -----------------------------------------

    def append(self, batch: Batch, done: Done) -> None:
        self._gathered.append((batch, done))
        if not self._planned:
            self._planned = True
            self._write()

    def _write(self) -> None:
        """Have the thread take what has gathered by when it is free, however busy the loop is then."""
        if self._thread is not None:
            self._thread.do(self._commit)
            return
        stopped = Unavailable("The journal is closed.")
        group = self._take()
        self._loop.call_soon(self._finish, group, [stopped for _ in group])

    def _take(self) -> Group:
        # The mark first: what is appended after this and not taken has a commit of its own planned.
        self._planned = False
        group: Group = []
        with suppress(IndexError):
            while True:
                group.append(self._gathered.popleft())
        return group

    def _commit(self) -> None:
        group = self._take()
        if not group:
            return
        outcomes: list[Outcome]
        try:
            outcomes = self._file.commit([batch for batch, _ in group])
        except Exception as error:  # a bug must not leave anyone waiting
            why = f"The journal failed: {error!r}."
            outcomes = [Unavailable(why) for _ in group]
        self._loop.call_soon_threadsafe(self._finish, group, outcomes)

    def _finish(self, group: Group, outcomes: Sequence[Outcome]) -> None:
        for (batch, done), outcome in zip(group, outcomes, strict=True):
            try:
                if outcome is True:
                    for publish in batch.publishes:
                        self._publish(publish.channel, publish.payload)
                done(outcome if isinstance(outcome, JournalError) else None)
            except Exception as error:
                self._loop.call_exception_handler(
                    {"message": f"answering an append of {batch.table}", "exception": error}
                )
        self._answered()

    # -- everything else: in the same thread, after what was appended before ----------------------

    async def _call(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            raise Unavailable("The journal is closed.")
        self._write()
        try:
            return await self._thread.call(work)
        except sqlite3.Error as error:
            raise Unavailable(f"The journal cannot be used: {error}.") from error

    async def create(self, table: str, holder: str) -> Own:
        return await self._call(lambda: self._file.create(table, holder))

    async def tables(self) -> list[tuple[str, Own]]:
        return await self._call(self._file.tables)

    async def take(self, table: str, holder: str, expected: Own) -> Own | None:
        return await self._call(lambda: self._file.take(table, holder, expected))

    async def release(self, table: str, fence: int) -> None:
        await self._call(lambda: self._file.release(table, fence))

    async def tail(self, table: str) -> list[Entry]:
        return await self._call(lambda: self._file.tail(table))

    async def entries(self, table: str, start: int = 1) -> list[Entry]:
        return await self._call(lambda: self._file.entries(table, start))

    async def drop(self, table: str, fence: int | None = None) -> None:
        await self._call(lambda: self._file.drop(table, fence))

    async def hold(self, node: str) -> None:
        self._held.add(node)

    async def alive(self, node: str) -> bool:
        return self._thread is not None and node in self._held
