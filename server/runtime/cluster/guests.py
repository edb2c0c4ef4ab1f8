"""The owner's side: sessions whose sockets are in other processes."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import structlog

from protocol.codec import decode, encode
from protocol.server import Error, Ok, ServerMessage, Thawed, Unseated
from server.core.refusals import Denied
from server.runtime.cluster.gateway import place_of
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Deliver, Forward, Reattach, Tables, Who
from server.runtime.frames import FrameMessage
from server.runtime.session import Session, encoded
from server.runtime.wall import Wall
from server.store.models import Player
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.host import Host
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.guests")

KEEP_MS = 10_000
"""How long answers are kept for repeats: a request is repeated for 5 s at most."""


class RemoteLine:
    """Sends a session's messages to the process that has its socket."""

    def __init__(self, hub: Hub, link: Link, node: str, connection: int) -> None:
        self.is_open = True
        self.session: Session | None = None
        self._hub = hub
        self._link = link
        self._node = node
        self._connection = connection

    def send(self, message: Message, bulk: bool = False) -> None:
        """Send a message on; what several sessions get crosses once."""
        if not self.is_open:
            return
        item = Deliver([self._connection], message.payload)
        if isinstance(message, FrameMessage):
            item.kind, item.table, item.stream, item.epoch, item.seq = message.tag
            host = self._hub.directory.hosts.get(item.table)
            item.fence = host.own.fence if host is not None else 0
            place = self.session.places.get(item.table) if self.session is not None else None
            item.view = place is None or place.subscription.view
        self._link.deliver(self._node, self._connection, message, item)


class RemoteSession(Session):
    """A session with a distant socket; its client ids are the gateway's request numbers.

    replaced: tables at which a newer connection took its seat, whether or not it has heard of that, and
    at which it has not taken a place again since.
    """

    def __init__(self, hub: Hub, link: Link, node: str, who: Who, answers: Answers) -> None:
        self.line = RemoteLine(hub, link, node, who.connection)
        super().__init__(hub, self.line)
        self.line.session = self
        self.node = node
        self.number = who.connection
        self.player = Player(who.player, who.name, who.guest, 0, who.locale)
        self.locale = who.locale
        self.language = who.language
        self._answers = answers
        self.replaced: set[str] = set()

    def send(self, message: ServerMessage) -> None:
        """Send a message; an answer is remembered, in case it is lost and asked for again.

        `moving` is no answer: the gateway asks on, and finds who has the table.
        """
        if isinstance(message, Error) and message.code == "moving" and isinstance(message.re, int):
            self._answers.forget(self.node, message.re)
        elif isinstance(message, Ok | Error) and isinstance(message.re, int):
            if isinstance(message, Ok) and message.table in self.places:
                self.replaced.discard(message.table)
            self._answers.give(self.node, message.re, self._answer(message, message.re))
        else:
            if isinstance(message, Unseated) and message.why == "replaced":
                self.replaced.add(message.table)
            self.line.send(encoded(message))

    def _answer(self, message: Ok | Error, request: int) -> Deliver:
        """The answer; what a stream begins with says which, for its present comes only with the first."""
        item = Deliver([self.number], encode(message), request)
        place = self.places.get(message.table or "") if isinstance(message, Ok) else None
        if place is not None:
            item.table, item.fence = place.host.id, place.host.own.fence
            item.stream = place.host.channels[place.index].name
            item.view = place.subscription.view
        return item


class Answers:
    """What was answered, by gateway and request; None while it is being carried out."""

    def __init__(self, link: Link, wall: Wall) -> None:
        self._link = link
        self._wall = wall
        self._given: OrderedDict[tuple[str, int], tuple[int, Deliver | None]] = OrderedDict()

    def is_new(self, node: str, request: int) -> bool:
        """Whether the request is to be carried out; a repeat gets the answer again, if there is one."""
        found = self._given.get((node, request))
        if found is None:
            self._given[node, request] = (self._wall.now(), None)
            self._sweep()
            return True
        if found[1] is not None:
            self._link.send(node, found[1])
        return False

    def give(self, node: str, request: int, answer: Deliver) -> None:
        """Answer a request."""
        self._given[node, request] = (self._wall.now(), answer)
        self._given.move_to_end((node, request))
        self._link.send(node, answer)

    def forget(self, node: str, request: int) -> None:
        """It was not carried out: a repeat is to be."""
        self._given.pop((node, request), None)

    def _sweep(self) -> None:
        oldest = self._wall.now() - KEEP_MS
        while self._given and (first := next(iter(self._given.items())))[1][0] < oldest:
            del self._given[first[0]]


