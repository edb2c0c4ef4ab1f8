"""The running match: turn requests, claim windows, the clock, time-outs, and the engine's calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engines.kit.contract import Ask, Decline, Offer, Refused
from engines.kit.stream import Stream
from server.core import events as ev
from server.core.claims import Held, Sealed, Window
from server.core.clocks import Clock
from server.core.frames import RequestPart
from server.core.inputs import Input
from server.core.refusals import Denied, Taken
from server.core.state import KEEP_ANSWERED, KEEP_CLOSED, Answered, Request

if TYPE_CHECKING:
    from server.core.table import Table

STANDING_MS = 1_200
"""The published time of a standing order's claim is drawn from this span, as a quick player's."""
DECLINE = Decline()


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
        _settle_window(t, window)
        return True
    assert clock is not None
    assert clock.deadline is not None
    if clock.marks and clock.marks[0] == due:
        mark = clock.marks.pop(0)
        t.tell(ev.ClockLow(clock.deadline - mark), only=clock.seat)
        return True
    if not state.seats[clock.seat].forfeited:
        t.tell(ev.TimedOut(clock.seat))
    _take_turn(t, clock.seat, t.game.default(t.engine, clock.seat))
    return True


def close_early(t: Table) -> None:
    """Close a window at once when every seat with a claim request has answered, where the table
    allows that; a held turn is an answer, and a seat that left or forfeited has declined."""
    state = t.state
    while state.phase == "running" and t.match.early_close:
        window = state.window
        if window is None or window.tail or _waited_for(t, window):
            return
        _settle_window(t, window, everybody_answered=True)
        t.finish_step()


def _waited_for(t: Table, window: Window) -> bool:
    held = window.held.seat if window.held is not None else None
    for request in t.state.requests.values():
        seat = t.state.seats[request.seat]
        if request.kind == "claim" and request.seat != held and not _has_gone(seat):
            return True
    return False


def _has_gone(seat: Any) -> bool:
    return bool(seat.state == "left" or seat.forfeited)


# -- inputs --------------------------------------------------------------------------------------------
def act(t: Table, inp: Input) -> Taken:
    """A seat's answer to one of its requests."""
    from server.core.table import decode_action

    _running(t)
    assert inp.seat is not None
    action = inp.action = decode_action(t, inp.action)
    stamp = inp.at if inp.stamp is None else inp.stamp
    request = _request(t, inp.seat, inp.request, action)
    if isinstance(request, Taken):
        return request
    inp.request = request.id
    if request.kind == "claim":
        return _claim(t, inp, request, stamp)
    return _turn(t, inp, request, stamp)


def _running(t: Table) -> None:
    if t.state.phase == "ended":
        raise Denied("match_over")
    if t.state.phase != "running":
        raise Denied("not_your_turn", "not_started")


def _request(t: Table, seat: int, name: str | None, action: Any) -> Request | Taken:
    """The open request that is answered, or the answer that it got before."""
    state = t.state
    if name is None:
        name = _implied(t, seat, action)
    request = state.requests.get(name)
    if request is not None and request.seat == seat:
        return request
    for old in state.answered:
        if old.request == name and old.seat == seat:
            if old.action == action:
                return old.answer
            raise Denied("stale_request", "answered")
    if name in state.closed_claims and not isinstance(action, Decline):
        raise Denied("claim_closed")
    raise Denied("stale_request")


def _implied(t: Table, seat: int, action: Any) -> str:
    """The request that an action without a name answers, as in a record."""
    state = t.state
    kind = action.__struct_config__.tag
    claim = isinstance(action, Decline) or kind in t.game.claims
    for request in state.requests.values():
        if request.seat == seat and (request.kind == "claim") == claim:
            return request.id
    if not claim:
        raise Denied("not_your_turn")
    if state.window is None:
        if isinstance(action, Decline):
            raise Denied("claim_closed")
        _judge(t, seat, action)
        raise Denied("claim_closed")
    for old in reversed(state.answered):
        if old.seat == seat and old.kind == "claim":
            return old.request
    _judge(t, seat, action)
    raise Denied("illegal_action", "own_window")


