"""The connection's side: messages go to the owners of their tables, and come back to the sockets.

A request is repeated until it is answered, for 5 s; then it is `moving`, and safe to repeat. A stream's
updates are passed on only in their order: a gap is repaired before anything after it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import structlog

from protocol.client import ClientMessage
from protocol.codec import encoder
from protocol.server import Top
from server.core.refusals import Denied
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import (
    Deliver,
    Forward,
    Gone,
    Present,
    Query,
    Reattach,
    Stand,
    Who,
)
from server.runtime.cluster.shared import SharedTables
from server.runtime.connection import Connection
from server.runtime.wall import Wall
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.gateway")

REPEAT_MS = 500
GIVE_UP_MS = 5_000
UNKNOWN_MS = 1_000
"""How long a table that nobody has told of is asked for."""


class Pending:
    """A request that waits for its answer. message None: a reattachment."""

    __slots__ = ("asked", "connection", "item", "message", "sent", "table")

    def __init__(
        self,
        connection: Connection,
        table: str,
        item: Forward | Reattach,
        now: int,
        message: ClientMessage | None,
    ) -> None:
        self.connection = connection
        self.table = table
        self.item = item
        self.message = message
        self.asked = now
        self.sent = 0


class Gateway:
    """Everything that sockets of this process have to do with tables of others."""

    def __init__(self, hub: Hub, link: Link, tables: SharedTables) -> None:
        self._hub = hub
        self._wall: Wall = hub.wall
        self._link = link
        self._tables = tables
        self._connections: dict[int, Connection] = {}
        self._numbers: dict[Connection, int] = {}
        self._stands: dict[int, dict[str, Stand]] = {}
        self._pending: dict[int, Pending] = {}
        self._next = 1

    # -- out --------------------------------------------------------------------------------------------
    def forward(self, connection: Connection, message: ClientMessage, at: int) -> None:
        """Hand a message on to its table's owner."""
        request = self._number()
        # The client's own id comes back into the answer when it is here.
        payload = encoder.encode(msgspec.structs.replace(message, id=request))
        age = max(0, self._wall.now() - at)
        table: str = message.table  # type: ignore[attr-defined]  # only such messages are forwarded
        item = Forward(self._who(connection), request, age, payload)
        self._send(Pending(connection, table, item, at, message))

    def _send(self, pending: Pending) -> None:
        now = self._wall.now()
        pending.sent = now
        self._pending[pending.item.request] = pending
        owner = self._tables.owner(pending.table)
        if owner is None:
            self._link.tell_all(Query(pending.table))
            return
        if isinstance(pending.item, Forward):
            pending.item.age = max(0, now - pending.asked)
        self._link.send(owner, pending.item)

    def _number(self) -> int:
        self._next += 1
        return self._next

    def _who(self, connection: Connection) -> Who:
        number = self._numbers.get(connection)
        if number is None:
            number = self._numbers[connection] = self._number()
            self._connections[number] = connection
            self._stands[number] = {}
        player = connection.player
        assert player is not None
        return Who(
            number, player.id, player.name, player.guest, connection.locale, connection.language
        )

    # -- in ---------------------------------------------------------------------------------------------
    def deliver(self, sender: str, item: Deliver) -> None:
        """Pass a message on to its sockets."""
        if item.request:
            self._answer(item)
            return
        message = Message(item.payload)
        for number in item.connections:
            connection = self._connections.get(number)
            if connection is None:
                self._link.send(sender, Gone(number))
            elif self._in_order(connection, number, item):
                connection.socket.send(message)

    def _answer(self, item: Deliver) -> None:
        pending = self._pending.pop(item.request, None)
        if pending is None or pending.message is None or not item.payload:
            return
        mine = b'"re":%d' % item.request
        theirs = pending.message.id
        if theirs is None:
            payload = item.payload.replace(mine + b",", b"", 1).replace(b"," + mine, b"", 1)
        else:
            payload = item.payload.replace(mine, b'"re":' + encoder.encode(theirs), 1)
        pending.connection.socket.send(Message(payload))

    def _in_order(self, connection: Connection, number: int, item: Deliver) -> bool:
        """Note where the session stands now; whether the message is the next one there."""
        stands = self._stands[number]
        if item.kind == "plain":
            return True
        if item.kind == "gone":
            return stands.pop(item.table, None) is not None
        if item.kind == "snapshot":
            stands[item.table] = Stand(item.table, item.stream, item.epoch, item.seq, item.view)
            return True
        stand = stands.get(item.table)
        if stand is None or stand.stream != item.stream or item.seq <= stand.seq:
            return False
        if item.seq > stand.seq + 1:
            self._reattach(connection, stand)
            return False
        stand.seq = item.seq
        return True

    def _reattach(self, connection: Connection, stand: Stand) -> None:
        """Ask the owner to go on from where the session stands; once at a time."""
        for pending in self._pending.values():
            if (
                isinstance(pending.item, Reattach)
                and pending.connection is connection
                and pending.table == stand.table
            ):
                pending.item.stand = stand
                return
        item = Reattach(self._who(connection), self._number(), stand)
        self._send(Pending(connection, stand.table, item, self._wall.now(), None))

    # -- what goes wrong --------------------------------------------------------------------------------
    def repair(self, sender: str | None) -> None:
        """Something of this owner (of all, if None) was lost: ask where all sessions stand."""
        for number, stands in self._stands.items():
            for stand in list(stands.values()):
                if sender is None or self._tables.owner(stand.table) == sender:
                    self._reattach(self._connections[number], stand)

    def moved(self, tables: list[str]) -> None:
        """Tables have a new owner (perhaps this process): go on there."""
        for name in tables:
            for number, stands in self._stands.items():
                stand = stands.get(name)
                if stand is not None:
                    self._reattach(self._connections[number], stand)
        for pending in list(self._pending.values()):
            if pending.table in tables:
                self._send(pending)

    def came_here(self, table: str) -> None:
        """This process owns the table now: its sessions here become local ones."""
        from protocol.client import Place
        from server.runtime.handlers import places

        for number, stands in self._stands.items():
            stand = stands.pop(table, None)
            connection = self._connections[number]
            if stand is None:
                continue
            detail = "view" if stand.view else "events"
            place = Place(
                table=table,
                stream=stand.stream,
                epoch=stand.epoch,
                seq=stand.seq,
                detail="view" if detail == "view" else "events",
            )
            if places.resumable(connection, [place]):
                places.resume(connection, place)
        for request, pending in list(self._pending.items()):
            if pending.table == table:
                del self._pending[request]
                if pending.message is not None:
                    pending.connection.again(pending.message, pending.asked)

    def went_away(self, connection: Connection, stand: Stand) -> None:
        """A table of this process was taken over by another one: follow it."""
        who = self._who(connection)
        self._stands[who.connection][stand.table] = stand
        self._reattach(connection, stand)

    def sweep(self) -> None:
        """Repeat what is not answered, and give up on what is too old."""
        now = self._wall.now()
        for request, pending in list(self._pending.items()):
            if not pending.connection.socket.is_open:
                del self._pending[request]
            elif pending.message is None:
                if now - pending.sent >= REPEAT_MS:
                    self._send(pending)
            elif self._is_hopeless(pending, now):
                del self._pending[request]
                known = self._tables.owner(pending.table) is not None
                code = Denied("moving") if known else Denied("not_found", "no_such_table")
                pending.connection.refuse(pending.message, code)
            elif now - pending.sent >= REPEAT_MS:
                self._send(pending)

    def _is_hopeless(self, pending: Pending, now: int) -> bool:
        patience = GIVE_UP_MS if self._tables.owner(pending.table) is not None else UNKNOWN_MS
        return now - pending.asked > patience

    def tell_present(self) -> None:
        """Tell every owner which sessions are still here."""
        by_owner: dict[str, set[int]] = {}
        for number, stands in self._stands.items():
            for table in stands:
                owner = self._tables.owner(table)
                if owner is not None:
                    by_owner.setdefault(owner, set()).add(number)
        for pending in self._pending.values():
            owner = self._tables.owner(pending.table)
            if owner is not None:
                by_owner.setdefault(owner, set()).add(pending.item.who.connection)
        for owner, numbers in by_owner.items():
            self._link.send(owner, Present(sorted(numbers)))

    # -- sessions ---------------------------------------------------------------------------------------
    def gone(self, connection: Connection) -> None:
        """A socket has ended."""
        number = self._numbers.pop(connection, None)
        if number is None:
            return
        del self._connections[number]
        stands = self._stands.pop(number)
        for owner in {self._tables.owner(table) for table in stands} - {None}:
            assert owner is not None
            self._link.send(owner, Gone(number))

    def tops(self, connection: Connection) -> list[Top]:
        """The top numbers of the streams of other processes that the connection listens to."""
        stands = self._stands.get(self._numbers.get(connection, 0), {})
        return [
            Top(table=s.table, stream=s.stream, epoch=s.epoch, seq=s.seq) for s in stands.values()
        ]

    def resume(self, connection: Connection, stands: list[Stand]) -> None:
        """A client came back to streams of other processes."""
        for stand in stands:
            who = self._who(connection)
            self._stands[who.connection][stand.table] = stand
            self._reattach(connection, stand)
