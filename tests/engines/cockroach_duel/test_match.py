"""The match: tokens, starters, explicit decks, the end."""

from __future__ import annotations

import pytest

from engines.cockroach_duel.match import apply, book
from engines.cockroach_duel.messages import (
    Attack,
    Challenge,
    Challenged,
    Dealt,
    DuelOptions,
    MatchEnded,
    Pass,
    RoundEnded,
    RoundStarted,
)
from engines.kit.contract import Refused
from tests.engines.cockroach_duel.positions import deck, match

FLIES = ["fly"] * 4
MIXED = ["roach", "toad", "rat", "bat"]
ONE = deck(FLIES, MIXED)
TWO = deck(MIXED, FLIES)


@pytest.mark.parametrize("first", [0, 1])
def test_first_attacks_first(first: int) -> None:
    state, _ = match(ONE, first=first)
    assert (state.starter, state.round.turn) == (first, first)
    assert state.round.health[first] == 3
    assert state.round.hands == [FLIES, MIXED]


def test_the_next_round_is_dealt_when_one_ends() -> None:
    state, dealer = match(ONE, TWO)
    apply(state, 0, Attack("fly", ("fly",)), dealer)
    events = apply(state, 1, Challenge(), dealer)
    assert events == [
        Challenged(1, "attack", 0, "fly", ("fly",), True),
        RoundEnded(0, "challenge-failed", (3, 4), (1, 0)),
        RoundStarted(2, 1, (4, 3)),
        Dealt(0, tuple(MIXED)),
        Dealt(1, tuple(FLIES)),
    ]
    assert (state.number, state.starter, state.scores) == (2, 1, [1, 0])
    assert len(state.round.pile) == 12


def test_the_match_ends_at_its_target_and_nothing_more_is_dealt() -> None:
    state, dealer = match(ONE, options=DuelOptions(target=1))
    apply(state, 0, Pass(), dealer)
    events = apply(state, 1, Pass(), dealer)
    assert events[1:] == [RoundEnded(1, "both-pass", (3, 4), (0, 1)), MatchEnded(1, (0, 1))]
    assert (state.round.turn, dealer.deals) == (None, 1)
    with pytest.raises(Refused) as caught:
        apply(state, 0, Pass(), dealer)
    assert caught.value.code == "match_over"


@pytest.mark.parametrize(
    ("options", "starter", "winner", "following"),
    [
        (DuelOptions(), 0, 0, 1),
        (DuelOptions(), 1, 1, 0),
        (DuelOptions(next_starter="loser"), 0, 0, 1),
        (DuelOptions(next_starter="loser"), 1, 0, 1),
        (DuelOptions(next_starter="loser"), 1, 1, 0),
    ],
)
def test_who_starts_next(options: DuelOptions, starter: int, winner: int, following: int) -> None:
    assert book(options, [0, 0], starter, winner) == following


@pytest.mark.parametrize("target", [1, 2, 3, 4, 5])
def test_no_match_is_longer_than_both_sides_can_make_it(target: int) -> None:
    options, scores = DuelOptions(target=target), [0, 0]
    played, starter = 0, 0
    while (following := book(options, scores, starter, played % 2)) is not None:
        starter, played = following, played + 1
    assert (max(scores), min(scores)) == (target, target - 1)


def test_last_is_public() -> None:
    state, dealer = match(ONE)
    apply(state, 0, Attack("rat", ("fly",)), dealer)
    (event,) = state.last
    assert event == type(event)(0, "rat", 1)  # type: ignore[call-arg, arg-type]  # an Attacked
