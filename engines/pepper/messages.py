"""What crosses the border of the game: options, actions, events, the view."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from engines.kit.contract import Action, Event, Options, View
from engines.pepper.cards import Card, Suit

Phase = Literal["bidding", "trump", "play", "over"]
Bid = int | Literal["small", "big"]
"""1..5 or 1..7 tricks, all tricks, or all tricks for double points."""


class PepperOptions(Options, frozen=True, kw_only=True):
    """Options of the match (rules/pepper: Options).

    target: points that end the match. all_pass: what happens when nobody bids. pass_locks_out: a player
    who has passed is not asked again in the hand.
    """

    target: Annotated[int, Meta(ge=1, le=100)] = 30
    all_pass: Literal["next_dealer", "same_dealer", "stick_dealer"] = "next_dealer"
    pass_locks_out: bool = False


class MakeBid(Action, frozen=True, tag="bid"):
    """Bid higher than everyone before. Any whole number is understood; the rules judge it."""

    bid: Bid


class Pass(Action, frozen=True, tag="pass"):
    """Make no bid now."""


class NameTrump(Action, frozen=True, tag="trump"):
    """Name the trump suit; a written null is no trump."""

    suit: Suit | None


class Play(Action, frozen=True, tag="play"):
    """Play a card to the trick."""

    card: Card


PepperAction = MakeBid | Pass | NameTrump | Play


class HandStarted(Event, frozen=True, tag="hand_started"):
    """Cards are dealt; the seat after the dealer bids first. cards: how many each seat has."""

    round: int
    dealer: int
    cards: int


class Dealt(Event, frozen=True, tag="dealt"):
    """A seat's cards; nobody else gets this event."""

    seat: int
    cards: tuple[str, ...]


class BidMade(Event, frozen=True, tag="bid_made"):
    """A bid. next: the seat to speak next, absent when the auction is over."""

    seat: int
    bid: Bid
    next: int | None = None


class Passed(Event, frozen=True, tag="passed"):
    """A pass in the auction. next: the seat to speak next, absent when the auction is over."""

    seat: int
    next: int | None = None


class AuctionWon(Event, frozen=True, tag="auction_won"):
    """The declarer names trump and leads."""

    seat: int
    bid: Bid


class ThrownIn(Event, frozen=True, tag="thrown_in"):
    """Nobody bid; the hand scores nothing."""


class TrumpNamed(Event, frozen=True, tag="trump_named"):
    """The trump suit; a written null is no trump."""

    seat: int
    suit: Suit | None


class Played(Event, frozen=True, tag="played"):
    """A card was played to the trick."""

    seat: int
    card: str


class TrickWon(Event, frozen=True, tag="trick_won"):
    """A trick is complete. tricks: how many each seat has now taken."""

    seat: int
    card: str
    tricks: tuple[int, ...]


class HandScored(Event, frozen=True, tag="hand_scored"):
    """All tricks are played. taken: tricks of the declarer's side. points: of this hand, a seat;
    scores: booked points, a seat; partners have the same."""

    declarer: int
    bid: Bid
    made: bool
    taken: int
    points: tuple[int, ...]
    scores: tuple[int, ...]


class MatchEnded(Event, frozen=True, tag="match_won"):
    """The match is over; several sides may have won."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]


PepperEvent = (
    HandStarted
    | Dealt
    | BidMade
    | Passed
    | AuctionWon
    | ThrownIn
    | TrumpNamed
    | Played
    | TrickWon
    | HandScored
    | MatchEnded
)


class Call(Struct, frozen=True, omit_defaults=True):
    """A call of the auction; without a bid it is a pass."""

    seat: int
    bid: Bid | None = None


class TrickCard(Struct, frozen=True):
    """A card in a trick and who played it."""

    seat: int
    card: str


class PepperView(View, kw_only=True, omit_defaults=True):
    """What a viewer sees of a game of Pepper.

    sides: the side of each seat; partners have the same. calls: the auction so far. bid, declarer: the
    highest bid and its seat. trump: `none` for no trump, absent while not named. trick: the cards on the
    table, in the order played. tricks: taken by each seat this hand. played: the cards of all complete
    tricks of the hand. last_trick: the one before. stick: whether a dealer must bid when all others have
    passed. last: what the last action led to, as everybody may
    know it.
    """

    phase: Phase = "bidding"
    dealer: int = 0
    sides: list[int] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    bid: Bid | None = None
    declarer: int | None = None
    trump: Literal["C", "D", "H", "S", "none"] | None = None
    trick: list[TrickCard] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    last_trick: list[TrickCard] = field(default_factory=list)
    target: int = 30
    stick: bool = False
    last: list[PepperEvent] = field(default_factory=list)