def _turn(t: Table, inp: Input, request: Request, stamp: int) -> Taken:
    seat, action, window = request.seat, inp.action, t.state.window
    try:
        t.game.check(t.engine, seat, action)
    except Refused as refused:
        raise denied(refused) from None
    if window is not None and _is_held(window, request, action):
        return Taken(held=True)
    t.log(inp)
    if window is not None and not window.tail:
        held = Held(seat, request.id, action, stamp)
        if stamp < window.until:
            window.held = held
        else:
            window.late.append(held)
        return Taken(held=True)
    _remember(t, request, action, Taken())
    _take_turn(t, seat, action)
    return Taken()


def _is_held(window: Window, request: Request, action: Any) -> bool:
    """Whether this very turn is held already, so that a repeat has no second effect."""
    for held in (window.held, *window.late):
        if isinstance(held, Held) and held.request == request.id and held.action == action:
            return True
    return False


def _claim(t: Table, inp: Input, request: Request, stamp: int) -> Taken:
    window = t.state.window
    assert window is not None
    seat, action = request.seat, inp.action
    answer = Taken(sealed=True)
    if isinstance(action, Decline):
        t.log(inp)
        _remember(t, request, action, answer)
        return answer
    claim = _judge(t, seat, action)
    late = not window.tail and stamp >= window.until
    if stamp < window.opened or (late and window.ends == "deadline"):
        raise Denied("claim_closed")
    t.log(inp)
    after_ms = stamp - window.opened
    sealed = Sealed(seat, action, stamp, claim.rank, claim.valid, after_ms)
    if window.tail:
        answer = Taken()
        _remember(t, request, action, answer)
        window.claims.append(sealed)
        _award(t, window, [sealed])
        return answer
    _remember(t, request, action, answer)
    (window.late if late else window.claims).append(sealed)
    return answer


def _judge(t: Table, seat: int, action: Any) -> Any:
    try:
        return t.game.claim(t.engine, seat, action)
    except Refused as refused:
        raise denied(refused) from None


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


def denied(refused: Refused) -> Denied:
    """The engine's refusal as the table's."""
    return Denied(refused.code, refused.rule, game=True, **refused.params)


# -- settling ------------------------------------------------------------------------------------------
def _settle_window(t: Table, window: Window, everybody_answered: bool = False) -> None:
    winners = window.winners(t.game.order(t.engine, window.opener))
    if winners:
        _award(t, window, winners)
    elif window.held is not None:
        held, window.held = window.held, None
        _take_held(t, held)
    elif window.ends == "deadline" or (everybody_answered and not window.late):
        _close(t, window, [])
    else:
        window.tail = True
        _start_clock(t)
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
        _award(t, window, [first])


def _take_held(t: Table, held: Held) -> None:
    request = t.state.requests.get(held.request)
    if request is not None:
        _remember(t, request, held.action, Taken(held=True))
    _take_turn(t, held.seat, held.action)


def _award(t: Table, window: Window, winners: Sequence[Sealed]) -> None:
    _close(t, window, [(claim.seat, claim.action) for claim in winners])


def _close(t: Table, window: Window, claims: Sequence[tuple[int, Any]]) -> None:
    """Close the window and give the engine what won."""
    _tell_closed(t, window, [seat for seat, _ in claims])
    t.tell(*t.game.settle(t.engine, claims, t.match.dealer))
    _go_on(t)


def _tell_closed(t: Table, window: Window, winners: Sequence[int]) -> None:
    order = {seat: i for i, seat in enumerate(t.game.order(t.engine, window.opener))}
    published = []
    for claim in sorted(window.claims, key=lambda c: order[c.seat]):
        outcome = "false" if not claim.valid else "won" if claim.seat in winners else "lost"
        kind = str(claim.action.__struct_config__.tag)
        published.append(ev.PublishedClaim(claim.seat, kind, claim.after_ms, outcome))  # type: ignore[arg-type]
    t.tell(ev.WindowClosed(window.id, published))
    for dropped in [window.held, *window.late]:
        if isinstance(dropped, Held):
            t.tell(ev.TurnDropped(dropped.request, dropped.action), only=dropped.seat)
        elif dropped is not None:
            t.tell(ev.ClaimDropped(window.id), only=dropped.seat)


