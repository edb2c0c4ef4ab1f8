"""Who sees what: the only ways out of a state. Hidden are the other hands and, for ever, the dead one."""

from __future__ import annotations

from copy import deepcopy
from typing import Literal, cast

from msgspec.structs import replace

from engines.kit.contract import Event, Viewer
from engines.kit.stream import Stream
from engines.pepper.cards import WORTH, Suit, in_order
from engines.pepper.messages import (
    AuctionWon,
    BidMade,
    Call,
    Dealt,
    HandScored,
    HandStarted,
    MatchEnded,
    Passed,
    PepperEvent,
    PepperView,
    Played,
    ThrownIn,
    TrickCard,
    TrickWon,
    TrumpNamed,
)
from engines.pepper.scoring import by_seat, sides
from engines.pepper.state import PepperState

_OPENING = (BidMade, Passed, TrumpNamed, Played)
"""An action's first event; what follows it up to the next one belongs to it."""


def view(state: PepperState, viewer: Viewer) -> PepperView:
    """What the viewer may know of the state.

    Lists that the state replaces rather than changes are shared with it; nobody changes a view's lists.
    """
    hand = state.hand
    auction = hand.auction
    named = hand.phase == "play" or hand.phase == "over"
    return PepperView(
        seat=viewer,
        turn=hand.turn,
        hand=[] if viewer is None else hand.hands[viewer],
        counts=[*map(len, hand.hands)],
        scores=by_seat(state.scores, state.seats),
        round=state.number,
        phase=hand.phase,
        dealer=hand.dealer,
        sides=sides(state.seats),
        calls=auction.calls,
        bid=auction.best,
        declarer=auction.by,
        trump=_spoken(hand.trump) if named else None,
        trick=hand.trick,
        tricks=hand.tricks,
        played=hand.played,
        last_trick=hand.last_trick,
        target=state.options.target,
        stick=state.options.all_pass == "stick_dealer",
        last=state.last,
    )


def _spoken(trump: Suit | None) -> Literal["C", "D", "H", "S", "none"]:
    return "none" if trump is None else trump


def redact(event: Event, viewer: Viewer) -> PepperEvent | None:
    """The event as the viewer may know it: dealt cards are their owner's alone."""
    if isinstance(event, Dealt) and event.seat != viewer:
        return None
    return cast("PepperEvent", event)


def public(event: Event) -> PepperEvent | None:
    """The event as everybody may know it."""
    return redact(event, None)


def fold(view: PepperView, event: Event) -> PepperView:
    """The view after a redacted event."""
    known = public(event)
    if known is not None:
        opening = isinstance(event, _OPENING)
        view = replace(view, last=[known] if opening else [*view.last, known])
    match event:
        case HandStarted():
            return _start(view, event)
        case Dealt():
            return replace(view, hand=list(event.cards))
        case BidMade(seat, bid, following):
            calls = [*view.calls, Call(seat, bid)]
            return replace(view, calls=calls, bid=bid, declarer=seat, turn=following)
        case Passed(seat, following):
            return replace(view, calls=[*view.calls, Call(seat)], turn=following)
        case AuctionWon():
            return replace(view, phase="trump", turn=event.seat)
        case TrumpNamed(seat, suit):
            return replace(view, phase="play", trump=_spoken(suit), turn=seat)
        case Played():
            return _play(view, event)
        case TrickWon():
            return replace(
                view,
                turn=event.seat,
                tricks=list(event.tricks),
                played=view.played + [play.card for play in view.trick],
                last_trick=view.trick,
                trick=[],
            )
        case HandScored():
            return replace(view, scores=list(event.scores), phase="over", turn=None)
        case ThrownIn() | MatchEnded():
            return view
    raise TypeError(f"not an event of this game: {event!r}")


def _start(view: PepperView, event: HandStarted) -> PepperView:
    seats = len(view.sides)
    return replace(
        view,
        turn=(event.dealer + 1) % seats,
        hand=[],
        counts=[event.cards] * seats,
        round=event.round,
        phase="bidding",
        dealer=event.dealer,
        calls=[],
        bid=None,
        declarer=None,
        trump=None,
        trick=[],
        tricks=[0] * seats,
        played=[],
        last_trick=[],
    )


def _play(view: PepperView, event: Played) -> PepperView:
    counts = list(view.counts)
    counts[event.seat] = (counts[event.seat] or 0) - 1
    return replace(
        view,
        turn=(event.seat + 1) % len(counts),
        hand=[card for card in view.hand if card != event.card],
        counts=counts,
        trick=[*view.trick, TrickCard(event.seat, event.card)],
    )


def other_world(state: PepperState, viewer: Viewer, stream: Stream) -> PepperState:
    """Another state that looks the same to the viewer: unseen cards change places, but no seat gets a
    card of a suit that it could not follow."""
    world = deepcopy(state)
    hand = world.hand
    worth = WORTH[hand.trump]
    unseen: list[tuple[list[str], list[Suit]]] = [(hand.dead, [])]
    for seat, cards in enumerate(hand.hands):
        if seat != viewer:
            unseen.append((cards, hand.voids[seat]))
    places = [(cards, i, voids) for cards, voids in unseen for i in range(len(cards))]
    # Random exchanges of two cards, each allowed where it comes to: every world in reach is as likely.
    for _ in range(3 * len(places)):
        mine, i, my_voids = stream.choice(places)
        other, j, other_voids = stream.choice(places)
        if worth[mine[i]][0] not in other_voids and worth[other[j]][0] not in my_voids:
            mine[i], other[j] = other[j], mine[i]
    hand.hands = [in_order(cards) for cards in hand.hands]
    return world
