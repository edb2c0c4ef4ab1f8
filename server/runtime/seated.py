"""At which tables each player has a seat, found without looking at every table."""

from __future__ import annotations

from collections.abc import Iterable


class Seated:
    """An index from players to tables, kept up by whoever learns of a table's seats."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, None]] = {}
        self._players: dict[str, frozenset[str]] = {}

    def note(self, table: str, players: Iterable[str | None]) -> None:
        """These have the table's seats now, None for a bot's or a free one; nobody: it may be forgotten."""
        now = frozenset(player for player in players if player is not None)
        before = self._players.get(table, frozenset())
        for player in before - now:
            tables = self._tables[player]
            del tables[table]
            if not tables:
                del self._tables[player]
        for player in now - before:
            self._tables.setdefault(player, {})[table] = None
        if now:
            self._players[table] = now
        else:
            self._players.pop(table, None)

    def of(self, player: str) -> list[str]:
        """The player's tables, in the order in which the seats were noted."""
        return list(self._tables.get(player, ()))
