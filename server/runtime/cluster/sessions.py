"""The sockets of this process that have to do with tables of others: their numbers, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from server.runtime.cluster.packets import Stand, Who
from server.runtime.connection import Connection


class Sessions:
    """Connections by the numbers that other processes know them by, and their stands by table."""

    def __init__(self) -> None:
        self._connections: dict[int, Connection] = {}
        self._numbers: dict[Connection, int] = {}
        self._stands: dict[int, dict[str, Stand]] = {}
        self._next = count(1)

    def who(self, connection: Connection) -> Who:
        """The connection as other processes know it."""
        number = self._numbers.get(connection)
        if number is None:
            number = self._numbers[connection] = next(self._next)
            self._connections[number] = connection
            self._stands[number] = {}
        player = connection.player
        assert player is not None
        return Who(
            number, player.id, player.name, player.guest, connection.locale, connection.language
        )

    def connection(self, number: int) -> Connection | None:
        """The connection of a number, if its socket is still there."""
        return self._connections.get(number)

    def stands(self, connection: Connection) -> dict[str, Stand]:
        """Where it stands, by table; not to be changed."""
        return self._stands.get(self._numbers.get(connection, 0), {})

    def set(self, connection: Connection, stand: Stand) -> None:
        """It stands here now."""
        self._stands[self.who(connection).connection][stand.table] = stand

    def unset(self, connection: Connection, table: str) -> Stand | None:
        """It has no part in the table any more."""
        return self._stands.get(self._numbers.get(connection, 0), {}).pop(table, None)

    def all(self) -> Iterator[tuple[Connection, Stand]]:
        """Every stand; it may be taken away meanwhile."""
        for number, stands in list(self._stands.items()):
            for stand in list(stands.values()):
                yield self._connections[number], stand

    def at(self, table: str) -> list[tuple[Connection, Stand]]:
        """The stands at one table."""
        return [
            (self._connections[number], stands[table])
            for number, stands in self._stands.items()
            if table in stands
        ]

    def numbers(self) -> Iterator[tuple[int, str]]:
        """Each number with each of its tables."""
        for number, stands in self._stands.items():
            for table in stands:
                yield number, table

    def gone(self, connection: Connection) -> tuple[int, list[str]] | None:
        """Forget a connection: its number, and the tables where it stood."""
        number = self._numbers.pop(connection, None)
        if number is None:
            return None
        del self._connections[number]
        return number, list(self._stands.pop(number))
