"""The lobby as a client sees it."""

from __future__ import annotations

from hanpan._messages import Lobby, Ok, TableInfo
from hanpan.errors import HanpanError
from hanpan.feeds import Feed
from hanpan.wire import tables


class LobbyTables:
    """The public tables by id, and who is told what changes."""

    def __init__(self) -> None:
        self.tables: dict[str, TableInfo] = {}
        self._feeds: list[Feed[Lobby]] = []

    @property
    def watched(self) -> bool:
        """Whether anybody is told."""
        return bool(self._feeds)

    def watch(self) -> Feed[Lobby]:
        """Changes from now on."""
        self._feeds.append(Feed())
        return self._feeds[-1]

    def list(self, ok: Ok) -> None:
        """Take the tables of an answer for all there are."""
        self.tables = {table.table: table for table in tables(ok.tables)}

    def change(self, message: Lobby) -> None:
        """Take a change and tell it."""
        for table in message.tables:
            self.tables[table.table] = table
        for gone in message.gone:
            self.tables.pop(gone, None)
        for feed in self._feeds:
            feed.put(message)

    def end(self, error: HanpanError | None = None) -> None:
        """Nobody is told any more."""
        for feed in self._feeds:
            feed.end(error)
        self._feeds.clear()
