"""Settling: what a window's close, a turn action and the end of a match lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from engines.kit.contract import places
from server.core import events as ev
from server.core.asking import ask, clear_claims, clear_requests, start_clock
from server.core.claims import Held, Sealed, Window
from server.core.refusals import Taken
from server.core.requests import remember

if TYPE_CHECKING:
    from server.core.table import Table


def settle_window(t: Table, window: Window, everybody_answered: bool = False) -> None:
    """The sealed time is over: the best claim, else a held turn, else the window's tail or end."""
    winners = window.winners(t.game.order(t.engine, window.opener))
    if winners:
        award(t, window, winners)
    elif window.held is not None:
        held, window.held = window.held, None
        _take_held(t, held)
    elif window.ends == "deadline" or (everybody_answered and not window.late):
        award(t, window, [])
    else:
        window.tail = True
        start_clock(t)
        _take_late(t, window)


def _take_late(t: Table, window: Window) -> None:
    """What was read between the end of the sealed time and the close: the first one takes effect."""
    if not window.late:
        return
    first = window.late.pop(0)
    if isinstance(first, Held):
        _take_held(t, first)
    else:
        window.claims.append(first)
        award(t, window, [first])


def _take_held(t: Table, held: Held) -> None:
    request = t.state.requests.get(held.request)
    if request is not None:
        remember(t, request, held.action, Taken(held=True))
    take_turn(t, held.seat, held.action)


def award(t: Table, window: Window, winners: Sequence[Sealed]) -> None:
    """Close the window and give the engine what won; with nothing, a turn request stands."""
    _tell_closed(t, window, [claim.seat for claim in winners])
    claims = [(claim.seat, claim.action) for claim in winners]
    t.tell_engine(t.game.settle(t.engine, claims, t.match.dealer))
    if not winners and _turn_stands(t):
        clear_claims(t)
    else:
        _go_on(t)


def _turn_stands(t: Table) -> bool:
    """Whether what the open turn request asks is still what the game needs."""
    turn = next((r for r in t.state.requests.values() if r.kind == "turn"), None)
    return (
        turn is not None
        and t.game.turn(t.engine) == turn.seat
        and t.game.offer(t.engine) is None
        and not t.game.outcome(t.engine).finished
    )


def _tell_closed(t: Table, window: Window, winners: Sequence[int]) -> None:
    place = {seat: i for i, seat in enumerate(t.game.order(t.engine, window.opener))}
    published = [
        _published(t, window, claim, winners)
        for claim in sorted(window.claims, key=lambda c: place[c.seat])
    ]
    t.tell(ev.WindowClosed(window.id, published))
    for dropped in window.late if window.held is None else [window.held, *window.late]:
        if isinstance(dropped, Held):
            t.tell(ev.TurnDropped(dropped.request, dropped.action), only=dropped.seat)
        else:
            t.tell(ev.ClaimDropped(dropped.request, dropped.action), only=dropped.seat)


def _published(
    t: Table, window: Window, claim: Sealed, winners: Sequence[int]
) -> ev.PublishedClaim:
    outcome: Literal["won", "lost", "false"] = "lost"
    if not claim.valid:
        outcome = "false"
    elif claim.seat in winners:
        outcome = "won"
    # A standing order's drawn time must not reach beyond a window that everybody's answers closed.
    after_ms = min(claim.after_ms, max(0, t.state.now - window.opened))
    return ev.PublishedClaim(claim.seat, str(claim.action.__struct_config__.tag), after_ms, outcome)


def take_turn(t: Table, seat: int, action: Any) -> None:
    """Give the engine a turn action that the rules allow; an open window is over with it."""
    state = t.state
    t.step.requests.add(seat)
    if state.window is not None:
        _tell_closed(t, state.window, [])
    if state.clock is not None:
        holder = state.seats[seat]
        holder.bank_ms -= state.clock.used_bank(state.now, state.config.clock, holder.bank_ms)
    t.tell_engine(t.game.apply(t.engine, seat, action, t.match.dealer))
    _go_on(t)


def _go_on(t: Table) -> None:
    """After the engine has moved: what was asked is over; ask what it needs next, or end."""
    clear_requests(t)
    outcome = t.game.outcome(t.engine)
    if outcome.finished:
        _end(t, outcome.scores, outcome.places)
        return
    if t.new_round():
        for seat in t.state.seats:
            if seat.orders and seat.orders_until == "round":
                seat.orders = {}
    ask(t)


def _end(t: Table, scores: list[int], ranking: list[int]) -> None:
    state, match = t.state, t.match
    forfeited = [i for i, seat in enumerate(state.seats) if seat.forfeited]
    if forfeited:
        ranking = with_forfeits(ranking, t.game.sides(len(ranking)), forfeited)
    state.phase = "ended"
    match.ended, match.scores, match.places = state.now, scores, ranking
    match.last_entry = state.entries
    release_seats(t)
    t.tell(ev.MatchEnded(match.id, match.id, scores, ranking, forfeited))
    t.step.seats = True


def give_up(t: Table) -> None:
    """End a match that nobody plays any more: every seat has forfeited.

    Going on by defaults might never end, e.g. where a hand that all pass is dealt again.
    """
    clear_requests(t)
    scores = t.game.outcome(t.engine).scores
    _end(t, scores, places(scores))


def with_forfeits(ranking: list[int], sides: list[int], forfeited: Sequence[int]) -> list[int]:
    """The places when the sides of these seats come last; places count sides."""
    gone = {sides[seat] for seat in forfeited}
    stay = {side: place for side, place in zip(sides, ranking, strict=True) if side not in gone}
    ranks = {
        side: 1 + sum(other < place for other in stay.values()) for side, place in stay.items()
    }
    return [ranks.get(side, len(stay) + 1) for side in sides]


def release_seats(t: Table) -> None:
    """After a match nobody is ready, no order stands, and who is away must be back for the next."""
    for seat in t.state.seats:
        seat.ready = seat.rematch = seat.driven = False
        seat.orders = {}
        if seat.state == "away" and seat.away_until is None:
            seat.away_until = t.state.now + t.state.config.away_ms
