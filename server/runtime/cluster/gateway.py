"""The connection's side: messages go to the owners of their tables, and come back to the sockets.

A request is repeated until it is answered, for 5 s; then it is `moving`, and safe to repeat. A stream's
updates are passed on only in their order: a gap is repaired before anything after it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from protocol.client import ClientMessage, LeaveTable, Place, Unwatch
from protocol.codec import encoder
from protocol.server import Frozen, Thawed, Top, Unseated
from server.core.refusals import Denied
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Deliver, Forward, Gone, Present, Reattach, Stand
from server.runtime.cluster.requests import Pending, Requests
from server.runtime.cluster.sessions import Sessions
from server.runtime.cluster.shared import SharedTables
from server.runtime.connection import Connection
from server.runtime.metrics import GAP_REPAIRS
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.hub import Hub

NOWHERE = ""
"""The epoch of a stand whose stream has begun and not been shown yet: no table has it, so that the owner
answers with a snapshot."""


class Gateway:
    """Everything that sockets of this process have to do with tables of others."""

    def __init__(self, hub: Hub, link: Link, tables: SharedTables) -> None:
        self._hub = hub
        self._link = link
        self._tables = tables
        self._sessions = Sessions()
        self._requests = Requests(hub, link, tables)
        self._requests.on_hopeless = self._hopeless
        self._begun: list[tuple[Connection, Stand]] = []

    # -- out --------------------------------------------------------------------------------------------
    def forward(self, connection: Connection, message: ClientMessage, at: int) -> None:
        """Hand a message on to its table's owner."""
        request = self._requests.number()
        # The client's own id comes back into the answer when it is here.
        payload = encoder.encode(msgspec.structs.replace(message, id=request))
        table: str = message.table  # type: ignore[attr-defined]  # only such messages are forwarded
        item = Forward(self._sessions.who(connection), request, 0, payload)
        self._requests.add(Pending(connection, table, item, at, message))

    def _reattach(self, connection: Connection, stand: Stand, anew: bool = True) -> None:
        """Ask the owner to go on from where the session stands.

        anew: also if it is being asked already, since what comes of that may be lost.
        """
        if not anew and self._requests.attaching(connection, stand.table) is not None:
            return
        GAP_REPAIRS.inc()
        item = Reattach(self._sessions.who(connection), self._requests.number(), stand)
        self._requests.add(Pending(connection, stand.table, item, self._hub.wall.now()))

    # -- in ---------------------------------------------------------------------------------------------
    def deliver(self, sender: str, item: Deliver) -> None:
        """Pass a message on to its sockets; not what an owner of old says."""
        if item.table and item.fence < self._tables.fence(item.table):
            return
        if item.request:
            self._answer(item)
            return
        message = Message(item.payload)
        for number in item.connections:
            connection = self._sessions.connection(number)
            if connection is None:
                self._link.send(sender, Gone(number))
            elif self._in_order(connection, item):
                connection.socket.send(message)

    def _answer(self, item: Deliver) -> None:
        pending = self._requests.get(item.request)
        if pending is None:
            return
        self._requests.remove(pending)
        if pending.message is None or not pending.connection.socket.is_open:
            # Whoever is gone must not stand anywhere again: the owner would give it back its seat.
            return
        mine = b'"re":%d' % item.request
        theirs = pending.message.id
        if theirs is None:
            payload = item.payload.replace(mine + b",", b"", 1).replace(b"," + mine, b"", 1)
        else:
            payload = item.payload.replace(mine, b'"re":' + encoder.encode(theirs), 1)
        if isinstance(pending.message, Unwatch | LeaveTable) and b'"type":"ok"' in payload:
            self._left(pending.connection, self._tables.named(pending.table))
        if item.stream:
            self._begins(pending.connection, item)
        pending.connection.socket.send(Message(payload))

    def _begins(self, connection: Connection, item: Deliver) -> None:
        """A stream begins with this answer. Its present is in the same packet; an answer that was lost
        and given again comes without it: unless it is here by the next sweep, it is asked for."""
        known = self._sessions.stands(connection).get(item.table)
        self._left(connection, item.table)
        stand = Stand(item.table, item.stream, NOWHERE, 0, item.view, vouched=True)
        stand.frozen = known is not None and known.frozen
        self._sessions.set(connection, stand)
        self._begun.append((connection, stand))

    def _left(self, connection: Connection, table: str) -> None:
        self._sessions.unset(connection, table)
        attaching = self._requests.attaching(connection, table)
        if attaching is not None:
            self._requests.remove(attaching)

    def _in_order(self, connection: Connection, item: Deliver) -> bool:
        """Note where the session stands now; whether the message is the next one there."""
        if item.kind == "gone":
            return self._sessions.unset(connection, item.table) is not None
        known = self._sessions.stands(connection).get(item.table)
        if item.kind == "snapshot":
            stand = Stand(item.table, item.stream, item.epoch, item.seq, item.view, vouched=True)
            stand.frozen = known is not None and known.frozen
            self._sessions.set(connection, stand)
            return True
        if not item.table:
            return True
        if known is None:
            return False
        if item.kind in ("frozen", "thawed"):
            was, known.frozen = known.frozen, item.kind == "frozen"
            return was != known.frozen
        if item.kind == "plain":
            return True
        if known.stream != item.stream or known.epoch == NOWHERE or item.seq <= known.seq:
            return False
        if item.seq > known.seq + 1:
            self._reattach(connection, known, anew=False)
            return False
        known.seq, known.vouched = item.seq, True
        return True

    # -- what goes wrong --------------------------------------------------------------------------------
    def repair(self, sender: str | None) -> None:
        """Something of this owner (of all, if None) was lost: ask where all sessions stand."""
        if sender is None:
            self._requests.unsure()
        for connection, stand in self._sessions.all():
            if sender is None or self._tables.owner(stand.table) == sender:
                self._reattach(connection, stand)

    def moved(self, tables: Iterable[str]) -> None:
        """Tables have a new owner: go on there."""
        for name in tables:
            for connection, stand in self._sessions.at(name):
                self._reattach(connection, stand)
        self._requests.again(set(tables))

    def bus_away(self) -> None:
        """Nothing comes from the owners any more, and nothing reaches them: say so."""
        for connection, stand in self._sessions.all():
            if not stand.frozen:
                stand.frozen = True
                connection.send(Frozen(table=stand.table))

    def came_here(self, table: str) -> None:
        """This process owns the table now: its sessions here become local ones."""
        from server.runtime.handlers import places

        host = self._hub.directory.hosts[table]
        for connection, stand in self._sessions.at(table):
            self._sessions.unset(connection, table)
            if stand.vouched and connection.player is not None:
                host.admitted.add(connection.player.id)
            place = place_of(stand)
            if not places.resumable(connection, [place]):
                connection.send(Unseated(table=table, why="closed"))
                continue
            if stand.frozen:
                connection.send(Thawed(table=table))
            places.resume(connection, place)
        for pending in self._requests.take(table):
            if pending.message is not None:
                pending.connection.again(pending.message, pending.at)

    def went_away(self, connection: Connection, stand: Stand) -> None:
        """A table of this process was taken over by another one: follow it."""
        self._sessions.set(connection, stand)
        self._reattach(connection, stand)

    def sweep(self) -> None:
        """Repeat what is not answered, and give up on what is too old; ask for what did not begin."""
        begun, self._begun = self._begun, []
        for connection, stand in begun:
            if self._sessions.stands(connection).get(stand.table) is stand:
                self._reattach(connection, stand, anew=False)
        self._requests.sweep()

    def _hopeless(self, pending: Pending) -> None:
        if pending.message is None:
            self._sessions.unset(pending.connection, pending.table)
            pending.connection.send(Unseated(table=pending.table, why="closed"))
        elif self._requests.may_exist(pending):
            pending.connection.refuse(pending.message, Denied("moving"))
        else:
            pending.connection.refuse(pending.message, Denied("not_found", "no_such_table"))

    def tell_present(self) -> None:
        """Tell every owner which sessions are still here; those that it has beside them are gone."""
        by_owner: dict[str, set[int]] = {owner: set() for owner in self._tables.owners()}
        here = [*self._sessions.numbers()]
        here += [(p.item.who.connection, self._tables.named(p.table)) for p in self._requests]
        for number, table in here:
            owner = self._tables.owner(table)
            if owner is not None:
                by_owner[owner].add(number)
        for owner, numbers in by_owner.items():
            self._link.send(owner, Present(sorted(numbers)))

    # -- sessions ---------------------------------------------------------------------------------------
    def gone(self, connection: Connection) -> None:
        """A socket has ended."""
        found = self._sessions.gone(connection)
        if found is None:
            return
        number, tables = found
        for owner in {self._tables.owner(table) for table in tables} - {None}:
            assert owner is not None
            self._link.send(owner, Gone(number))

    def tops(self, connection: Connection) -> list[Top]:
        """The top numbers of the streams of other processes that the connection listens to."""
        stands = self._sessions.stands(connection).values()
        return [
            Top(table=s.table, stream=s.stream, epoch=s.epoch, seq=s.seq)
            for s in stands
            if s.epoch != NOWHERE
        ]

    def resume(self, connection: Connection, stands: list[Stand]) -> None:
        """A client came back to streams of other processes."""
        for stand in stands:
            self._sessions.set(connection, stand)
            self._reattach(connection, stand)


def place_of(stand: Stand) -> Place:
    """A stand as a client names it when it comes back."""
    return Place(
        table=stand.table,
        stream=stand.stream,
        epoch=stand.epoch,
        seq=stand.seq,
        detail="view" if stand.view else "events",
    )
