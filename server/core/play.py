"""The running match: what falls due, and what seats send: turns, claims, withdrawals, orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.kit.contract import Decline, Refused
from server.core import events as ev
from server.core.bots import bot_due, bot_input
from server.core.claims import Held, Sealed, Window
from server.core.inputs import Input, decode_action
from server.core.refusals import Denied, Taken
from server.core.requests import check, denied, find, judge, remember, repeated, request_parts
from server.core.settling import award, settle_window, take_turn
from server.core.state import Request, SeatState

if TYPE_CHECKING:
    from server.core.table import Table

__all__ = [
    "act",
    "bot_due",
    "bot_input",
    "close_early",
    "deadline",
    "denied",
    "request_parts",
    "settle_due",
    "standing",
    "withdraw",
]


# -- what falls due ------------------------------------------------------------------------------------
def deadline(t: Table) -> int | None:
    """When the match has something to settle."""
    state = t.state
    if state.phase != "running":
        return None
    due = None
    if state.window is not None and not state.window.tail:
        due = state.window.closing
    clock = state.clock
    if clock is not None and clock.deadline is not None:
        first = clock.marks[0] if clock.marks else clock.deadline
        due = first if due is None else min(due, first)
    return due


def settle_due(t: Table, due: int) -> bool:
    """Settle the first thing due at this time; whether there was one."""
    if deadline(t) != due:
        return False
    state = t.state
    window, clock = state.window, state.clock
    if window is not None and not window.tail and window.closing == due:
        settle_window(t, window)
        return True
    assert clock is not None
    assert clock.deadline is not None
    if clock.marks and clock.marks[0] == due:
        mark = clock.marks.pop(0)
        t.tell(ev.ClockLow(clock.deadline - mark), only=clock.seat)
        return True
    if not state.seats[clock.seat].forfeited:
        t.tell(ev.TimedOut(clock.seat))
    take_turn(t, clock.seat, t.game.default(t.engine, clock.seat))
    return True


def close_early(t: Table) -> None:
    """Close a window at once when every seat with a claim request has answered, where the table
    allows that; a held turn is an answer, and a seat that left or forfeited has declined."""
    state = t.state
    while state.phase == "running" and t.match.early_close:
        window = state.window
        if window is None or window.tail or _waited_for(t, window):
            return
        settle_window(t, window, everybody_answered=True)
        t.finish_step()


def _waited_for(t: Table, window: Window) -> bool:
    held = [turn.seat for turn in window.turns()]
    return any(
        request.kind == "claim"
        and request.seat not in held
        and not _has_gone(t.state.seats[request.seat])
        for request in t.state.requests.values()
    )


def _has_gone(seat: SeatState) -> bool:
    return seat.state == "left" or seat.forfeited


# -- inputs --------------------------------------------------------------------------------------------
def act(t: Table, inp: Input) -> Taken:
    """A seat's answer to one of its requests."""
    assert inp.seat is not None
    action = inp.action = decode_action(t.game, t.action_decoder, inp.action)
    if t.state.phase == "ended" and inp.request is not None:
        before = repeated(t, inp.seat, inp.request, action)
        if before is not None:
            return before
    _running(t)
    if t.state.seats[inp.seat].forfeited:
        raise Denied("forbidden", "forfeited")
    request = find(t, inp.seat, inp.request, action)
    if isinstance(request, Taken):
        return request
    inp.request = request.id
    stamp = inp.at if inp.stamp is None else inp.stamp
    if request.kind == "claim":
        return _claim(t, inp, request, stamp)
    return _turn(t, inp, request, stamp)


def _running(t: Table) -> None:
    if t.state.phase == "ended":
        raise Denied("match_over")
    if t.state.phase != "running":
        raise Denied("not_your_turn", "not_started")


def _turn(t: Table, inp: Input, request: Request, stamp: int) -> Taken:
    check(t, request.seat, inp.action)
    window = t.state.window
    if window is not None and not window.tail:
        return _hold(t, inp, request, stamp, window)
    t.log(inp)
    t.answered = remember(t, request, inp.action, Taken())
    take_turn(t, request.seat, inp.action)
    return Taken()


def _hold(t: Table, inp: Input, request: Request, stamp: int, window: Window) -> Taken:
    """Keep a turn beside the window until the close; the one stamped last stands."""
    waiting = window.turns()
    if any(held.action == inp.action for held in waiting):
        return Taken(held=True)
    held = Held(request.seat, request.id, inp.action, stamp)
    late = stamp >= window.until
    if waiting and (late or stamp < waiting[0].stamp < window.until):
        raise Denied("stale_request", "answered")
    t.log(inp)
    if late:
        window.late.append(held)
    else:
        window.held = held
    return Taken(held=True)


def _claim(t: Table, inp: Input, request: Request, stamp: int) -> Taken:
    window = t.state.window
    assert window is not None
    seat, action = request.seat, inp.action
    declines = isinstance(action, Decline)
    late = not window.tail and stamp >= window.until
    if stamp < window.since or (late and window.ends == "deadline"):
        raise Denied("stale_request" if declines else "claim_closed")
    answer = Taken(sealed=True)
    if declines:
        t.log(inp)
        remember(t, request, action, answer)
        return answer
    claim = judge(t, seat, action)
    t.log(inp)
    after_ms = max(0, stamp - window.opened)
    sealed = Sealed(seat, request.id, action, stamp, claim.rank, claim.valid, after_ms)
    if window.tail:
        answer = Taken()
        t.answered = remember(t, request, action, answer)
        window.claims.append(sealed)
        award(t, window, [sealed])
        return answer
    remember(t, request, action, answer)
    if late:
        window.late.append(sealed)
    else:
        window.claims.append(sealed)
    return answer


def withdraw(t: Table, inp: Input) -> Taken:
    """A seat takes back its held turn; the request is unanswered again."""
    _running(t)
    window = t.state.window
    stamp = inp.at if inp.stamp is None else inp.stamp
    held = window.held if window is not None else None
    if (
        window is None
        or held is None
        or held.seat != inp.seat
        or (inp.request is not None and held.request != inp.request)
        or stamp >= window.until
    ):
        raise Denied("stale_request", "not_held")
    t.log(inp)
    window.held = None
    return Taken()


def standing(t: Table, inp: Input) -> Taken:
    """A seat's standing orders, from the next window on."""
    _running(t)
    assert inp.seat is not None
    assert inp.standing is not None
    try:
        t.game.check_orders(inp.standing)
    except Refused as refused:
        raise denied(refused) from None
    t.log(inp)
    seat = t.state.seats[inp.seat]
    seat.orders, seat.orders_until = inp.standing, inp.until
    return Taken()
