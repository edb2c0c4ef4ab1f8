"""One process a journal file: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path


class FileLock:
    """A lock beside the file, held through a second SQLite file of no content.

    SQLite brings a lock that works on every platform, between processes and within one, and the
    journal itself stays readable for a backup.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + ".lock")
        self._held: sqlite3.Connection | None = None

    def take(self) -> bool:
        """Whether it is ours now. Never waits. Raises sqlite3.Error where no file can be made."""
        connection = sqlite3.connect(
            self.path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                return False
            raise
        self._held = connection
        return True

    def release(self) -> None:
        """Let go of it; without a lock nothing happens."""
        if self._held is not None:
            self._held.close()
            self._held = None
