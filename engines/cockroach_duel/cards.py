"""The cards: what there is, what may be claimed, what beats what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

Kind = Literal["fly", "roach", "toad", "rat", "bat", "black"]

COPIES: dict[str, int] = {"fly": 5, "roach": 4, "toad": 4, "rat": 3, "bat": 3, "black": 1}
PIECES: tuple[str, ...] = tuple(kind for kind, copies in COPIES.items() for _ in range(copies))
ATTACKERS: tuple[Kind, ...] = ("fly", "roach", "rat")
POWER = {"fly": 1, "roach": 1, "rat": 2}
BLOCKER: dict[str, Kind] = {"fly": "toad", "roach": "toad", "rat": "bat"}
BLOCKERS: tuple[Kind, ...] = ("toad", "bat")
BLACK = "black"
HAND = 4
HEALTH = 7

_PLACE = {kind: place for place, kind in enumerate(COPIES)}


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards in the order in which a hand is shown."""
    return sorted(cards, key=_PLACE.__getitem__)


def holds(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether all these cards are in the hand."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


def without(hand: Sequence[str], cards: Sequence[str]) -> list[str]:
    """The hand after these cards have left it. They must be in it."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


@lru_cache(maxsize=1024)
def selections(hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every different choice of 1..all cards of an ordered hand: fewer cards first, then in order."""
    found: set[tuple[str, ...]] = {()}
    for card in hand:
        found |= {(*chosen, card) for chosen in found}
    found.discard(())
    return tuple(sorted(found, key=lambda cards: (len(cards), [_PLACE[card] for card in cards])))
