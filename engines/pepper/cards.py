"""The cards: their order, the trump suit with its bowers, who wins a trick (rules/pepper: Ranking)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

Suit = Literal["C", "D", "H", "S"]
Card = Literal[
    "9C", "10C", "JC", "QC", "KC", "AC",
    "9D", "10D", "JD", "QD", "KD", "AD",
    "9H", "10H", "JH", "QH", "KH", "AH",
    "9S", "10S", "JS", "QS", "KS", "AS",
]  # fmt: skip

SUITS: tuple[Suit, ...] = ("C", "D", "H", "S")
RANKS = ("9", "10", "J", "Q", "K", "A")
TRUMPS: tuple[Suit | None, ...] = (*SUITS, None)
SAME_COLOUR: dict[str, Suit] = {"C": "S", "S": "C", "D": "H", "H": "D"}
PIECES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
LEFT, RIGHT = len(RANKS), len(RANKS) + 1

_PLACE = {card: place for place, card in enumerate(PIECES)}


def printed(card: str) -> Suit:
    """The suit printed on the card."""
    return SUITS[_PLACE[card] // len(RANKS)]


def _worth(card: str, trump: Suit | None) -> tuple[Suit, int]:
    suit, rank = printed(card), _PLACE[card] % len(RANKS)
    if trump is not None and RANKS[rank] == "J":
        if suit == trump:
            return trump, RIGHT
        if suit == SAME_COLOUR[trump]:
            return trump, LEFT
    return suit, rank


WORTH: dict[Suit | None, dict[str, tuple[Suit, int]]] = {
    trump: {card: _worth(card, trump) for card in PIECES} for trump in TRUMPS
}
"""Under each trump (None: no trump), a card's suit and its rank within it, 0 lowest."""


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards in the order in which a hand is shown: C D H S, each from 9 to A."""
    return sorted(cards, key=_PLACE.__getitem__)


def follows(hand: Sequence[str], led: str | None, trump: Suit | None) -> list[str]:
    """The cards of the hand that may be played: of the suit that was led, if there are any.

    led: the first card of the trick, None for the player who leads.
    """
    if led is None:
        return list(hand)
    worth = WORTH[trump]
    suit = worth[led][0]
    return [card for card in hand if worth[card][0] == suit] or list(hand)


def strength(card: str, led: str, trump: Suit | None) -> int:
    """What the card is worth in a trick; below 0 it cannot win."""
    suit, rank = WORTH[trump][card]
    if suit == trump:
        return len(RANKS) + rank
    return rank if suit == WORTH[trump][led][0] else -1


def winner(plays: Sequence[str], trump: Suit | None) -> int:
    """The index of the card that wins the trick; the first one was led."""
    return max(range(len(plays)), key=lambda i: strength(plays[i], plays[0], trump))


def best_suit(hand: Sequence[str]) -> Suit:
    """The suit with the most cards, its left bower counted; then the higher best card; then C D H S."""

    def length(suit: Suit) -> tuple[int, int]:
        ranks = [WORTH[suit][card][1] for card in hand if WORTH[suit][card][0] == suit]
        return len(ranks), max(ranks, default=-1)

    return max(SUITS, key=length)


def lowest(cards: Sequence[str], trump: Suit | None) -> str:
    """The lowest card, trumps above all others, equal ranks in the order C D H S."""

    def height(card: str) -> tuple[bool, int, int]:
        suit, rank = WORTH[trump][card]
        return suit == trump, rank, SUITS.index(suit)

    return min(cards, key=height)
