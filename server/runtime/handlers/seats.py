"""Taking and leaving seats, bots, starting, rematches."""

from __future__ import annotations

from protocol.client import AddBot, JoinTable, LeaveTable, Ready, Rematch, RemoveBot, Start
from server.core.inputs import Input, Joiner
from server.core.refusals import Denied, Taken
from server.runtime.handlers.common import (
    answer,
    host_only,
    may_see,
    own_seat,
    player_id,
    seat_of,
    submit,
)
from server.runtime.handlers.places import listen
from server.runtime.session import Session


def join_table(connection: Session, message: JoinTable, at: int) -> None:
    """Take a seat and its stream; whoever has one already goes on with it."""
    host = connection.hub.directory.host(message.table)
    may_see(connection, host, message.invite)
    assert connection.player is not None
    view = message.detail == "view"
    seat = seat_of(host, player_id(connection))
    if seat is not None:
        if message.seat is not None and message.seat != seat:
            raise Denied("already_seated")
        listen(connection, message, host, seat, view)
        return
    joiner = Joiner(connection.player.name, player=connection.player.id)

    def reply(result: Taken | Denied) -> None:
        if isinstance(result, Denied):
            connection.refuse(message, result, host.table)
        else:
            listen(connection, message, host, result.seat, view)

    host.submit(Input(at=at, seat=message.seat, join=joiner), connection.if_open(reply))


def leave_table(connection: Session, message: LeaveTable, at: int) -> None:
    """Give up the seat; a bot plays a running match to its end."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)
    running = host.table.state.phase == "running"

    def reply(result: Taken | Denied) -> None:
        if isinstance(result, Denied):
            connection.refuse(message, result, host.table)
            return
        controller = host.controllers.get(seat)
        connection.hub.presence.freed(host, seat)
        if controller is not None:
            connection.hub.unseat(controller, host, "left")
        connection.ok(message)

    host.submit(Input(at=at, seat=seat, left=running, leave=not running), connection.if_open(reply))


def ready(connection: Session, message: Ready, at: int) -> None:
    """Ready, or not; a full table whose players all are starts by itself."""
    host = connection.hub.directory.host(message.table)
    seat = own_seat(connection, host)
    submit(connection, message, host, at, seat, ready=message.ready)


def add_bot(connection: Session, message: AddBot, at: int) -> None:
    """Seat a bot."""
    host = connection.hub.directory.host(message.table)
    host_only(connection, host)
    levels = host.table.game.bots
    if message.level not in levels:
        detail = f"level: {host.table.game.name} has the bots {', '.join(levels)}"
        raise Denied("bad_options", "bad_options", detail=detail)
    inp = connection.hub.directory.bot_input(host, message.level, 0, message.seat)
    host.submit(inp, answer(connection, message, host))


def remove_bot(connection: Session, message: RemoveBot, at: int) -> None:
    """Take a bot away."""
    host = connection.hub.directory.host(message.table)
    host_only(connection, host)
    seats = host.table.state.seats
    if message.seat >= len(seats) or seats[message.seat].state != "bot":
        raise Denied("not_found", "no_bot_there")
    host.submit(Input(at=at, seat=message.seat, leave=True), answer(connection, message, host))


def start(connection: Session, message: Start, at: int) -> None:
    """Start a full table now."""
    host = connection.hub.directory.host(message.table)
    host_only(connection, host)
    host.start_now(at, answer(connection, message, host))


def rematch(connection: Session, message: Rematch, at: int) -> None:
    """Another match at the same table."""
    host = connection.hub.directory.host(message.table)
    submit(connection, message, host, at, own_seat(connection, host), rematch=True)
