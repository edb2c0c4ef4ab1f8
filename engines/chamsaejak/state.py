"""The whole truth of a match, as the engine keeps it."""

from __future__ import annotations

from typing import Final

import msgspec

from engines.chamsaejak.messages import News, Options

HAND_SIZE: Final = 5
START_POINTS: Final = 40


class Match(msgspec.Struct, kw_only=True):
    """One match. Hands are kept in tile order. The lists `discards`, `shown` and `last` are
    replaced, never changed in place, because views share them.

    round: the current hand, from 1. stock: what is left to draw, the next tile last. seat: who is
    to act, or whose discard is offered. drawn: the tile that `seat` drew in this turn; None while
    its discard is offered and after the match. only_discard, shown, last: as in the view.
    """

    options: Options
    scores: list[int]
    round: int
    dealer: int
    dora: str
    hands: list[list[str]]
    discards: list[list[str]]
    stock: list[str]
    seat: int
    drawn: str | None = None
    only_discard: bool = False
    shown: list[list[str]] = []
    last: list[News] = []
    finished: bool = False

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.scores)

    @property
    def hands_in_match(self) -> int:
        """So many hands make every player the dealer `rounds` times."""
        return self.options.rounds * len(self.scores)

    @property
    def opener(self) -> int | None:
        """The seat whose discard is offered now, or None."""
        return self.seat if self.drawn is None and not self.finished else None

    @property
    def offered(self) -> str:
        """The tile that lies in the open window."""
        return self.discards[self.seat][-1]


def show(shown: list[list[str]], seat: int, tiles: list[str], seats: int) -> list[list[str]]:
    """What is known of all hands once a seat has shown these tiles of its own."""
    known = list(shown) if shown else [[] for _ in range(seats)]
    known[seat] = tiles
    return known


def unshow(shown: list[list[str]], seat: int, tile: str) -> list[list[str]]:
    """What is still known once the seat has discarded the tile. A tile that was drawn since and
    equals a shown one changes nothing: equal tiles cannot be told apart."""
    if not shown or tile not in shown[seat]:
        return shown
    left = list(shown[seat])
    left.remove(tile)
    known = [*shown[:seat], left, *shown[seat + 1 :]]
    return known if any(known) else []
