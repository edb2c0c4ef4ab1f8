"""The server's bots: when they answer, and what. They get their seat's view and request, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.kit.contract import Ask
from engines.kit.stream import Stream
from server.core.inputs import Input
from server.core.requests import DECLINE, request_part
from server.core.state import Request

if TYPE_CHECKING:
    from server.core.table import Table


def stream(t: Table, label: str) -> Stream:
    """A stream of the bots' own: the match's key under labels that no deal uses."""
    return Stream(t.match.dealer.key, f"bots:{label}")


def wake(t: Table, request: Request) -> None:
    """Say when the seat's bot answers: after the pace and a delay that depends on no hand."""
    state = t.state
    if state.seats[request.seat].forfeited:
        return  # its defaults are taken without a bot, also once the player has left
    pace = state.config.pace_ms
    if pace == 0:
        request.bot_due = state.now
        return
    due = state.now + pace + stream(t, f"pace:{request.id}").below(pace // 2 + 1)
    if request.kind == "claim" and state.window is not None and not state.window.tail:
        span = state.window.until - state.window.opened
        due = min(due, state.window.opened + span * 4 // 5)
    request.bot_due = max(state.now, due)


def bot_due(t: Table) -> int | None:
    """When the next bot answers a request."""
    if t.state.phase != "running":
        return None
    waiting = [r for r in t.state.requests.values() if r.bot_due is not None]
    if not waiting:
        return None
    done = _done(t, t.state.now)
    return min(
        (r.bot_due for r in waiting if r.bot_due is not None and r.id not in done), default=None
    )


def bot_input(t: Table, now: int, default: bool = False) -> Input | None:
    """The answer of a bot that is due, as an input to be handled; None if none is due.

    default: the default action instead, after a bot's choice was refused.
    """
    at = max(now, t.state.now)
    done = _done(t, at)
    for request in t.state.requests.values():
        if request.bot_due is None or request.bot_due > now or request.id in done:
            continue
        action = _default(t, request) if default else _choice(t, request)
        return Input(at=at, seat=request.seat, request=request.id, action=action)
    return None


def _done(t: Table, now: int) -> set[str]:
    """Requests that need no answer any more: with a turn that waits for a window's close, and claims
    whose sealed time is over, though the window waits for what other processes read in time."""
    window = t.state.window
    if window is None:
        return set()
    done = {held.request for held in window.turns()}
    if window.ends == "deadline" and not window.tail and now >= window.until:
        done |= {r.id for r in t.state.requests.values() if r.kind == "claim"}
    return done


def _default(t: Table, request: Request) -> Any:
    return DECLINE if request.kind == "claim" else t.game.default(t.engine, request.seat)


def _choice(t: Table, request: Request) -> Any:
    part = request_part(t, request)
    if request.kind == "claim" and not part.can:
        return DECLINE
    levels = t.game.bots
    level = t.state.seats[request.seat].level
    bot = levels.get(level or "steady", levels["steady"])
    can = True if request.kind == "claim" else None
    asked = Ask(request.kind, list(part.legal), part.default, part.more, can)
    return bot(t.game.view(t.engine, request.seat), asked, stream(t, f"choice:{request.id}"))
