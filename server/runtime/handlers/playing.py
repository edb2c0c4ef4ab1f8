"""Actions, held turns, legality, standing orders."""

from __future__ import annotations

from typing import Any

from engines.kit.contract import Decline, Refused
from protocol.client import Act, Legal, Standing, Withdraw
from server.core.play import denied as as_denied
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.handlers.common import own_seat, submit
from server.runtime.parts import raw
from server.runtime.session import Session, request_infos


def act(connection: Session, message: Act, at: int) -> None:
    """Answer a request."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)
    submit(connection, message, host, at, seat, request=message.request, action=message.action)


def withdraw(connection: Session, message: Withdraw, at: int) -> None:
    """Take back a held turn."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)
    submit(connection, message, host, at, seat, request=message.request, withdraw=True)


def standing(connection: Session, message: Standing, at: int) -> None:
    """Give standing orders, or take them back."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)
    submit(connection, message, host, at, seat, standing=message.orders, until=message.until)


def legal(connection: Session, message: Legal, at: int) -> None:
    """Every legal action with exactly these pieces, or the rule that forbids them."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)

    def look(table: Table) -> Any:
        request = table.state.requests.get(message.request)
        if request is None or request.seat != seat:
            return Denied("stale_request"), request_infos(table, seat)
        try:
            if request.kind == "claim":
                return _claims(table, seat, message.tiles), False
            if not message.tiles:
                found = table.game.legal(table.engine, seat)
            else:
                found = table.game.explain(table.engine, seat, message.tiles)
            return raw(found.actions), found.more
        except Refused as refused:
            return as_denied(refused), request_infos(table, seat)

    def reply(result: Any) -> None:
        if isinstance(result, Denied):
            connection.refuse(message, result, host.table)
            return
        found, more = result
        if isinstance(found, Denied):
            connection.refuse(message, found, host.table, more)
        else:
            connection.ok(message, legal=found, more=more)

    host.query(look, connection.if_open(reply))


def _claims(table: Table, seat: int, pieces: list[str]) -> Any:
    """The claims of the open offer that this seat could make now, with these pieces if any."""
    from engines.kit.contract import pieces_of

    offer = table.offer
    found = []
    for action in offer.legal if offer is not None else ():
        if pieces and sorted(pieces_of(action)) != sorted(pieces):
            continue
        if not isinstance(action, Decline):
            try:
                table.game.claim(table.engine, seat, action)
            except Refused:
                continue
        found.append(action)
    return raw(found)
