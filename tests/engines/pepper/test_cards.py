"""Legal cards and trick winners, over a whole reduced deck, against a second way to find them."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from engines.pepper.cards import (
    PIECES,
    SUITS,
    TRUMPS,
    Suit,
    best_suit,
    follows,
    in_order,
    lowest,
    printed,
    winner,
)

REDUCED = [rank + suit for suit in SUITS for rank in ("9", "J", "A")]
PLAIN = ["A", "K", "Q", "J", "10", "9"]
COLOURS = {"C": "black", "S": "black", "D": "red", "H": "red"}


def ranking(suit: str, trump: str | None) -> list[str]:
    """The cards of a suit from the highest, written out after the rules."""
    if trump is None:
        return [rank + suit for rank in PLAIN]
    (other,) = (s for s in SUITS if s != trump and COLOURS[s] == COLOURS[trump])
    if suit == trump:
        return ["J" + trump, "J" + other, *(rank + trump for rank in PLAIN if rank != "J")]
    return [rank + suit for rank in PLAIN if rank + suit != "J" + other]


def suit_by_list(card: str, trump: str | None) -> str:
    (suit,) = (suit for suit in SUITS if card in ranking(suit, trump))
    return suit


def brute_winner(plays: tuple[str, ...], trump: str | None) -> int:
    led = suit_by_list(plays[0], trump)
    order = [*(ranking(trump, trump) if trump else []), *ranking(led, trump)]
    return plays.index(next(card for card in order if card in plays))


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_trick_of_the_reduced_deck(seats: int, trump: Suit | None) -> None:
    for plays in permutations(REDUCED, seats):
        assert winner(plays, trump) == brute_winner(plays, trump), plays


@pytest.mark.parametrize("trump", TRUMPS)
def test_every_pair_of_the_whole_deck(trump: Suit | None) -> None:
    for plays in permutations(PIECES, 2):
        assert winner(plays, trump) == brute_winner(plays, trump), plays


@pytest.mark.parametrize("trump", TRUMPS)
def test_every_hand_of_the_reduced_deck(trump: Suit | None) -> None:
    for size in (1, 2, 3, 4):
        for hand in combinations(REDUCED, size):
            for led in REDUCED:
                if led in hand:
                    continue
                wanted = ranking(suit_by_list(led, trump), trump)
                legal = [card for card in hand if card in wanted] or list(hand)
                assert follows(hand, led, trump) == legal, (hand, led)
            assert follows(hand, None, trump) == list(hand)


def test_a_suit_is_the_printed_one_but_for_the_left_bower() -> None:
    for trump in TRUMPS:
        moved = [card for card in PIECES if suit_by_list(card, trump) != printed(card)]
        assert len(moved) == (0 if trump is None else 1)


def test_twenty_four_cards_in_order() -> None:
    assert len(set(PIECES)) == 24
    assert in_order(["AS", "9C", "10D", "9D", "JC"]) == ["9C", "JC", "9D", "10D", "AS"]


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        (["9C", "10C", "AD"], "C"),
        (["JH", "9D", "10D", "9H", "AS", "QS"], "D"),
        (["JD", "9D", "9H", "AS", "QS"], "D"),
        (["9C", "KC", "9S", "AS"], "S"),
        (["9C", "AC", "9S", "AS"], "C"),
        (["9H", "AC"], "C"),
        (["JC", "9S", "10S", "9C", "QC"], "C"),
        (["JS", "JC", "9C", "9S"], "C"),
    ],
)
def test_the_suit_that_a_time_out_names(hand: list[str], suit: str) -> None:
    assert best_suit(hand) == suit


@pytest.mark.parametrize(
    ("cards", "trump", "card"),
    [
        (["9H", "9D", "9S"], None, "9D"),
        (["9H", "10C"], "H", "10C"),
        (["JD", "AC"], "H", "AC"),
        (["JD", "AH"], "H", "AH"),
        (["JD", "JH"], "H", "JD"),
        (["JS", "10S", "QC"], "D", "10S"),
        (["JC", "QC"], None, "JC"),
    ],
)
def test_the_card_that_a_time_out_plays(cards: list[str], trump: Suit | None, card: str) -> None:
    assert lowest(cards, trump) == card
