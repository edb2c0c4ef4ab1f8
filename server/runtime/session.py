"""A session: one player's connection as tables see it, wherever its socket is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from protocol.client import ClientMessage
from protocol.codec import encode
from protocol.codes import retry
from protocol.server import (
    Audience,
    ChatLine,
    Error,
    Frozen,
    Ok,
    RequestInfo,
    Requests,
    Say,
    ServerMessage,
    Snapshot,
    Thawed,
    Top,
    Unseated,
)
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.frames import FrameMessage, Kind
from server.runtime.metrics import REFUSALS
from server.store.models import Player
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.channel import Subscription
    from server.runtime.host import Host
    from server.runtime.hub import Hub


class Line(Protocol):
    """Where a session's messages go."""

    @property
    def is_open(self) -> bool:
        """Whether `send` still does something."""

    def send(self, message: Message, bulk: bool = False) -> None:
        """Write a message; never waits."""


class Place:
    """Where a connection listens: a table's stream, and the seat if it controls one."""

    __slots__ = ("host", "index", "seat", "subscription")

    def __init__(
        self, host: Host, index: int, seat: int | None, subscription: Subscription
    ) -> None:
        self.host = host
        self.index = index
        self.seat = seat
        self.subscription = subscription


class Session:
    """What tables know of a connection. language: of its sentences, None if it wants none."""

    def __init__(self, hub: Hub, socket: Line) -> None:
        self.hub = hub
        self.socket = socket
        self.player: Player | None = None
        self.locale = "en"
        self.language: str | None = None
        self.places: dict[str, Place] = {}
        self.watches_lobby = False

    def send(self, message: ServerMessage) -> None:
        """Write a message of this connection alone."""
        self.socket.send(encoded(message))

    def ok(self, message: ClientMessage, **fields: Any) -> None:
        """The one answer to a request that was carried out."""
        self.send(Ok(re=message.id, **fields))

    def error(self, re: Any, code: str, message: str, **fields: Any) -> None:
        """The one answer to a request that was not carried out."""
        REFUSALS.labels(code).inc()
        self.send(Error(re=re, code=code, message=message, retry=retry(code), **fields))

    def refuse(
        self,
        message: ClientMessage,
        denied: Denied,
        table: Table | None = None,
        requests: Any = None,
    ) -> None:
        """Answer with a refusal and its sentence; requests: those of the seat that stand."""
        sentence = self.hub.sentences.refusal(table, denied, self.locale)
        field = denied.params.get("field")
        self.error(message.id, denied.code, sentence, field=field, requests=requests)

    def _sentence(self, code: str) -> str:
        return self.hub.sentences.refusal(None, Denied(code), self.locale)

    def says(self, *sentences: Say) -> list[Say] | None:
        """Sentences for an answer, if this connection wants any."""
        return list(sentences) if self.language is not None else None

    def tops(self) -> list[Top]:
        """The top number of each stream that this connection listens to."""
        return [
            Top(
                table=table,
                stream=place.host.channels[place.index].name,
                epoch=place.host.table.state.config.epoch,
                seq=place.host.shown_number(place.index),
            )
            for table, place in self.places.items()
        ]

    def if_open(self, reply: Callable[[Any], None]) -> Callable[[Any], None]:
        """A reply that is dropped once the socket is closed."""

        def guarded(answer: Any) -> None:
            if self.socket.is_open:
                reply(answer)

        return guarded


def encoded(message: ServerMessage) -> Message:
    """A message ready to be sent, tagged with where in which stream it stands, if it does."""
    payload = encode(message)
    if isinstance(message, Snapshot):
        where = (message.table, message.stream, message.epoch, message.seq)
        return FrameMessage(payload, "snapshot", *where)
    kind = _ABOUT.get(type(message))
    if kind is not None:
        return FrameMessage(payload, kind, message.table)  # type: ignore[attr-defined]  # all of _ABOUT have it
    return Message(payload)


_ABOUT: dict[type[ServerMessage], Kind] = {
    Unseated: "gone",
    Frozen: "frozen",
    Thawed: "thawed",
    Requests: "plain",
    Audience: "plain",
    ChatLine: "plain",
}


def request_infos(table: Table, seat: int) -> list[RequestInfo]:
    """The open requests of a seat as on the wire."""
    return [
        RequestInfo(
            request=part.request,
            kind="claim" if part.kind == "claim" else "turn",
            legal=part.legal,
            default=part.default,
            more=part.more,
            window=part.window,
            can=part.can,
            held=part.held,
            left_ms=part.left_ms,
            bank_ms=part.bank_ms,
        )
        for part in table.request_parts(seat)
    ]
