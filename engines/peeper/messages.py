"""What players send and see in Peeper: options, actions, events and views."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from engines.kit import contract
from engines.kit.contract import Action, Decline, Event
from engines.peeper.combinations import Kind
from engines.peeper.tiles import Tile

Number: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Any number that JSON carries exactly; which of them are ranks is a matter of the rules."""


class Options(contract.Options, frozen=True, kw_only=True):
    """rules/peeper: Options. claim_ms: milliseconds; announce_at: tiles left."""

    direction: Literal["clockwise", "counterclockwise", "random"] = "clockwise"
    rounds: Annotated[int, Meta(ge=1, le=20)] = 1
    rank_by: Literal["count", "sum"] = "count"
    tie: Literal["shared", "sum"] = "shared"
    wild_mine: bool = False
    announce_at: Annotated[int, Meta(ge=0, le=16)] = 5
    show_counts: Literal["always", "low"] = "always"
    claim_ms: Annotated[int, Meta(ge=0, le=15000)] = 3000


# -- actions -----------------------------------------------------------------------------------------
class Play(Action, frozen=True, tag="play"):
    """Lay tiles in turn. kind (on the wire `as`) and low declare the reading where there are several."""

    tiles: list[Tile]
    kind: Kind | None = field(default=None, name="as")
    low: Number | None = None


class Pass(Action, frozen=True, tag="pass"):
    """Lay nothing."""


class Mine(Action, frozen=True, tag="mine"):
    """Claim the single on top with two tiles of its number."""

    tiles: list[Tile]


class Return(Action, frozen=True, tag="return"):
    """Claim the lead back from a Mine with one more tile of its number."""

    tiles: list[Tile]


Actions = Play | Pass | Mine | Return | Decline


# -- events ------------------------------------------------------------------------------------------
class RoundStarted(Event, frozen=True, tag="round_started"):
    """A round is dealt. counts: tiles a seat, None where hidden. unused: tiles face down.

    hands: every hand, in the full event only; hand: the viewer's own. secret: in the full event only,
    others may not know the counts.
    """

    round: int
    direction: Literal["clockwise", "counterclockwise"]
    counts: list[int | None]
    unused: int
    hand: list[Tile] = field(default_factory=list)
    hands: list[list[Tile]] | None = None
    secret: bool = False


class Flip(Struct, frozen=True):
    """A seat's unused tile, turned up in the search for the starter."""

    seat: int
    tile: Tile


class StarterFound(Event, frozen=True, tag="starter_found"):
    """Who starts and how he was found (rules/peeper: Who starts).

    flips: the tiles turned up, in seat order. lots: the seats among which lots were drawn.
    """

    seat: int
    by: Literal["red_one", "only_one", "flips", "lots"]
    flips: list[Flip] = field(default_factory=list)
    lots: list[int] = field(default_factory=list)


class Played(Event, frozen=True, tag="played"):
    """Tiles were laid in turn and are read as kind (`as`) from low. left: in hand, None where hidden.

    secret: in the full event only, left is for the seat alone.
    """

    seat: int
    tiles: list[Tile]
    kind: Kind = field(name="as")
    low: int
    left: int | None = None
    secret: bool = False


class Passed(Event, frozen=True, tag="passed"):
    """A seat passed in turn."""

    seat: int


class Mined(Event, frozen=True, tag="mined"):
    """A Mine took the lead. left: in hand, None where hidden.

    secret: in the full event only, left is for the seat alone.
    """

    seat: int
    tiles: list[Tile]
    left: int | None = None
    secret: bool = False


class Returned(Event, frozen=True, tag="returned"):
    """A Return took the lead. left: in hand, None where hidden.

    secret: in the full event only, left is for the seat alone.
    """

    seat: int
    tiles: list[Tile]
    left: int | None = None
    secret: bool = False


class TrickWon(Event, frozen=True, tag="trick_won"):
    """All others have passed: the last to play leads anything."""

    seat: int


class CountAnnounced(Event, frozen=True, tag="count_announced"):
    """The count that a seat calls at the start of its turn (rules/peeper: Announcements)."""

    seat: int
    left: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A seat went out. One entry a seat each.

    places: of the round. points: for it. left: tiles in hand. scores: booked in all.
    sums: numbers left, given where the ranking uses them.
    """

    round: int
    winner: int
    places: list[int]
    points: list[int]
    left: list[int]
    scores: list[int]
    sums: list[int] | None = None


Events = (
    RoundStarted
    | StarterFound
    | Played
    | Passed
    | Mined
    | Returned
    | TrickWon
    | CountAnnounced
    | RoundEnded
)


# -- views -------------------------------------------------------------------------------------------
class Top(Struct, frozen=True):
    """What lies on top and is to be beaten, with the seat that laid it."""

    seat: int
    tiles: list[Tile]
    kind: Kind = field(name="as")
    low: int


class Last(Struct, frozen=True, omit_defaults=True):
    """What the last player to act did; tiles of a play, Mine or Return, the reading of a play."""

    seat: int
    did: Literal["play", "pass", "mine", "return"]
    tiles: list[Tile] = field(default_factory=list)
    kind: Kind | None = field(default=None, name="as")
    low: int | None = None


class View(contract.View, kw_only=True, omit_defaults=True):
    """What one viewer sees of a match.

    hand: own tiles in order. counts: tiles a seat, None where hidden. top: what is to be beaten, None
    for a leader. last: what was done last in this round. passed: seats that passed since the last play.
    direction: of the turns. rounds: in the match. announce_at: counts up to this are called.
    sheet: points a seat of each finished round. places: of the match, empty until it is over.
    """

    hand: list[Tile] = field(default_factory=list)  # type: ignore[assignment]  # tiles are the strings that Peeper knows
    top: Top | None = None
    last: Last | None = None
    passed: list[int] = field(default_factory=list)
    direction: Literal["clockwise", "counterclockwise"] = "clockwise"
    rounds: int = 1
    announce_at: int = 5
    sheet: list[list[int]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
