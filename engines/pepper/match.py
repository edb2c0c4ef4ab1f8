"""The match: hand after hand until a side has the target (rules/pepper: Scoring, End)."""

from __future__ import annotations

from engines.kit.contract import Action, Event
from engines.kit.dealer import Dealer
from engines.pepper import hand as hands
from engines.pepper.cards import PIECES
from engines.pepper.messages import (
    Dealt,
    HandScored,
    HandStarted,
    MatchEnded,
    PepperEvent,
    PepperOptions,
)
from engines.pepper.scoring import (
    by_seat,
    hand_points,
    hand_size,
    made,
    next_dealer,
    sides,
    winning_sides,
)
from engines.pepper.state import PepperState
from engines.pepper.views import public


def start(options: PepperOptions, seats: int, dealer: Dealer) -> tuple[PepperState, list[Event]]:
    """A match with its first hand dealt; the first dealer is drawn by lot."""
    first = dealer.lot(range(seats))
    hand = hands.deal(dealer.deck(PIECES), first, seats)
    state = PepperState(options, seats, 1, [0] * len(set(sides(seats))), hand, [])
    events = _started(state)
    state.last = _public(events)
    return state, events


def apply(state: PepperState, seat: int, action: Action, dealer: Dealer) -> list[Event]:
    """Take an action; score a hand that it ends and deal the next. Raises Refused."""
    hand = state.hand
    events = hands.play(hand, state.options, seat, action)
    if hand.phase == "over":
        thrown_in = hand.auction.best is None
        winners = None if thrown_in else _score(state, events)
        if winners is None:
            following = next_dealer(state.options, hand.dealer, state.seats, thrown_in)
            state.number += 1
            state.hand = hands.deal(dealer.deck(PIECES), following, state.seats)
            events += _started(state)
        else:
            scores = tuple(by_seat(state.scores, state.seats))
            seats = (s for s, side in enumerate(sides(state.seats)) if side in winners)
            events.append(MatchEnded(tuple(seats), scores))
    state.last = _public(events)
    return events


def _score(state: PepperState, events: list[Event]) -> list[int] | None:
    """Book the hand; the sides that have won the match, None if it goes on."""
    hand, seats = state.hand, state.seats
    bid, declarer = hand.auction.best, hand.auction.by
    assert bid is not None
    assert declarer is not None
    taken = [0] * len(state.scores)
    for side, tricks in zip(sides(seats), hand.tricks, strict=True):
        taken[side] += tricks
    own = sides(seats)[declarer]
    points = hand_points(seats, bid, own, taken)
    state.scores = [score + more for score, more in zip(state.scores, points, strict=True)]
    events.append(
        HandScored(
            declarer,
            bid,
            made(seats, bid, taken[own]),
            taken[own],
            tuple(by_seat(points, seats)),
            tuple(by_seat(state.scores, seats)),
        )
    )
    return winning_sides(state.scores, state.options.target)


def _started(state: PepperState) -> list[Event]:
    hand = state.hand
    dealt = [Dealt(seat, tuple(cards)) for seat, cards in enumerate(hand.hands)]
    return [HandStarted(state.number, hand.dealer, hand_size(state.seats)), *dealt]


def _public(events: list[Event]) -> list[PepperEvent]:
    return [seen for event in events if (seen := public(event)) is not None]
