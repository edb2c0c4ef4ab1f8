"""The state of a match, all hidden cards included."""

from __future__ import annotations

from msgspec import Struct

from engines.pepper.auction import Auction
from engines.pepper.cards import Suit
from engines.pepper.messages import PepperEvent, PepperOptions, Phase, TrickCard


class Hand(Struct):
    """One hand, from the deal to the last trick.

    hands: the cards a seat holds. dead: the third hand at two seats. trump: None for no trump, and
    while it is not named. trick: the cards on the table. tricks: taken, a seat. played: cards of the
    complete tricks. voids: for each seat the suits that it has shown not to hold.

    Views share these lists: a changed one takes the place of the old, which stays as it was.
    """

    dealer: int
    hands: list[list[str]]
    dead: list[str]
    auction: Auction
    tricks: list[int]
    voids: list[list[Suit]]
    phase: Phase = "bidding"
    trump: Suit | None = None
    leader: int = 0
    trick: list[TrickCard] = []
    played: list[str] = []
    last_trick: list[TrickCard] = []

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the hand is over."""
        if self.phase == "play":
            return (self.leader + len(self.trick)) % len(self.hands)
        if self.phase == "trump":
            return self.auction.by
        return self.auction.turn if self.phase == "bidding" else None


class PepperState(Struct):
    """A match. number: the hand's, from 1, thrown-in ones counted. scores: booked points, a side.
    last: public events of the last action."""

    options: PepperOptions
    seats: int
    number: int
    scores: list[int]
    hand: Hand
    last: list[PepperEvent]
