"""What viewers see of a match, of an event, and of a world that looks the same to them."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.kit.contract import Event, Viewer
from engines.kit.contract import places as match_places
from engines.kit.stream import Stream
from engines.peeper.messages import (
    CountAnnounced,
    Last,
    Mined,
    Passed,
    Played,
    Returned,
    RoundEnded,
    RoundStarted,
    StarterFound,
    Top,
    TrickWon,
    View,
)
from engines.peeper.state import State
from engines.peeper.tiles import POSITION, RED, Tile, ordered, without

_replace = msgspec.structs.replace
_LAYING = (Played, Mined, Returned)


def _way(state: State) -> Literal["clockwise", "counterclockwise"]:
    way = state.options.direction
    return "clockwise" if way == "random" else way


def _counts(state: State, viewer: Viewer) -> list[int | None]:
    """Every seat's count, None where it is hidden (rules/peeper: Announcements)."""
    if state.options.show_counts == "always" or state.finished:
        return list(map(len, state.hands))
    return [
        len(hand) if known or seat == viewer else None
        for seat, (hand, known) in enumerate(zip(state.hands, state.announced, strict=True))
    ]


def view(state: State, viewer: Viewer) -> View:
    """What the viewer may know of the state."""
    return View(
        seat=viewer,
        turn=None if state.finished else state.turn,
        hand=[] if viewer is None else state.hands[viewer],
        counts=_counts(state, viewer),
        scores=state.scores,
        round=state.round,
        top=state.top,
        last=state.last,
        passed=state.passed,
        direction=_way(state),
        rounds=state.options.rounds,
        announce_at=state.options.announce_at,
        sheet=state.sheet,
        places=match_places(state.scores) if state.finished else [],
    )


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as the viewer may know it: no other hand, no hidden count."""
    if isinstance(event, _LAYING):
        if not event.secret:
            return event
        left = event.left if event.seat == viewer else None
        return _replace(event, left=left, secret=False)
    if isinstance(event, RoundStarted):
        hands = event.hands or []
        counts = event.counts
        if event.secret:
            counts = [n if seat == viewer else None for seat, n in enumerate(counts)]
        hand = [] if viewer is None else hands[viewer]
        return _replace(event, counts=counts, hand=hand, hands=None, secret=False)
    return event


# -- folding -------------------------------------------------------------------------------------------
def _with_count(view: View, seat: int, left: int | None) -> list[int | None]:
    counts = view.counts.copy()
    counts[seat] = left
    return counts


def _lay(view: View, seat: int, tiles: list[Tile]) -> list[Tile]:
    return without(view.hand, tiles) if seat == view.seat else view.hand


def _next(view: View, seat: int) -> int:
    step = -1 if view.direction == "counterclockwise" else 1
    return (seat + step) % len(view.counts)


def fold(view: View, event: Event) -> View:
    """The view after a redacted event."""
    if isinstance(event, Played):
        return _replace(
            view,
            hand=_lay(view, event.seat, event.tiles),
            counts=_with_count(view, event.seat, event.left),
            turn=_next(view, event.seat),
            top=Top(event.seat, event.tiles, event.kind, event.low),
            last=Last(event.seat, "play", event.tiles, event.kind, event.low),
            passed=[],
        )
    if isinstance(event, Passed):
        return _replace(
            view,
            turn=_next(view, event.seat),
            last=Last(event.seat, "pass"),
            passed=[*view.passed, event.seat],
        )
    if isinstance(event, Mined | Returned):
        return _replace(
            view,
            hand=_lay(view, event.seat, event.tiles),
            counts=_with_count(view, event.seat, event.left),
            turn=event.seat,
            top=None,
            last=Last(event.seat, "mine" if isinstance(event, Mined) else "return", event.tiles),
            passed=[],
        )
    if isinstance(event, TrickWon):
        return _replace(view, turn=event.seat, top=None, passed=[])
    if isinstance(event, CountAnnounced):
        return _replace(view, counts=_with_count(view, event.seat, event.left))
    return _fold_round(view, event)


def _fold_round(view: View, event: Event) -> View:
    if isinstance(event, RoundStarted):
        return _replace(
            view,
            round=event.round,
            direction=event.direction,
            counts=event.counts,
            hand=event.hand,
            turn=None,
            top=None,
            last=None,
            passed=[],
        )
    if isinstance(event, StarterFound):
        return _replace(view, turn=event.seat)
    if isinstance(event, RoundEnded):
        over = event.round == view.rounds
        return _replace(
            view,
            turn=None,
            counts=list(event.left),
            scores=event.scores,
            sheet=[*view.sheet, event.points],
            places=match_places(event.scores) if over else [],
        )
    return view


# -- other worlds ----------------------------------------------------------------------------------------
def other_world(state: State, viewer: Viewer, stream: Stream) -> State:
    """The same match with what the viewer cannot know dealt otherwise.

    What the search for the starter told of the 1s stays true, and so do counts: every play shows how
    many tiles it takes.
    """
    other = _replace(state)
    if state.finished:
        return other
    told: tuple[Tile, ...] = (RED,) if state.starter.by == "red_one" else (RED, "1")
    flipped = len(state.starter.flips)
    piles = [hand for seat, hand in enumerate(state.hands) if seat != viewer]
    piles.append(state.unused[flipped:])
    hidden = [tile for pile in piles for tile in pile if tile not in told]
    hidden.sort(key=POSITION.__getitem__)
    stream.shuffle(hidden)
    dealt = [[tile if tile in told else hidden.pop() for tile in pile] for pile in piles]
    other.unused = [*state.unused[:flipped], *dealt.pop()]
    hands = iter(dealt)
    other.hands = [
        hand if seat == viewer else ordered(next(hands)) for seat, hand in enumerate(state.hands)
    ]
    return other
