"""Listening to a table's stream: watching, taking one's own seat's stream, and resuming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from protocol.client import ClientMessage, Place, Unwatch, Watch
from protocol.server import Clock, Frozen, Requests, Snapshot, Thawed, Top, Unseated
from server.core.frames import DELAYED, PUBLIC
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.channel import Subscription
from server.runtime.delayed import Delayed
from server.runtime.handlers.common import may_see, player_id, seat_of
from server.runtime.host import Host
from server.runtime.lobby import seat_infos, table_info
from server.runtime.parts import Parts
from server.runtime.session import Place as Listening
from server.runtime.session import Session, encoded, request_infos


def watch(connection: Session, message: Watch, at: int) -> None:
    """A table's stream from now on: the own seat's where one sits there, else the public one."""
    host = connection.hub.directory.host(message.table)
    may_see(connection, host, message.invite)
    seat = seat_of(host, player_id(connection))
    if message.stream in (PUBLIC, DELAYED):
        seat = None
        if message.stream != host.channels[host.place_of(None)].name:
            raise Denied("forbidden", "not_your_stream")
    elif message.stream is not None and message.stream != f"seat:{seat}":
        raise Denied("forbidden", "not_your_stream")
    listen(connection, message, host, seat, message.detail == "view")


def unwatch(connection: Session, message: Unwatch, at: int) -> None:
    """No more frames of the table on this connection."""
    host = connection.hub.directory.find(message.table)
    if host is not None:
        host.returning.pop(connection, None)
    connection.hub.leave_place(connection, message.table)
    connection.ok(message)


def listen(
    connection: Session, message: ClientMessage, host: Host, seat: int | None, view: bool
) -> None:
    """Answer, send the stream's present, and what comes after."""
    index = host.place_of(seat)

    def look(table: Table) -> Snapshot:
        attach(connection, host, index, seat, view)
        return snapshot(host, index, seat, connection)

    def reply(found: Snapshot | Denied) -> None:
        if isinstance(found, Denied):
            _detach(connection, host, index)
            connection.refuse(message, found)
            return
        connection.ok(message, table=host.id, seat=seat)
        connection.send(found)

    host.query(look, connection.if_open(reply))


def attach(connection: Session, host: Host, index: int, seat: int | None, view: bool) -> None:
    """From the number that the table has now on, the connection gets the stream's frames."""
    host.returning.pop(connection, None)
    connection.hub.leave_place(connection, host.id)
    subscription = Subscription(connection, view, host.number(index))
    host.channels[index].listeners[connection] = subscription
    connection.places[host.id] = Listening(host, index, seat, subscription)
    if seat is not None:
        connection.hub.presence.took(host, seat, connection)
        # The seat may be back by this: that frame is part of the present that the connection is sent.
        subscription.after = host.number(index)
    host.set_wanted()


def _detach(connection: Session, host: Host, index: int) -> None:
    """The stream's present never went out, so no frame may follow it."""
    host.channels[index].listeners.pop(connection, None)
    host.set_wanted()


def snapshot(host: Host, index: int, seat: int | None, connection: Session) -> Snapshot:
    """The stream's whole present."""
    table = host.table
    state = table.state
    if host.delayed is not None and index > host.public:
        return _delayed_snapshot(host, host.delayed)
    clock = table.clock_part()
    view = None if table.engine is None else table.game.view(table.engine, seat)
    return Snapshot(
        table=host.id,
        stream=host.channels[index].name,
        epoch=state.config.epoch,
        seq=state.numbers[index],
        info=table_info(host),
        seats=seat_infos(table),
        view=view,
        clock=None
        if clock is None
        else Clock(
            seat=clock.seat, left_ms=clock.left_ms, bank_ms=clock.bank_ms, running=clock.running
        ),
        window=window_info(table),
        requests=request_infos(table, seat) if seat is not None else None,
        chat=list(host.chat),
    )


