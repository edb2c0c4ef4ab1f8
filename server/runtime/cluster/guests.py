"""The owner's side: sessions whose sockets are in other processes."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import structlog

from protocol.client import Place
from protocol.codec import decode, encode
from protocol.server import Error, Ok, ServerMessage
from server.core.refusals import Denied
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Deliver, Forward, Reattach, Tables, Who
from server.runtime.frames import FrameMessage
from server.runtime.session import Session, encoded
from server.store.models import Player
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.guests")

KEEP_ANSWERS = 5_000
"""Answers kept for repeats: a request is repeated for 5 s at most."""


class RemoteLine:
    """Sends a session's messages to the process that has its socket."""

    def __init__(self, link: Link, node: str, connection: int) -> None:
        self.is_open = True
        self.views: dict[str, bool] = {}
        self._link = link
        self._node = node
        self._connection = connection

    def send(self, message: Message, bulk: bool = False) -> None:
        """Send a message on; what several sessions get crosses once."""
        if not self.is_open:
            return
        item = Deliver([self._connection], message.payload)
        if isinstance(message, FrameMessage):
            tag = message.tag
            item.kind, item.table, item.stream, item.epoch, item.seq = tag
            item.view = self.views.get(tag.table, True)
        self._link.deliver(self._node, self._connection, message, item)


class RemoteSession(Session):
    """A session with a distant socket; its client ids are the gateway's request numbers."""

    def __init__(self, hub: Hub, link: Link, node: str, who: Who, answers: Answers) -> None:
        self.line = RemoteLine(link, node, who.connection)
        super().__init__(hub, self.line)
        self.node = node
        self.number = who.connection
        self.player = Player(who.player, who.name, who.guest, 0, who.locale)
        self.locale = who.locale
        self.language = who.language
        self._answers = answers

    def send(self, message: ServerMessage) -> None:
        """Send a message; an answer is remembered, in case it is lost and asked for again."""
        if isinstance(message, Ok | Error) and isinstance(message.re, int):
            self._answers.give(self.node, self.number, message.re, encode(message))
        else:
            self.line.send(encoded(message))


class Answers:
    """What was answered, by gateway, connection and request; None while it is being carried out."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._given: OrderedDict[tuple[str, int], bytes | None] = OrderedDict()

    def is_new(self, node: str, connection: int, request: int) -> bool:
        """Whether the request is to be carried out; a repeat gets the answer again, if there is one."""
        key = (node, request)
        if key not in self._given:
            self._given[key] = None
            if len(self._given) > KEEP_ANSWERS:
                self._given.popitem(last=False)
            return True
        payload = self._given[key]
        if payload is not None:
            self._send(node, connection, request, payload)
        return False

    def give(self, node: str, connection: int, request: int, payload: bytes) -> None:
        """Answer a request."""
        self._given[node, request] = payload
        self._send(node, connection, request, payload)

    def _send(self, node: str, connection: int, request: int, payload: bytes) -> None:
        self._link.send(node, Deliver([connection], payload, request))


class Guests:
    """All sessions of other processes that play or watch here."""

    def __init__(self, hub: Hub, link: Link) -> None:
        self._hub = hub
        self._link = link
        self._answers = Answers(link)
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
        if not self._answers.is_new(node, item.who.connection, item.request):
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
        else:
            if message.table in session.places:
                view = session.places[message.table].subscription.view
                session.line.views[message.table] = view

    def reattach(self, node: str, item: Reattach) -> None:
        """Go on with a stream: the missing frames, or a snapshot, then the open requests."""
        from server.runtime.handlers import places

        stand = item.stand
        if not self._has(node, stand.table):
            return
        if not self._answers.is_new(node, item.who.connection, item.request):
            return
        session = self._session(node, item.who)
        place = Place(
            table=stand.table,
            stream=stand.stream,
            epoch=stand.epoch,
            seq=stand.seq,
            detail="view" if stand.view else "events",
        )
        if places.resumable(session, [place]):
            session.line.views[stand.table] = stand.view
            places.resume(session, place)
        self._answers.give(node, session.number, item.request, b"")

    def _has(self, node: str, table: str) -> bool:
        """Whether the table is here; the sender is told if it is not (any more)."""
        if table in self._hub.directory.hosts:
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

    def lost(self, node: str) -> None:
        """A process is gone, and all its sockets with it."""
        for key in [k for k in self._sessions if k[0] == node]:
            self.gone(*key)

    @property
    def nodes(self) -> set[str]:
        """The processes that have sessions here."""
        return {node for node, _ in self._sessions}
