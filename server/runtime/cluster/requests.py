"""What this process has asked owners for: repeated until it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from protocol.client import ClientMessage
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Forward, Query, Reattach
from server.runtime.cluster.shared import SharedTables
from server.runtime.connection import Connection

if TYPE_CHECKING:
    from server.runtime.hub import Hub

REPEAT_MS = 500
GIVE_UP_MS = 5_000
UNKNOWN_MS = 1_000
"""How long a table that nobody has told of is asked for by a client's request."""
LOST_MS = 20_000
"""How long a stream whose table nobody has is asked for: longer than any takeover."""


class Pending:
    """A request that waits for its answer. message None: a reattachment. at: when it was asked."""

    __slots__ = ("at", "connection", "item", "message", "sent", "table", "unknown")

    def __init__(
        self,
        connection: Connection,
        table: str,
        item: Forward | Reattach,
        at: int,
        message: ClientMessage | None = None,
    ) -> None:
        self.connection = connection
        self.table = table
        self.item = item
        self.message = message
        self.at = at
        self.sent = 0
        self.unknown: int | None = None


class Requests:
    """All that is not answered. on_hopeless: called with what is given up."""

    def __init__(self, hub: Hub, link: Link, tables: SharedTables) -> None:
        self._hub = hub
        self._link = link
        self._tables = tables
        self._pending: dict[int, Pending] = {}
        self._attaching: dict[tuple[Connection, str], Pending] = {}
        self._next = count(1)
        self._unsure = 0
        self.on_hopeless: Callable[[Pending], None] = lambda pending: None

    def number(self) -> int:
        """The next request's number."""
        return next(self._next)

    def __iter__(self) -> Iterator[Pending]:
        return iter(list(self._pending.values()))

    def add(self, pending: Pending) -> None:
        """Ask; one reattachment a connection and table, the newest."""
        if isinstance(pending.item, Reattach):
            key = (pending.connection, pending.table)
            old = self._attaching.get(key)
            if old is not None:
                self._pending.pop(old.item.request, None)
            self._attaching[key] = pending
        self._pending[pending.item.request] = pending
        self._send(pending)

    def get(self, request: int) -> Pending | None:
        """A request that is not answered yet."""
        return self._pending.get(request)

    def attaching(self, connection: Connection, table: str) -> Pending | None:
        """The reattachment that a connection waits for at a table."""
        return self._attaching.get((connection, table))

    def remove(self, pending: Pending) -> None:
        """It is answered, or not to be asked any more."""
        self._pending.pop(pending.item.request, None)
        key = (pending.connection, pending.table)
        if self._attaching.get(key) is pending:
            del self._attaching[key]

    def take(self, table: str) -> list[Pending]:
        """Ask nobody any more for what has to do with the table; it is to be done here."""
        found = [p for p in self if self._tables.named(p.table) == table]
        for pending in found:
            self.remove(pending)
        return found

    def again(self, tables: set[str]) -> None:
        """These tables have an owner (again): ask at once. Streams are asked for anew by their stands."""
        for pending in self:
            if pending.message is not None and self._tables.named(pending.table) in tables:
                self._send(pending)

    def _send(self, pending: Pending) -> None:
        now = self._hub.wall.now()
        pending.sent = now
        owner = self._tables.owner(self._tables.named(pending.table))
        if owner is None:
            if pending.unknown is None:
                pending.unknown = now
            self._link.tell_all(Query(pending.table))
            return
        pending.unknown = None
        if isinstance(pending.item, Forward):
            pending.item.age = max(0, now - pending.at)
        self._link.send(owner, pending.item)

    def sweep(self) -> None:
        """Repeat what is not answered, and give up on what is too old."""
        now = self._hub.wall.now()
        for pending in self:
            if not pending.connection.socket.is_open:
                self.remove(pending)
            elif self._is_hopeless(pending, now):
                self.remove(pending)
                self.on_hopeless(pending)
            elif now - pending.sent >= REPEAT_MS:
                self._send(pending)

    def _is_hopeless(self, pending: Pending, now: int) -> bool:
        lost = pending.unknown is not None
        if pending.message is None:
            return lost and self._hub.bus.is_up and now - (pending.unknown or now) > LOST_MS
        return now - pending.at > (GIVE_UP_MS if self.may_exist(pending) else UNKNOWN_MS)

    def may_exist(self, pending: Pending) -> bool:
        """Whether a table is expected to be somewhere: known, lately known, or the bus was away."""
        if pending.unknown is None or self._tables.lately(self._tables.named(pending.table)):
            return True
        return not self._hub.bus.is_up or self._hub.wall.now() < self._unsure

    def unsure(self) -> None:
        """Who has which table may not have been heard: wait before saying that there is none."""
        self._unsure = self._hub.wall.now() + GIVE_UP_MS
