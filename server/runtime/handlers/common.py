"""What the handlers share: finding a seat, and answering with what the table says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.client import ClientMessage
from server.core.inputs import Input
from server.core.refusals import Denied, Taken
from server.runtime.host import Host
from server.runtime.session import Session, request_infos


def player_id(connection: Session) -> str:
    """The id of the connection's player; handlers run only for identified ones."""
    assert connection.player is not None
    return connection.player.id


def seat_of(host: Host, player: str) -> int | None:
    """The player's seat at the table, unless he gave it up."""
    for number, seat in enumerate(host.table.state.seats):
        if seat.player == player and seat.state != "left":
            return number
    return None


def own_seat(connection: Session, host: Host) -> int:
    """The seat of this connection's player. Raises Denied `not_seated`."""
    seat = seat_of(host, player_id(connection))
    if seat is None:
        raise Denied("not_seated")
    return seat


def host_only(connection: Session, host: Host) -> None:
    """Raise Denied unless the connection's player made the table."""
    if host.table.state.config.host != player_id(connection):
        raise Denied("forbidden", "host_only")


def may_see(connection: Session, host: Host, invite: str | None) -> None:
    """Raise Denied `not_found` for a private table without its code; a wrong code tells nothing."""
    config = host.table.state.config
    if config.visibility == "public":
        return
    player = player_id(connection)
    if invite == config.invite:
        host.admitted.add(player)
        return
    if player == config.host or player in host.admitted or seat_of(host, player) is not None:
        return
    raise Denied("not_found", "no_such_table")


def answer(
    connection: Session, message: ClientMessage, host: Host, seat: int | None = None
) -> Callable[[Taken | Denied], None]:
    """What answers a message with the table's word; a seat's refusal carries the requests that stand."""

    def reply(result: Taken | Denied) -> None:
        if isinstance(result, Denied):
            requests = None
            if seat is not None and host.down is None:
                requests = request_infos(host.table, seat)
            connection.refuse(message, result, host.table, requests)
        else:
            connection.ok(message, seq=result.seq or None, held=result.held, sealed=result.sealed)

    return connection.if_open(reply)


def submit(
    connection: Session, message: ClientMessage, host: Host, at: int, seat: int, **what: Any
) -> None:
    """Hand an input of the connection's seat to the table and answer with what comes of it."""
    host.submit(Input(at=at, seat=seat, **what), answer(connection, message, host, seat))
