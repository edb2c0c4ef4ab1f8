"""Questions about what is visible, and chat."""

from __future__ import annotations

from typing import Any

from engines.kit.text import Listener
from protocol.client import Ask, Chat
from protocol.server import ChatLine, Say
from server import text
from server.core.names import clean_chat
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.handlers.common import player_id, seat_of
from server.runtime.host import Host
from server.runtime.parts import raw
from server.runtime.sentences import language, listener
from server.runtime.session import Session


def ask(connection: Session, message: Ask, at: int) -> None:
    """Whatever this listener can see, as data and, if wanted, as a sentence."""
    host = connection.hub.directory.host(message.table)
    place = connection.places.get(host.id)
    if place is None:
        raise Denied("forbidden", "watch_first")
    seat = place.seat

    def look(table: Table) -> Any:
        if table.engine is None:
            return Denied("not_your_turn", "not_started")
        who = listener(table, seat, language(connection.locale))
        return _answer(table, seat, message.what, who)

    def reply(found: Any) -> None:
        if isinstance(found, Denied):
            connection.refuse(message, found, host.table)
            return
        data, sentence = found
        said = connection.says(Say(text=sentence, priority="normal", about=message.what))
        connection.ok(message, what=message.what, data=data, say=said)

    host.query(look, connection.if_open(reply))


def _answer(table: Table, seat: int | None, what: str, who: Listener) -> tuple[Any, str]:
    view = table.game.view(table.engine, seat)
    if what == "clock":
        clock = table.clock_part()
        return raw(clock), text.clock_answer(clock, who)
    if what == "legal":
        parts = table.request_parts(seat) if seat is not None else []
        actions = [action for part in parts for action in part.legal]
        return raw(actions), text.legal_answer(parts, table.game, who.locale)
    data = {
        "hand": view.hand,
        "turn": view.turn,
        "counts": view.counts,
        "score": view.scores,
    }
    return raw(data.get(what, view)), table.game.text.ask(what, view, who)


def chat(connection: Session, message: Chat, at: int) -> None:
    """A line to everyone at the table."""
    host = connection.hub.directory.host(message.table)
    place = connection.places.get(host.id)
    if place is None:
        raise Denied("forbidden", "watch_first")
    if connection.hub.once.get(player_id(connection), message.key) is not None:
        connection.ok(message)
        return
    line = clean_chat(message.text)
    if not line:
        raise Denied("bad_message", "empty_chat", field="text")
    connection.hub.once.put(player_id(connection), message.key, {})
    _say(connection, host, line)
    connection.ok(message)


def _say(connection: Session, host: Host, line: str) -> None:
    assert connection.player is not None
    told = ChatLine(
        table=host.id,
        player=connection.player.id,
        name=connection.player.name,
        text=line,
        at=connection.hub.wall.now(),
        seat=seat_of(host, connection.player.id),
    )
    host.chat.append(told)
    connection.hub.broadcast(host, told)
