"""Requests: what a seat is asked, which of them an action answers, and answers that are repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.kit.contract import Decline, Refused
from server.core.frames import RequestPart
from server.core.refusals import Denied, Taken
from server.core.state import KEEP_ANSWERED, Answered, Request

if TYPE_CHECKING:
    from server.core.table import Table

DECLINE = Decline()


# -- which one an action answers -------------------------------------------------------------------------
def find(t: Table, seat: int, name: str | None, action: Any) -> Request | Taken:
    """The open request that the action answers, or the answer that it got before. Raises Denied."""
    if name is None:
        name = _implied(t, seat, action)
    request = t.state.requests.get(name)
    if request is not None and request.seat == seat:
        return request
    before = repeated(t, seat, name, action)
    if before is not None:
        return before
    if _kind(action) in t.game.claims:
        raise Denied("claim_closed")
    raise Denied("stale_request")


def repeated(t: Table, seat: int, name: str, action: Any) -> Taken | None:
    """The answer that the same action got for an answered request. Raises Denied for another one."""
    for old in t.state.answered[seat]:
        if old.request == name:
            if old.action == action:
                return old.answer
            raise Denied("stale_request", "answered")
    return None


def _kind(action: Any) -> str:
    return str(action.__struct_config__.tag)


def _implied(t: Table, seat: int, action: Any) -> str:
    """The request that an action without a name answers, as in a record."""
    state = t.state
    claim = isinstance(action, Decline) or _kind(action) in t.game.claims
    for request in state.requests.values():
        if request.seat == seat and (request.kind == "claim") == claim:
            return request.id
    if not claim:
        check(t, seat, action)
        raise Denied("not_your_turn")
    window = state.window
    if window is not None and seat != window.opener:
        return next(old.request for old in reversed(state.answered[seat]) if old.kind == "claim")
    if window is None and isinstance(action, Decline):
        raise Denied("stale_request")
    judge(t, seat, action)
    raise Denied("claim_closed") if window is None else Denied("illegal_action", "own_window")


def check(t: Table, seat: int, action: Any) -> None:
    """Raise Denied unless the rules allow this turn action."""
    try:
        t.game.check(t.engine, seat, action)
    except Refused as refused:
        raise denied(refused) from None


def judge(t: Table, seat: int, action: Any) -> Any:
    """What the rules say of a claim. Raises Denied."""
    try:
        return t.game.claim(t.engine, seat, action)
    except Refused as refused:
        raise denied(refused) from None


def denied(refused: Refused) -> Denied:
    """The engine's refusal as the table's."""
    return Denied(refused.code, refused.rule, game=True, **refused.params)


def remember(t: Table, request: Request, action: Any, answer: Taken) -> Answered:
    """The request is answered: close it and keep its answer for a repeat."""
    t.state.requests.pop(request.id, None)
    mine = t.state.answered[request.seat]
    made = Answered(request.id, request.kind, action, answer)
    mine.append(made)
    del mine[:-KEEP_ANSWERED]
    return made


# -- how a seat sees it ----------------------------------------------------------------------------------
def request_parts(t: Table, seat: int) -> list[RequestPart]:
    """The open requests of a seat as it sees them."""
    return [
        request_part(t, request) for request in t.state.requests.values() if request.seat == seat
    ]


def request_part(t: Table, request: Request) -> RequestPart:
    """An open request as its seat sees it."""
    return _claim_part(t, request) if request.kind == "claim" else _turn_part(t, request)


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
    legal, default = t.turn_actions(request.id, request.seat)
    window, clock = t.state.window, t.clock_part()
    held = window.held if window is not None else None
    return RequestPart(
        request=request.id,
        kind="turn",
        legal=legal.actions,
        default=default,
        more=legal.more,
        held=held.action if held is not None and held.seat == request.seat else None,
        left_ms=clock.left_ms if clock is not None else None,
        bank_ms=clock.bank_ms if clock is not None else None,
    )
