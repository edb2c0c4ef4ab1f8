"""Who is there: absence, its policy, seats given up, and delays that are nobody's fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.core import events as ev
from server.core import play
from server.core.clocks import RESUMED_MS
from server.core.inputs import Input
from server.core.refusals import Denied, Taken

if TYPE_CHECKING:
    from server.core.table import Table


def deadline(t: Table) -> int | None:
    """When the next absent seat's policy is carried out."""
    return min(
        (seat.away_until for seat in t.state.seats if seat.away_until is not None), default=None
    )


def settle_due(t: Table, due: int) -> None:
    """Carry out the policy of the first seat that has been away for too long."""
    state = t.state
    number = next(i for i, seat in enumerate(state.seats) if seat.away_until == due)
    seat = state.seats[number]
    seat.away_until = None
    policy = state.config.away_policy
    t.step.seats = True
    if state.phase != "running":
        t.tell(ev.Stood(number, seat.name))
        _free(t, number)
        return
    t.tell(ev.PolicyApplied(number, policy))
    if policy == "forfeit":
        _forfeit(t, number)
    else:
        seat.driven = True
        _wake(t, number)


def change(t: Table, inp: Input) -> Taken:
    """`away`, `back`, `left`, or a bot put in a seat of a running match."""
    assert inp.seat is not None
    state = t.state
    seat = state.seats[inp.seat]
    if seat.player is None and inp.bot is None:
        raise Denied("not_seated")
    t.step.seats = True
    if inp.away:
        if seat.state != "here":
            t.step.seats = False
            return Taken()
        t.log(inp)
        seat.state = "away"
        if not seat.forfeited:
            seat.away_until = state.now + state.config.away_ms
        t.tell(ev.Away(inp.seat, state.config.away_policy, state.config.away_ms))
    elif inp.back:
        if seat.state != "away":
            t.step.seats = False
            return Taken()
        t.log(inp)
        seat.state, seat.away_until, seat.driven = "here", None, False
        for request in state.requests.values():
            if request.seat == inp.seat:
                request.bot_due = None
        t.tell(ev.Back(inp.seat))
    elif inp.left:
        if state.phase != "running":
            t.step.seats = False
            raise Denied("match_over")
        if seat.state == "left":
            t.step.seats = False
            return Taken()
        t.log(inp)
        seat.state, seat.away_until, seat.driven = "left", None, False
        t.tell(ev.Left(inp.seat))
        _wake(t, inp.seat)
    else:
        t.log(inp)
        seat.level, seat.state, seat.away_until = inp.bot, "bot", None
        _wake(t, inp.seat)
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
    if window is not None and not window.tail:
        if resumed:
            window.restart(state.now)
        else:
            window.shift(ms)
    if clock is not None:
        clock.shift(ms)
        if resumed:
            clock.at_least(state.now, RESUMED_MS)
        if clock.started is not None:
            t.step.clock = True
    for seat in state.seats:
        if seat.away_until is not None:
            seat.away_until += ms
    for request in state.requests.values():
        if request.bot_due is not None:
            request.bot_due += ms
    if (window is not None and not window.tail) or (
        clock is not None and clock.started is not None
    ):
        t.tell(ev.Delayed(ms, resumed))
    return Taken()


def _free(t: Table, number: int) -> None:
    from server.core.state import SeatState

    t.state.seats[number] = SeatState()


def _forfeit(t: Table, number: int) -> None:
    """The seat takes the last place and passes on: its defaults are taken at once."""
    state = t.state
    seat = state.seats[number]
    seat.forfeited = True
    clock = state.clock
    window = state.window
    if clock is not None and clock.seat == number and (window is None or window.tail):
        clock.started = clock.deadline = state.now
        clock.marks = []


def _wake(t: Table, number: int) -> None:
    for request in t.state.requests.values():
        if request.seat == number:
            play.wake_bot(t, request)
