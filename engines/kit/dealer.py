"""The dealer: the only source of chance of a match. Engines name pieces; the dealer orders them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from engines.kit.stream import Stream


class DeckError(ValueError):
    """An explicit deck does not hold the pieces of the game; the message says which differ."""


class Dealer(msgspec.Struct):
    """Hands out decks, lots and draws, in the order in which an engine asks for them.

    It can be serialised between any two calls and goes on where it was.

    key: the match's secret (32 bytes). decks: explicit deals, one a deal, used first.
    first: the seat that wins every lot in which it takes part (rules: "Common conventions").
    """

    key: bytes
    decks: list[list[str]] = []
    first: int | None = None
    deals: int = 0
    draws: int = 0

    def deck(self, pieces: Sequence[str]) -> list[str]:
        """All the pieces in the order in which they leave the pile.

        Raises DeckError where the explicit deck of this deal is not made of exactly these pieces.
        """
        number = self.deals
        if number < len(self.decks):
            deck = list(self.decks[number])
            check_deck(deck, pieces, number)
        else:
            deck = list(pieces)
            Stream(self.key, f"deck:{number}").shuffle(deck)
        self.deals += 1
        return deck

    def dealt(self, pieces: Sequence[str]) -> list[list[str]]:
        """Every deck dealt so far, in order, for a record whose deals may be shown."""
        again = Dealer(self.key, self.decks, self.first)
        return [again.deck(pieces) for _ in range(self.deals)]

    def lot(self, among: Sequence[int]) -> int:
        """One of the seats by lot; `first` if it is among them."""
        if self.first is not None and self.first in among:
            return self.first
        return among[self.draw(len(among))]

    def draw(self, n: int) -> int:
        """A number 0..n-1 for anything else that chance decides, e.g. a direction."""
        number = self.draws
        self.draws += 1
        return Stream(self.key, f"draw:{number}").below(n)


def check_deck(deck: Sequence[str], pieces: Sequence[str], number: int) -> None:
    """Raise DeckError unless the deck holds exactly the pieces of the game."""
    have, want = Counter(deck), Counter(pieces)
    if have != want:
        missing = ", ".join(sorted((want - have).elements())) or "nothing"
        surplus = ", ".join(sorted((have - want).elements())) or "nothing"
        raise DeckError(
            f"decks[{number}] is not a full set: missing {missing}; unknown or too many: {surplus}"
        )
