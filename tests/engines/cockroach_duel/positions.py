"""Positions that the tests of Cockroach Duel start from."""

from __future__ import annotations

from engines.cockroach_duel.cards import PIECES, without
from engines.cockroach_duel.match import start
from engines.cockroach_duel.messages import DuelOptions
from engines.cockroach_duel.state import DuelState, Round, start_health
from engines.kit.dealer import Dealer

STANDARD = DuelOptions()
KEY = bytes(32)


def deck(zero: list[str], one: list[str], *pile: str) -> list[str]:
    """A full deck that begins with these hands and these cards to draw."""
    front = [*zero, *one, *pile]
    return front + without(PIECES, front)


def match(
    *decks: list[str], options: DuelOptions = STANDARD, first: int = 0
) -> tuple[DuelState, Dealer]:
    """A match from explicit decks, and its dealer."""
    dealer = Dealer(KEY, list(decks), first)
    state, _ = start(options, dealer)
    return state, dealer


def round_of(
    zero: list[str], one: list[str], pile: list[str] | None = None, attacker: int = 0
) -> Round:
    """A round with these hands; the pile may be short."""
    return Round(
        attacker=attacker,
        hands=[zero, one],
        pile=["fly", "roach", "toad"] if pile is None else pile,
        health=start_health(attacker),
        spent=[[], []],
    )
