"""Who is there: absence, its policy, seats given up, and delays that are nobody's fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.core import bots
from server.core import events as ev
from server.core.clocks import RESUMED_MS
from server.core.inputs import Input
from server.core.refusals import Denied, Taken
from server.core.settling import give_up
from server.core.state import SeatState

if TYPE_CHECKING:
    from server.core.table import Table


def deadline(t: Table) -> int | None:
    """When the next absent seat's policy is carried out."""
    due = None
    for seat in t.state.seats:
        if seat.away_until is not None and (due is None or seat.away_until < due):
            due = seat.away_until
    return due


def settle_due(t: Table, due: int) -> None:
    """Carry out the policy of the first seat that has been away for too long."""
    state = t.state
    number = next(i for i, seat in enumerate(state.seats) if seat.away_until == due)
    seat = state.seats[number]
    policy = t.away_policy
    seat.away_until = None
    t.step.seats = True
    if policy == "stand":
        t.tell(ev.Stood(number, seat.name))
        state.seats[number] = SeatState()
        return
    t.tell(ev.PolicyApplied(number, policy))
    if policy == "forfeit":
        _forfeit(t, number)
    else:
        seat.driven = True
        _wake(t, number)


def change(t: Table, inp: Input) -> Taken:
    """`away`, `back`, `left`, or a bot put in a seat of a running match. Without effect, no entry."""
    assert inp.seat is not None
    seat = t.state.seats[inp.seat]
    if inp.bot is not None:
        return _put_bot(t, inp, inp.seat, seat, inp.bot)
    if seat.player is None:
        raise Denied("not_seated")
    if inp.away:
        return _away(t, inp, inp.seat, seat)
    if inp.back:
        return _back(t, inp, inp.seat, seat)
    return _left(t, inp, inp.seat, seat)


def _away(t: Table, inp: Input, number: int, seat: SeatState) -> Taken:
    if seat.state != "here":
        return Taken()
    t.log(inp)
    away_ms = t.state.config.away_ms
    seat.state = "away"
    if not seat.forfeited or t.away_policy == "stand":
        seat.away_until = t.state.now + away_ms
    t.tell(ev.Away(number, t.away_policy, away_ms))
    t.step.seats = True
    return Taken()


def _back(t: Table, inp: Input, number: int, seat: SeatState) -> Taken:
    if seat.state != "away":
        return Taken()
    t.log(inp)
    seat.state, seat.away_until, seat.driven = "here", None, False
    for request in t.state.requests.values():
        if request.seat == number:
            request.bot_due = None
    t.tell(ev.Back(number))
    t.step.seats = True
    return Taken()


def _left(t: Table, inp: Input, number: int, seat: SeatState) -> Taken:
    if t.state.phase != "running":
        raise Denied("match_over" if t.state.phase == "ended" else "not_ready", "not_started")
    if seat.state == "left":
        return Taken()
    t.log(inp)
    seat.state, seat.away_until, seat.driven = "left", None, False
    t.tell(ev.Left(number))
    t.step.seats = True
    _wake(t, number)
    return Taken()


def _put_bot(t: Table, inp: Input, number: int, seat: SeatState, level: str) -> Taken:
    if seat.state == "bot" and seat.level == level:
        return Taken()
    t.log(inp)
    seat.level, seat.state, seat.away_until, seat.driven = level, "bot", None, False
    t.tell(ev.Seated(number, seat.name, bot=True))
    t.step.seats = True
    _wake(t, number)
    return Taken()


def delay(t: Table, inp: Input) -> Taken:
    """The table stood still: `stalled` by a slow commit, or `resumed` after a takeover.

    Every running deadline moves. After a takeover an open window begins again at full length and a
    running clock has at least 3 s. Like any input it comes after what was due at its time; the shell
    therefore dates a stall at the table's last input, before anything that the stall delayed.
    """
    state = t.state
    ms = inp.stalled if inp.stalled is not None else inp.resumed
    assert ms is not None
    t.log(inp)
    resumed = inp.resumed is not None
    window, clock = state.window, state.clock
    open_window = window is not None and not window.tail
    if window is not None and open_window:
        if resumed:
            window.restart(state.now)
        else:
            window.shift(ms, state.now)
    if clock is not None and clock.started is not None:
        clock.shift(ms)
        if resumed:
            clock.at_least(state.now, RESUMED_MS)
        t.step.clock = True
    for seat in state.seats:
        if seat.away_until is not None:
            seat.away_until += ms
    for request in state.requests.values():
        if request.bot_due is not None:
            request.bot_due += ms
    if (resumed and state.phase == "running") or open_window or t.step.clock:
        t.tell(ev.Delayed(ms, resumed))
    return Taken()


def _forfeit(t: Table, number: int) -> None:
    """The seat takes the last place and passes on: its defaults are taken at once."""
    state = t.state
    state.seats[number].forfeited = True
    if all(seat.forfeited for seat in state.seats):
        give_up(t)
        return
    window, clock = state.window, state.clock
    if window is not None and window.held is not None and window.held.seat == number:
        window.held = None
    if clock is not None and clock.seat == number and (window is None or window.tail):
        clock.expire(state.now)


def _wake(t: Table, number: int) -> None:
    for request in t.state.requests.values():
        if request.seat == number:
            bots.wake(t, request)
