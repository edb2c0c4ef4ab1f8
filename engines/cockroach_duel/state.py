"""The state of a match, all hidden cards included."""

from __future__ import annotations

from msgspec import Struct

from engines.cockroach_duel.cards import HAND, HEALTH, in_order
from engines.cockroach_duel.messages import DuelEvent, DuelOptions, Phase, Reason


class Laid(Struct):
    """Cards laid face down under a claim, in the order in which they were laid."""

    claim: str
    cards: list[str]


class Round(Struct):
    """One round. Every list of two has an element a seat.

    pile: the cards to draw, next first. spent: a seat's cards laid in earlier battles.
    """

    attacker: int
    hands: list[list[str]]
    pile: list[str]
    health: list[int]
    spent: list[list[str]]
    phase: Phase = "attack"
    attack: Laid | None = None
    block: Laid | None = None
    passes: int = 0
    black: int | None = None
    winner: int | None = None
    reason: Reason | None = None

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the round is over."""
        if self.phase == "over":
            return None
        return 1 - self.attacker if self.phase == "answer" else self.attacker


class DuelState(Struct):
    """A match. number: the round's, from 1. last: public events of the last action."""

    options: DuelOptions
    number: int
    starter: int
    scores: list[int]
    round: Round
    last: list[DuelEvent]


def new_round(deck: list[str], attacker: int) -> Round:
    """A round dealt from a deck: seat 0 takes the first four cards whoever attacks."""
    return Round(
        attacker=attacker,
        hands=[in_order(deck[:HAND]), in_order(deck[HAND : 2 * HAND])],
        pile=deck[2 * HAND :],
        health=start_health(attacker),
        spent=[[], []],
    )


def start_health(attacker: int) -> list[int]:
    """The tokens at a round's start: the first attacker has one less."""
    health = [HEALTH - HEALTH // 2] * 2
    health[attacker] = HEALTH // 2
    return health