def _take_turn(t: Table, seat: int, action: Any) -> None:
    """Give the engine a turn action that the rules allow; an open window is over with it."""
    state = t.state
    if state.window is not None:
        _tell_closed(t, state.window, [])
    if state.clock is not None:
        holder = state.seats[seat]
        holder.bank_ms -= state.clock.used_bank(state.now, state.config.clock, holder.bank_ms)
    t.tell(*t.game.apply(t.engine, seat, action, t.match.dealer))
    _go_on(t)


def _go_on(t: Table) -> None:
    """After the engine has moved: what was asked is over; ask what it needs next, or end."""
    state = t.state
    clear_requests(t)
    outcome = t.game.outcome(t.engine)
    if outcome.finished:
        _end(t, outcome.scores, outcome.places)
        return
    if t.game.round(t.engine) != t.match.round:
        for seat in state.seats:
            if seat.orders and seat.orders_until == "round":
                seat.orders = {}
    ask(t)


def clear_requests(t: Table) -> None:
    """Close every open request with its window and clock."""
    state = t.state
    for request in state.requests.values():
        t.step.requests.add(request.seat)
        if request.kind == "claim":
            state.closed_claims.append(request.id)
    del state.closed_claims[:-KEEP_CLOSED]
    state.requests = {}
    state.window = None
    state.clock = None


def _end(t: Table, scores: list[int], places: list[int]) -> None:
    state = t.state
    forfeited = [i for i, seat in enumerate(state.seats) if seat.forfeited]
    if forfeited:
        stay = [i for i in range(len(places)) if i not in forfeited]
        ranks = {i: 1 + sum(places[j] < places[i] for j in stay) for i in stay}
        places = [ranks.get(i, len(stay) + 1) for i in range(len(places))]
    state.phase = "ended"
    t.match.ended, t.match.scores, t.match.places = state.now, scores, places
    for seat in state.seats:
        seat.ready = seat.rematch = False
        seat.orders = {}
    t.tell(ev.MatchEnded(t.match.id, t.match.id, scores, places, forfeited))
    t.step.seats = True


# -- asking --------------------------------------------------------------------------------------------
def ask(t: Table) -> None:
    """Open the window and the requests that the engine's state calls for."""
    state = t.state
    offer = t.offer
    if offer is not None:
        _open_window(t, offer)
    seat = t.game.turn(t.engine)
    if seat is not None:
        _open_request(t, seat, "turn")
        state.clock = Clock(seat)
        t.step.clock = True
        if offer is None:
            _start_clock(t)


def _open_window(t: Table, offer: Offer) -> None:
    state = t.state
    rules = state.config.clock
    until = state.now + offer.claim_ms + rules.grace_ms
    window = state.window = Window(
        id=f"w{state.next_window}",
        kinds=offer.kinds,
        opener=offer.opener,
        claim_ms=offer.claim_ms,
        grace_ms=rules.grace_ms,
        ends=offer.ends,
        wins=offer.wins,
        beside=offer.beside,
        opened=state.now,
        until=until,
        closing=until + rules.settle_ms,
    )
    state.next_window += 1
    t.tell(
        ev.WindowOpened(
            window.id, offer.kinds, offer.opener, offer.claim_ms, rules.grace_ms, offer.ends
        )
    )
    for seat in range(len(state.seats)):
        if seat != offer.opener:
            request = _open_request(t, seat, "claim")
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
        span = max(1, min(STANDING_MS, window.claim_ms))
        drawn = Stream(_key(t), f"standing:{window.id}:{request.seat}").below(span)
        window.claims.append(
            Sealed(request.seat, action, window.opened, claim.rank, claim.valid, drawn)
        )
    _remember(t, request, action, Taken(sealed=True))


def _open_request(t: Table, seat: int, kind: Any) -> Request:
    state = t.state
    request = Request(
        id=f"r{state.next_request}",
        seat=seat,
        kind=kind,
        opened=state.now,
        window=state.window.id if kind == "claim" and state.window is not None else None,
    )
    state.next_request += 1
    state.requests[request.id] = request
    t.step.requests.add(seat)
    if state.seats[seat].by_bot:
        wake_bot(t, request)
    return request


def _start_clock(t: Table) -> None:
    """Let the clock of the seat to act run; a seat that forfeited has no time at all."""
    state = t.state
    clock = state.clock
    if clock is None:
        return
    seat = state.seats[clock.seat]
    if seat.forfeited:
        clock.started = clock.deadline = state.now
        return
    clock.start(state.now, state.config.clock, seat.bank_ms)
    if clock.started is not None:
        t.step.clock = True


