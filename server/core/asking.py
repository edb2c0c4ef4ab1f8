"""Asking: the window, the requests and the clock that the engine's state calls for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engines.kit.contract import Decline, Offer
from server.core import bots
from server.core import events as ev
from server.core.claims import Sealed, Window
from server.core.clocks import Clock
from server.core.refusals import Taken
from server.core.requests import remember
from server.core.state import Request

if TYPE_CHECKING:
    from server.core.table import Table

QUICK_MS = (200, 1_200)
"""The published time of a standing order's claim is drawn between these, as a quick player's."""


def ask(t: Table) -> None:
    """Open the window and the requests that the engine's state calls for."""
    state = t.state
    offer = t.game.offer(t.engine)
    if offer is not None:
        _open_window(t, offer)
    seat = t.game.turn(t.engine)
    if seat is not None:
        _open_request(t, seat, "turn")
        state.clock = Clock(seat)
        t.step.clock = True
        if offer is None:
            start_clock(t)


def _open_window(t: Table, offer: Offer) -> None:
    state = t.state
    rules = state.config.clock
    until = state.now + offer.claim_ms + rules.grace_ms
    window = state.window = Window(
        id=t.match.name("w", state.next_window),
        kinds=offer.kinds,
        opener=offer.opener,
        claim_ms=offer.claim_ms,
        grace_ms=rules.grace_ms,
        ends=offer.ends,
        wins=offer.wins,
        beside=offer.beside,
        since=state.now,
        opened=state.now,
        until=until,
        closing=until + rules.settle_ms,
    )
    state.next_window += 1
    t.keep_offer(window.id, offer)
    t.tell(
        ev.WindowOpened(
            window.id, offer.kinds, offer.opener, offer.claim_ms, rules.grace_ms, offer.ends
        )
    )
    for seat in range(len(state.seats)):
        if seat != offer.opener:
            request = _open_request(t, seat, "claim", window.id)
            _standing_claim(t, window, request)


def _standing_claim(t: Table, window: Window, request: Request) -> None:
    """Carry out a seat's standing order: a claim stamped at the opening, or a decline."""
    seat = t.state.seats[request.seat]
    if not seat.orders:
        return
    action = t.game.standing(t.engine, request.seat, seat.orders)
    if action is None:
        return
    if not isinstance(action, Decline):
        claim = t.game.claim(t.engine, request.seat, action)
        after_ms = _quick(t, window, request.seat)
        window.claims.append(
            Sealed(
                request.seat, request.id, action, window.opened, claim.rank, claim.valid, after_ms
            )
        )
    remember(t, request, action, Taken(sealed=True))


def _quick(t: Table, window: Window, seat: int) -> int:
    low, high = (min(ms, max(0, window.claim_ms + window.grace_ms - 1)) for ms in QUICK_MS)
    return low + bots.stream(t, f"standing:{window.id}:{seat}").below(high - low + 1)


def _open_request(
    t: Table, seat: int, kind: Literal["turn", "claim"], window: str | None = None
) -> Request:
    state = t.state
    request = Request(
        id=t.match.name("r", state.next_request),
        seat=seat,
        kind=kind,
        opened=state.now,
        window=window,
    )
    state.next_request += 1
    state.requests[request.id] = request
    t.step.requests.add(seat)
    if state.seats[seat].by_bot:
        bots.wake(t, request)
    return request


def start_clock(t: Table) -> None:
    """Let the clock of the seat to act run; a seat that forfeited has no time at all."""
    state = t.state
    clock = state.clock
    if clock is None:
        return
    seat = state.seats[clock.seat]
    if seat.forfeited:
        clock.expire(state.now)
        return
    clock.start(state.now, state.config.clock, seat.bank_ms)
    if clock.started is not None:
        t.step.clock = True


def clear_requests(t: Table) -> None:
    """Close every open request with its window and clock."""
    state = t.state
    for request in state.requests.values():
        t.step.requests.add(request.seat)
    state.requests = {}
    state.window = None
    if state.clock is not None:
        t.step.stopped = state.clock.seat
        state.clock = None


def clear_claims(t: Table) -> None:
    """Close the window with its requests; the turn request stands, and its clock starts."""
    state = t.state
    for request in list(state.requests.values()):
        if request.kind == "claim":
            t.step.requests.add(request.seat)
            del state.requests[request.id]
    state.window = None
    start_clock(t)
