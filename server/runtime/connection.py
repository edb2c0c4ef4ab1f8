"""One connection's session: who it is, what it listens to, and its one answer to every request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import structlog

from protocol.client import ClientMessage, Identify, Ping
from protocol.codec import BadMessage, NotAnObject, decode, encode
from protocol.codes import Close, retry
from protocol.server import Error, Ok, Pong, RequestInfo, Say, ServerMessage, Top
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.metrics import REFUSALS
from server.runtime.sentences import language
from server.store.models import Player
from server.transport.base import Message, Socket, clock

if TYPE_CHECKING:
    from server.runtime.channel import Subscription
    from server.runtime.host import Host
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.connection")


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


class Connection:
    """A session over one socket. language: of its sentences, None if it wants none.

    Messages that come while its token is looked up wait for that, so that their order holds.
    """

    def __init__(self, hub: Hub, socket: Socket) -> None:
        self.hub = hub
        self.socket = socket
        self.player: Player | None = None
        self.locale = "en"
        self.language: str | None = None
        self.places: dict[str, Place] = {}
        self.last_seen = self.opened = clock()
        self.identifying = False
        self.watches_lobby = False
        self._waiting: list[tuple[ClientMessage, int]] = []
        socket.on_message = self._on_message
        socket.on_close = self._on_close
        self.send(hub.hello())
        self._deadline = asyncio.get_running_loop().call_later(
            hub.settings.identify_ms / 1000, self._not_identified
        )

    # -- in -------------------------------------------------------------------------------------------
    def _on_message(self, payload: bytes, stamp: float) -> None:
        self.last_seen = stamp
        try:
            message = decode(payload)
        except BadMessage as bad:
            self.error(bad.re, bad.code, str(bad), field=bad.field)
            return
        except NotAnObject:
            self.socket.close(Close.BAD_FRAME, "not a JSON object")
            return
        at = self.hub.wall.at(stamp)
        if self.identifying:
            self._waiting.append((message, at))
            return
        self._take(message, at)

    def _take(self, message: ClientMessage, at: int) -> None:
        if isinstance(message, Ping):
            self.send(Pong(re=message.id, now=self.hub.wall.now(), at=self.tops()))
            return
        if isinstance(message, Identify):
            self.identifying = True
            self.hub.spawn(self._identify(message))
            return
        if self.player is None:
            self.refuse(message, Denied("not_identified"))
            return
        limited = self.hub.limits.check(self, message)
        if limited is not None:
            self.error(message.id, "rate_limited", self._sentence("rate_limited"), after_ms=limited)
            return
        try:
            self.hub.handlers[type(message)](self, message, at)
        except Denied as denied:
            self.refuse(message, denied)
        except Exception:
            log.exception("handler_failed", type=type(message).__name__)
            self.refuse(message, Denied("internal"))

    async def _identify(self, message: Identify) -> None:
        try:
            await self.hub.identify(self, message)
        except Denied as denied:
            self.refuse(message, denied)
        except Exception:
            log.exception("identify_failed")
            self.refuse(message, Denied("internal"))
        finally:
            self.identifying = False
            waiting, self._waiting = self._waiting, []
            for later, at in waiting:
                if self.identifying:
                    self._waiting.append((later, at))
                else:
                    self._take(later, at)

    def identified(self, player: Player, message: Identify) -> None:
        """From now on this connection speaks for the player."""
        self._deadline.cancel()
        self.player = player
        self.locale = message.locale
        self.language = language(message.locale) if "say" in message.want else None

    def _not_identified(self) -> None:
        if self.player is None:
            self.socket.close(Close.IDENTIFY, "identify first")

    def _on_close(self, code: int) -> None:
        self._deadline.cancel()
        self._waiting = []
        self.hub.gone(self)

    # -- out ------------------------------------------------------------------------------------------
    def send(self, message: ServerMessage) -> None:
        """Write a message of this connection alone."""
        self.socket.send(Message(encode(message)))

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