def _remember(t: Table, request: Request, action: Any, answer: Taken) -> None:
    """The request is answered: close it and keep its answer for a repeat."""
    state = t.state
    state.requests.pop(request.id, None)
    state.answered.append(Answered(request.id, request.seat, request.kind, action, answer))
    if len(state.answered) > KEEP_ANSWERED * len(state.seats):
        del state.answered[0]


def request_parts(t: Table, seat: int) -> list[RequestPart]:
    """The open requests of a seat as it sees them."""
    parts = []
    for request in t.state.requests.values():
        if request.seat == seat:
            make = _claim_part if request.kind == "claim" else _turn_part
            parts.append(make(t, request))
    return parts


def _claim_part(t: Table, request: Request) -> RequestPart:
    window = t.state.window
    offer = t.offer
    assert window is not None
    assert offer is not None
    return RequestPart(
        request=request.id,
        kind="claim",
        legal=offer.legal,
        default=DECLINE,
        window=window.id,
        can=int(t.game.can(t.engine, request.seat)),
        left_ms=None if window.tail else max(0, window.until - t.state.now),
    )


def _turn_part(t: Table, request: Request) -> RequestPart:
    legal = t.game.legal(t.engine, request.seat)
    window, clock = t.state.window, t.clock_part()
    held = window.held if window is not None else None
    return RequestPart(
        request=request.id,
        kind="turn",
        legal=legal.actions,
        default=t.game.default(t.engine, request.seat),
        more=legal.more,
        held=held.action if held is not None and held.seat == request.seat else None,
        left_ms=clock.left_ms if clock is not None else None,
        bank_ms=clock.bank_ms if clock is not None else None,
    )


# -- bots ----------------------------------------------------------------------------------------------
def wake_bot(t: Table, request: Request) -> None:
    """Say when the seat's bot answers: after the pace and a delay that depends on no hand."""
    state = t.state
    pace = state.config.pace_ms
    if pace == 0:
        request.bot_due = state.now
        return
    due = state.now + pace + Stream(_key(t), f"pace:{request.id}").below(pace // 2 + 1)
    if request.kind == "claim" and state.window is not None and not state.window.tail:
        span = state.window.until - state.window.opened
        due = min(due, state.window.opened + span * 4 // 5)
    request.bot_due = max(state.now, due)


def bot_due(t: Table) -> int | None:
    """When the next bot answers a request."""
    if t.state.phase != "running":
        return None
    window = t.state.window
    held = window.held.request if window is not None and window.held is not None else None
    return min(
        (r.bot_due for r in t.state.requests.values() if r.bot_due is not None and r.id != held),
        default=None,
    )


def bot_input(t: Table, now: int, default: bool = False) -> Input | None:
    """The answer of a bot that is due, as an input to be handled; None if none is due.

    default: the default action instead, after a bot's choice was refused.
    """
    state = t.state
    window = state.window
    held = window.held.request if window is not None and window.held is not None else None
    for request in state.requests.values():
        if request.bot_due is None or request.bot_due > now or request.id == held:
            continue
        action = _bot_default(t, request) if default else _bot_choice(t, request)
        return Input(at=max(now, state.now), seat=request.seat, request=request.id, action=action)
    return None


def _bot_default(t: Table, request: Request) -> Any:
    return DECLINE if request.kind == "claim" else t.game.default(t.engine, request.seat)


def _bot_choice(t: Table, request: Request) -> Any:
    can = None
    if request.kind == "claim":
        if not t.game.can(t.engine, request.seat):
            return DECLINE
        can = True
    part = next(p for p in request_parts(t, request.seat) if p.request == request.id)
    levels = t.game.bots
    level = t.state.seats[request.seat].level
    bot = levels.get(level or "steady", levels["steady"])
    asked = Ask(request.kind, list(part.legal), part.default, part.more, can)
    stream = Stream(_key(t), f"bot:{request.id}")
    return bot(t.game.view(t.engine, request.seat), asked, stream)


def _key(t: Table) -> bytes:
    """The key of the bots' own streams; their labels keep them apart from the deals'."""
    return t.match.dealer.key
