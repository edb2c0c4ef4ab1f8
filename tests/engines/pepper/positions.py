"""Positions that the tests of Pepper start from."""

from __future__ import annotations

from engines.kit.dealer import Dealer
from engines.pepper.cards import PIECES
from engines.pepper.match import apply, start
from engines.pepper.messages import (
    Bid,
    MakeBid,
    NameTrump,
    Pass,
    PepperAction,
    PepperOptions,
    Play,
)
from engines.pepper.state import PepperState

STANDARD = PepperOptions()
KEY = bytes(32)

CLUBS = ["9C", "10C", "JC", "QC", "KC", "AC"]
DIAMONDS = ["9D", "10D", "JD", "QD", "KD", "AD"]
HEARTS = ["9H", "10H", "JH", "QH", "KH", "AH"]
SPADES = ["9S", "10S", "JS", "QS", "KS", "AS"]


def deck(*hands: list[str]) -> list[str]:
    """A full deck that begins with these hands."""
    front = [card for hand in hands for card in hand]
    return front + [card for card in PIECES if card not in front]


def match(
    *decks: list[str], seats: int = 4, options: PepperOptions = STANDARD, first: int = 0
) -> tuple[PepperState, Dealer]:
    """A match from explicit decks, and its dealer; seat `first` deals."""
    dealer = Dealer(KEY, list(decks), first)
    state, _ = start(options, seats, dealer)
    return state, dealer


def act(state: PepperState, dealer: Dealer, *words: Bid | str | None) -> None:
    """Actions of whoever is to act: bids, `pass`, cards, and in the trump phase a suit or None."""
    for word in words:
        seat = state.hand.turn
        assert seat is not None
        action: PepperAction
        if word == "pass":
            action = Pass()
        elif state.hand.phase == "bidding":
            action = MakeBid(word)  # type: ignore[arg-type]  # a bid
        elif state.hand.phase == "trump":
            action = NameTrump(word)  # type: ignore[arg-type]  # a suit
        else:
            action = Play(word)  # type: ignore[arg-type]  # a card
        apply(state, seat, action, dealer)
