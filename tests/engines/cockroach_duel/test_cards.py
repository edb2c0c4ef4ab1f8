"""The cards and what can be chosen from a hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from engines.cockroach_duel.cards import (
    ATTACKERS,
    BLOCKER,
    PIECES,
    holds,
    in_order,
    selections,
    without,
)

hands = st.lists(st.sampled_from(PIECES), max_size=4)


def test_twenty_cards() -> None:
    assert len(PIECES) == 20
    assert Counter(PIECES) == {"fly": 5, "roach": 4, "toad": 4, "rat": 3, "bat": 3, "black": 1}


def test_every_attacker_has_a_blocker() -> None:
    assert {kind: BLOCKER[kind] for kind in ATTACKERS} == {
        "fly": "toad",
        "roach": "toad",
        "rat": "bat",
    }


@given(hands)
def test_selections_are_all_different_choices_fewest_cards_first(hand: list[str]) -> None:
    ordered = in_order(hand)
    wanted = {
        tuple(ordered[i] for i in chosen)
        for size in range(1, len(hand) + 1)
        for chosen in combinations(range(len(hand)), size)
    }
    found = selections(tuple(ordered))
    assert len(found) == len(wanted)
    assert set(found) == wanted
    assert [len(cards) for cards in found] == sorted(len(cards) for cards in found)


@given(hands, hands)
def test_holds_counts_copies(hand: list[str], cards: list[str]) -> None:
    assert holds(hand, cards) == (not Counter(cards) - Counter(hand))


@given(hands)
def test_without_takes_one_copy_of_each(hand: list[str]) -> None:
    laid = hand[::2]
    assert Counter(without(hand, laid)) == Counter(hand) - Counter(laid)