class Guests:
    """All sessions of other processes that play or watch here."""

    def __init__(self, hub: Hub, link: Link) -> None:
        self._hub = hub
        self._link = link
        self._answers = Answers(link, hub.wall)
        self._sessions: dict[tuple[str, int], RemoteSession] = {}
        self._fresh: set[tuple[str, int]] = set()

    def _session(self, node: str, who: Who) -> RemoteSession:
        key = (node, who.connection)
        session = self._sessions.get(key)
        if session is None:
            session = RemoteSession(self._hub, self._link, node, who, self._answers)
            self._sessions[key] = session
        # A `present` that was sent before this message must not end the session.
        self._fresh.add(key)
        return session

    def forward(self, node: str, item: Forward) -> None:
        """Carry out a client's message as if its socket were here."""
        message: Any = decode(item.payload)
        if not self._has(node, message.table):
            return
        if not self._answers.is_new(node, item.request):
            return
        session = self._session(node, item.who)
        at = self._hub.wall.now() - item.age
        try:
            self._hub.handlers[type(message)](session, message, at)
        except Denied as denied:
            session.refuse(message, denied)
        except Exception:
            log.exception("handler_failed", type=type(message).__name__)
            session.refuse(message, Denied("internal"))

    def reattach(self, node: str, item: Reattach) -> None:
        """Go on with a stream: the missing frames, or a snapshot, then the open requests.

        Done at every repeat, since what came of it before may be lost.
        """
        from server.runtime.handlers import places

        stand = item.stand
        if not self._has(node, stand.table):
            return
        host = self._hub.directory.hosts[stand.table]
        session = self._session(node, item.who)
        place = place_of(stand)
        if stand.table in session.replaced and stand.table not in session.places:
            # Its process has not heard of it: a repair must not take the seat from the newer connection.
            session.send(Unseated(table=host.id, why="replaced"))
            self._attached(session, host, item)
            return
        if stand.vouched:
            # Who showed the invite showed it to an owner that may be gone.
            host.admitted.add(item.who.player)
        if places.resumable(session, [place]):
            places.resume(session, place)
            if stand.frozen and not host.frozen:
                session.send(Thawed(table=host.id))
        else:
            session.send(Unseated(table=host.id, why="closed"))
        self._attached(session, host, item)

    def _attached(self, session: RemoteSession, host: Host, item: Reattach) -> None:
        answer = Deliver([session.number], b"", item.request, table=host.id, fence=host.own.fence)
        self._link.send(session.node, answer)

    def _has(self, node: str, table: str) -> bool:
        """Whether the table is here; the sender is told if it is not (any more)."""
        if self._hub.directory.find(table) is not None:
            return True
        self._link.send(node, Tables([], [table]))
        return False

    def gone(self, node: str, connection: int) -> None:
        """A session's socket has ended."""
        self._fresh.discard((node, connection))
        session = self._sessions.pop((node, connection), None)
        if session is None:
            return
        session.line.is_open = False
        for table in list(session.places):
            self._hub.leave_place(session, table)

    def present(self, node: str, connections: list[int]) -> None:
        """Sessions that their gateway does not know any more are gone."""
        known = set(connections)
        for key in [k for k in self._sessions if k[0] == node]:
            if key[1] not in known and key not in self._fresh:
                self.gone(*key)
        self._fresh = {key for key in self._fresh if key[0] != node}
        if known - {number for of, number in self._sessions if of == node}:
            # Taken for gone, and it was only away: all its streams are to be repaired.
            self._link.restart(node)

    def lost(self, node: str) -> None:
        """A process is gone, and all its sockets with it."""
        for key in [k for k in self._sessions if k[0] == node]:
            self.gone(*key)

    @property
    def nodes(self) -> set[str]:
        """The processes that have sessions here."""
        return {node for node, _ in self._sessions}