def _delayed_snapshot(host: Host, delayed: Delayed) -> Snapshot:
    """The present of the delayed stream: what it has shown so far."""
    return Snapshot(
        table=host.id,
        stream=DELAYED,
        epoch=host.table.state.config.epoch,
        seq=delayed.number,
        info=table_info(host),
        seats=delayed.seats,  # type: ignore[arg-type]  # encoded already
        view=delayed.view,
        clock=delayed.clock,  # type: ignore[arg-type]  # encoded already
        chat=list(host.chat),
    )


def window_info(table: Table) -> dict[str, Any] | None:
    """The open window as a snapshot tells it; left_ms: of its sealed time."""
    window = table.state.window
    if window is None:
        return None
    return {
        "window": window.id,
        "kinds": window.kinds,
        "opener": window.opener,
        "claim_ms": window.claim_ms,
        "grace_ms": window.grace_ms,
        "ends": window.ends,
        "left_ms": 0 if window.tail else max(0, window.until - table.state.now),
    }


def resumable(connection: Session, places: Sequence[Place]) -> list[tuple[Place, Top]]:
    """The places of a lost connection that are still open to its player, with their top numbers."""
    found = []
    for place in places:
        host = connection.hub.directory.hosts.get(place.table)
        if host is None:
            continue
        try:
            index = host.index(place.stream)
            _seat(connection, host, place.stream)
        except (KeyError, Denied):
            continue
        top = Top(
            table=host.id,
            stream=place.stream,
            epoch=host.table.state.config.epoch,
            seq=host.shown_number(index),
        )
        found.append((place, top))
    return found


def _seat(connection: Session, host: Host, stream: str) -> int | None:
    """The seat whose stream it is, None for a public one. Raises Denied for another's."""
    if stream in (PUBLIC, DELAYED):
        if stream != host.channels[host.place_of(None)].name:
            raise Denied("forbidden", "not_your_stream")
        may_see(connection, host, None)
        return None
    seat = seat_of(host, player_id(connection))
    if stream != f"seat:{seat}":
        raise Denied("forbidden", "not_your_stream")
    return seat


def resume(connection: Session, place: Place) -> None:
    """Send exactly the missing frames, or a snapshot; then the open requests."""
    host = connection.hub.directory.hosts.get(place.table)
    if host is None:
        return
    index = host.index(place.stream)
    seat = _seat(connection, host, place.stream)
    view = place.detail == "view"

    def look(table: Table) -> list[Callable[[], None]]:
        attach(connection, host, index, seat, view)
        missing = None
        if place.epoch == table.state.config.epoch and index <= host.public:
            missing = host.channels[index].since(place.seq, host.number(index))
        sends: list[Callable[[], None]] = []
        if missing is None:
            present = encoded(snapshot(host, index, seat, connection))
            sends.append(lambda: connection.socket.send(present))
        else:
            sends += [_sender(connection, parts, view) for parts in missing]
        if seat is not None:
            asked = Requests(
                table=host.id, stream=place.stream, requests=request_infos(table, seat)
            )
            requests = encoded(asked)
            sends.append(lambda: connection.socket.send(requests))
        return sends

    def reply(sends: Any) -> None:
        if isinstance(sends, Denied):
            _detach(connection, host, index)
            # The client was told where its stream stands: it hears the rest when the table goes on, here
            # or in another process.
            host.returning[connection] = place
            if host.frozen:
                connection.send(Frozen(table=host.id))
                host.when_thawed.append(lambda: _again(connection, host))
            return
        for send in sends:
            send()

    host.query(look, connection.if_open(reply))


def _again(connection: Session, host: Host) -> None:
    """The table goes on: so does who came back meanwhile."""
    place = host.returning.pop(connection, None)
    if place is None or not connection.socket.is_open:
        return
    if resumable(connection, [place]):
        # He was no listener when the others were told.
        connection.send(Thawed(table=host.id))
        resume(connection, place)
    else:
        connection.send(Unseated(table=host.id, why="closed"))


def _sender(connection: Session, parts: Parts, view: bool) -> Callable[[], None]:
    def send() -> None:
        connection.socket.send(parts.message(view, connection.language))

    return send
