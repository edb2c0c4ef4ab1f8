"""What leaves the state: views, events as a viewer may know them, and how the ones follow the others.

Hidden are the tiles of the other hands, the stock, and which tile another seat drew. Public is all the
rest, the tiles that a declared win showed among it.
"""

from __future__ import annotations

from msgspec.structs import replace

from engines.chamsaejak.messages import (
    AnyEvent,
    Dealt,
    Discarded,
    Drew,
    Exhausted,
    FalseWin,
    Finished,
    View,
    Won,
)
from engines.chamsaejak.state import HAND_SIZE, Match, show, unshow
from engines.chamsaejak.tiles import in_order
from engines.kit.contract import Event, Viewer, places
from engines.kit.stream import Stream


def view(state: Match, viewer: Viewer) -> View:
    """The state as the viewer may know it."""
    seat, drawn, options = state.seat, state.drawn, state.options
    seen = View(
        seat=viewer,
        hand=[] if viewer is None else list(state.hands[viewer]),
        counts=list(map(len, state.hands)),
        scores=list(state.scores),
        round=state.round,
        hands_in_match=state.hands_in_match,
        dealer=state.dealer,
        dora=state.dora,
        stock=len(state.stock),
        discards=state.discards,
        only_discard=state.only_discard,
        shown=state.shown,
        last=state.last,
        all_green_allows_red=options.all_green_allows_red,
        false_win=options.false_win,
    )
    if drawn is not None:
        seen.turn = seat
        if seat == viewer:
            seen.drawn = drawn
    elif state.finished:
        seen.places = places(state.scores)
    else:
        seen.opener = seat
        seen.discard = state.discards[seat][-1]
    return seen


def redact(event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer may know it."""
    if isinstance(event, Dealt):
        return replace(event, hand=[] if viewer is None else event.hands[viewer], hands=[])
    if isinstance(event, Drew) and viewer != event.seat:
        return replace(event, tile=None)
    return event


def fold(view: View, event: AnyEvent) -> View:
    """The view after a redacted event."""
    match event:
        case Dealt():
            return _after_deal(view, event)
        case Drew():
            return _after_draw(view, event)
        case Discarded():
            return _after_discard(view, event)
        case Won() | FalseWin():
            return _after_declaration(view, event)
        case Exhausted():
            return replace(view, last=[*view.last, event])
        case Finished():
            return replace(
                view,
                turn=None,
                drawn=None,
                opener=None,
                discard=None,
                scores=list(event.scores),
                places=list(event.places),
            )


def _after_deal(view: View, event: Dealt) -> View:
    return replace(
        view,
        round=event.round,
        dealer=event.dealer,
        dora=event.dora,
        stock=event.stock,
        hand=list(event.hand),
        counts=[HAND_SIZE] * len(view.scores),
        discards=[[] for _ in view.scores],
        shown=[],
    )


def _after_draw(view: View, event: Drew) -> View:
    counts = list(view.counts)
    counts[event.seat] = HAND_SIZE + 1
    return replace(
        view,
        turn=event.seat,
        stock=event.stock,
        counts=counts,
        hand=in_order([*view.hand, event.tile]) if event.tile is not None else view.hand,
        drawn=event.tile,
        opener=None,
        discard=None,
    )


def _after_discard(view: View, event: Discarded) -> View:
    seat, tile = event.seat, event.tile
    hand = list(view.hand)
    if seat == view.seat:
        hand.remove(tile)
    counts = list(view.counts)
    counts[seat] = HAND_SIZE
    discards = [list(row) for row in view.discards]
    discards[seat].append(tile)
    return replace(
        view,
        turn=None,
        hand=hand,
        counts=counts,
        discards=discards,
        drawn=None,
        opener=seat,
        discard=tile,
        only_discard=False,
        shown=unshow(view.shown, seat, tile),
        last=[event],
    )


def _after_declaration(view: View, event: Won | FalseWin) -> View:
    held = in_order(event.tiles)
    if event.tile is not None:
        held.remove(event.tile)
    return replace(
        view,
        scores=list(event.scores),
        shown=show(view.shown, event.seat, held, len(view.scores)),
        last=[*view.last, event],
        only_discard=isinstance(event, FalseWin) and event.by == "tsumo",
    )


def other_world(state: Match, viewer: Viewer, stream: Stream) -> Match:
    """Another state with the same view: what the viewer has not seen is dealt out anew."""
    known = [list(tiles) for tiles in state.shown] or [[] for _ in state.scores]
    if viewer is not None:
        known[viewer] = list(state.hands[viewer])
    pool = list(state.stock)
    for hand, seen in zip(state.hands, known, strict=True):
        hidden = list(hand)
        for tile in seen:
            hidden.remove(tile)
        pool += hidden
    stream.shuffle(pool)
    hands = []
    for hand, seen in zip(state.hands, known, strict=True):
        missing = len(hand) - len(seen)
        hands.append(in_order(seen + pool[:missing]))
        del pool[:missing]
    drawn = state.drawn
    if drawn is not None and state.seat != viewer:
        drawn = stream.choice(hands[state.seat])
    return replace(
        state,
        scores=list(state.scores),
        hands=hands,
        discards=[list(row) for row in state.discards],
        stock=pool,
        drawn=drawn,
        shown=[list(tiles) for tiles in state.shown],
        last=list(state.last),
    )
