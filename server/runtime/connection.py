"""A session over a socket of this process: what comes in, in order, with one answer each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from protocol.client import ClientMessage, Identify, Ping
from protocol.codec import BadMessage, NotAnObject, decode
from protocol.codes import Close
from protocol.server import Pong
from server.core.refusals import Denied
from server.runtime.sentences import language
from server.runtime.session import Session
from server.store.models import Player
from server.transport.base import Socket

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.connection")


class Connection(Session):
    """A session over a socket of this process.

    Messages that come while its token is looked up wait for that, so that their order holds.
    stuck_since: since when its peer has taken nothing of what waits for it, as far as was looked.
    """

    def __init__(self, hub: Hub, socket: Socket) -> None:
        super().__init__(hub, socket)
        self.socket: Socket = socket
        self.last_seen = self.opened = self.stuck_since = hub.wall.steady()
        self._unsent = 0
        self.identifying = False
        self._waiting: list[tuple[ClientMessage, int]] = []
        socket.on_message = self._on_message
        socket.on_close = self._on_close
        self.send(hub.hello())
        self._deadline = asyncio.get_running_loop().call_later(
            hub.settings.identify_ms / 1000, self._not_identified
        )

    def look(self, now: float) -> int:
        """Bytes that wait for its peer; to be asked every second or so."""
        unsent = self.socket.unsent
        if not unsent or unsent < self._unsent:
            self.stuck_since = now
        self._unsent = unsent
        return unsent

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
            self.send(Pong(re=message.id, now=self.hub.wall.now(), at=self.hub.tops(self)))
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
        self.again(message, at)

    def again(self, message: ClientMessage, at: int) -> None:
        """Carry a message out, here or where its table is."""
        try:
            if self.hub.forwards(message):
                self.hub.forward(self, message, at)
            else:
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
            # What was asked on a line that has been closed meanwhile is answered by the closing.
            for later, at in waiting if self.socket.is_open else ():
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
