"""The match: rounds to the target, who starts the next one (rules/cockroach_duel, Options)."""

from __future__ import annotations

from engines.cockroach_duel import rounds
from engines.cockroach_duel.cards import PIECES
from engines.cockroach_duel.messages import (
    Dealt,
    DuelEvent,
    DuelOptions,
    MatchEnded,
    RoundEnded,
    RoundStarted,
)
from engines.cockroach_duel.state import DuelState, new_round
from engines.cockroach_duel.views import public
from engines.kit.contract import Action, Event
from engines.kit.dealer import Dealer


def start(options: DuelOptions, dealer: Dealer) -> tuple[DuelState, list[Event]]:
    """A match with its first round dealt; the first attacker is drawn by lot."""
    starter = dealer.lot((0, 1))
    round = new_round(dealer.deck(PIECES), starter)
    state = DuelState(options, 1, starter, [0, 0], round, [])
    events = _started(state)
    state.last = _public(events)
    return state, events


def apply(state: DuelState, seat: int, action: Action, dealer: Dealer) -> list[Event]:
    """Take an action; book a round that it ends and deal the next. Raises Refused."""
    events = rounds.play(state.round, state.options, seat, action)
    round = state.round
    if round.winner is not None:
        assert round.reason is not None
        following = book(state.options, state.scores, state.starter, round.winner)
        scores = (state.scores[0], state.scores[1])
        health = (round.health[0], round.health[1])
        events.append(RoundEnded(round.winner, round.reason, health, scores))
        if following is None:
            events.append(MatchEnded(round.winner, scores))
        else:
            state.number += 1
            state.starter = following
            state.round = new_round(dealer.deck(PIECES), following)
            events += _started(state)
    state.last = _public(events)
    return events


def book(options: DuelOptions, scores: list[int], starter: int, winner: int) -> int | None:
    """Give the winner of a round his token; who starts the next round, None if the match is won."""
    scores[winner] += 1
    if scores[winner] >= options.target:
        return None
    return 1 - winner if options.next_starter == "loser" else 1 - starter


def _started(state: DuelState) -> list[Event]:
    round = state.round
    health = (round.health[0], round.health[1])
    dealt = [Dealt(seat, tuple(hand)) for seat, hand in enumerate(round.hands)]
    return [RoundStarted(state.number, state.starter, health), *dealt]


def _public(events: list[Event]) -> list[DuelEvent]:
    return [seen for event in events if (seen := public(event)) is not None]
