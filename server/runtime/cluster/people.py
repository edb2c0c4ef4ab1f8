"""How many sockets each player has in all processes: above the limit the oldest one is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.codes import Close
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import People
from server.runtime.connection import Connection

if TYPE_CHECKING:
    from server.runtime.hub import Hub

Socket = tuple[str, int, int]
"""Player, when it was opened in ms, and its number in its process."""


class Sockets:
    """The identified sockets of all processes. What was lost on the way is mended by the next full list."""

    def __init__(self, hub: Hub, link: Link) -> None:
        self._hub = hub
        self._link = link
        self._mine: dict[Connection, Socket] = {}
        self._others: dict[str, dict[str, set[Socket]]] = {}
        self._came: list[Socket] = []
        self._went: list[Socket] = []
        self._next = 0

    def came(self, connection: Connection) -> None:
        """A socket was identified here."""
        assert connection.player is not None
        self._next += 1
        socket = (connection.player.id, self._hub.wall.now(), self._next)
        self._mine[connection] = socket
        self._came.append(socket)
        self._limit(socket[0])

    def went(self, connection: Connection) -> None:
        """A socket has ended here."""
        socket = self._mine.pop(connection, None)
        if socket is not None:
            self._went.append(socket)

    def heard(self, sender: str, item: People) -> None:
        """Another process told of its sockets."""
        if item.all:
            self._others.pop(sender, None)
        there = self._others.setdefault(sender, {})
        for socket in item.came:
            there.setdefault(socket[0], set()).add(socket)
        for socket in item.went:
            left = there.get(socket[0], set())
            left.discard(socket)
            if not left:
                there.pop(socket[0], None)
        for player in {socket[0] for socket in item.came}:
            self._limit(player)

    def _limit(self, player: str) -> None:
        mine = {s: c for c, s in self._mine.items() if s[0] == player}
        if not mine:
            return
        all_of_him = [(socket[1], "", socket) for socket in mine]
        for node, players in self._others.items():
            all_of_him += [(socket[1], node, socket) for socket in players.get(player, ())]
        too_many = len(all_of_him) - self._hub.settings.connections
        for _, node, socket in sorted(all_of_him)[: max(0, too_many)]:
            if not node:
                mine[socket].socket.close(Close.CONNECTIONS, "too many connections")

    def flush(self) -> None:
        """Tell all of who came and went."""
        if self._came or self._went:
            self._link.tell_all(People(self._came, self._went))
            self._came, self._went = [], []

    def tell_everything(self) -> None:
        """Tell all of all sockets here."""
        self._link.tell_all(People(list(self._mine.values()), [], True))

    def lost(self, node: str) -> None:
        """A process is gone with its sockets."""
        self._others.pop(node, None)

    @property
    def nodes(self) -> set[str]:
        """The processes that have told of sockets."""
        return set(self._others)
