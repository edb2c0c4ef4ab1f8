"""The table before and between matches: sitting down, leaving, being ready, starting, rematches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.kit.dealer import Dealer
from server.core import events as ev
from server.core.asking import ask, clear_requests
from server.core.inputs import Input, Joiner, Start
from server.core.refusals import Denied, Taken
from server.core.settling import release_seats
from server.core.state import MatchSeat, MatchState, SeatState

if TYPE_CHECKING:
    from server.core.table import Table


def change(t: Table, inp: Input) -> Taken:
    """An input of the lobby phases."""
    if inp.join is not None:
        return _join(t, inp, inp.join)
    if inp.leave:
        return _leave(t, inp)
    if inp.ready is not None:
        return _ready(t, inp, inp.ready)
    if inp.start is not None:
        return _start(t, inp, inp.start)
    if inp.rematch:
        return _rematch(t, inp)
    raise Denied("bad_message")


def _join(t: Table, inp: Input, joiner: Joiner) -> Taken:
    state = t.state
    if state.phase == "running":
        raise Denied("already_started")
    sitting = [seat.player for seat in state.seats if seat.state != "left"]
    if joiner.player is not None and joiner.player in sitting:
        raise Denied("already_seated")
    # A seat that was given up during the match is free once it is over.
    free = [i for i, seat in enumerate(state.seats) if seat.state in ("open", "left")]
    if inp.seat is None:
        if not free:
            raise Denied("table_full")
        number = free[0]
    elif inp.seat >= len(state.seats):
        raise Denied("not_found", "no_such_seat")
    elif inp.seat not in free:
        raise Denied("table_full", "seat_taken")
    else:
        number = inp.seat
    inp.seat = number
    t.log(inp)
    bot = joiner.player is None
    state.seats[number] = SeatState(
        state="bot" if bot else "here",
        player=joiner.player,
        name=joiner.name,
        level=joiner.level,
        ready=bot,
    )
    t.tell(ev.Seated(number, joiner.name, bot))
    t.step.seats = True
    return Taken(seat=number)


def _seat(t: Table, inp: Input) -> SeatState:
    if inp.seat is None or inp.seat >= len(t.state.seats):
        raise Denied("not_seated")
    seat = t.state.seats[inp.seat]
    if seat.state == "open":
        raise Denied("not_seated")
    return seat


def _leave(t: Table, inp: Input) -> Taken:
    """Free a seat of a table that is not running (a running one takes `left`)."""
    seat = _seat(t, inp)
    if t.state.phase == "running":
        raise Denied("already_started")
    assert inp.seat is not None
    t.log(inp)
    t.tell(ev.Stood(inp.seat, seat.name))
    t.state.seats[inp.seat] = SeatState()
    t.step.seats = True
    return Taken()


def _ready(t: Table, inp: Input, ready: bool) -> Taken:
    seat = _seat(t, inp)
    if t.state.phase == "running":
        raise Denied("already_started")
    assert inp.seat is not None
    if seat.ready != ready:
        t.log(inp)
        seat.ready = ready
        t.tell(ev.IsReady(inp.seat, ready))
        t.step.seats = True
    return Taken()


def _rematch(t: Table, inp: Input) -> Taken:
    seat = _seat(t, inp)
    if t.state.phase == "waiting":
        raise Denied("not_ready", "not_started")
    if t.state.phase == "running":
        raise Denied("already_started", "not_over")
    assert inp.seat is not None
    if not seat.rematch:
        t.log(inp)
        seat.rematch = seat.ready = True
        t.tell(ev.RematchAsked(inp.seat))
        t.step.seats = True
    return Taken()


def can_start(t: Table) -> bool:
    """Whether a table starts by itself: full, and every player is ready (or wants the rematch)."""
    if t.state.phase == "running":
        return False
    seats = t.state.seats
    return all(seat.state == "bot" or (seat.state == "here" and seat.ready) for seat in seats)


def _start(t: Table, inp: Input, start: Start) -> Taken:
    state = t.state
    if state.phase == "running":
        raise Denied("already_started")
    if any(seat.state in ("open", "left") for seat in state.seats):
        raise Denied("not_ready", "seats_open")
    if any(seat.state == "away" for seat in state.seats):
        # A record begins with everybody there.
        raise Denied("not_ready", "players_away")
    t.log(inp)
    config = state.config
    key = bytes.fromhex(config.seed or start.seed)
    number = start.number or (state.match.number + 1 if state.match is not None else 1)
    humans = sum(seat.player is not None for seat in state.seats)
    early = config.early_close
    if early is None:
        early = humans <= 1 or config.speed == "instant"
    earlier = [*state.unstored] if state.match is None else [*state.unstored, state.match]
    state.unstored = [match for match in earlier if match.id not in start.stored]
    state.match = MatchState(
        id=start.match,
        number=number,
        seed=key.hex(),
        started=state.now,
        early_close=early and not config.rated,
        first_entry=state.entries,
        starts=list(state.numbers),
        players=[MatchSeat(seat.name, seat.player, seat.level) for seat in state.seats],
        dealer=Dealer(key, [list(deck) for deck in config.decks], config.first),
    )
    state.phase = "running"
    state.next_request = state.next_window = 1
    state.answered = [[] for _ in state.seats]
    for seat in state.seats:
        seat.bank_ms = config.clock.bank_ms or 0
        seat.forfeited = seat.driven = seat.rematch = seat.ready = False
    t.tell(ev.MatchStarted(start.match, number, state.match.early_close))
    t.step.seats = True
    t.engine, events = t.game.start(t.options, config.seats, state.match.dealer)
    t.tell_engine(events)
    t.new_round()
    ask(t)
    return Taken()


def void(t: Table, inp: Input) -> Taken:
    """Give up the running match for a fault of ours."""
    if t.state.phase != "running":
        raise Denied("match_over")
    assert inp.void is not None
    t.log(inp)
    clear_requests(t)
    t.state.phase = "ended"
    t.match.ended, t.match.voided, t.match.last_entry = t.state.now, True, t.state.entries
    release_seats(t)
    t.tell(ev.MatchVoided(t.match.id, inp.void))
    t.step.seats = True
    return Taken()
