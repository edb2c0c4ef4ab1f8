"""What crosses the table's edge: options, actions, events and the view."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from engines.chamsaejak.payments import Rounding
from engines.chamsaejak.scoring import Parts
from engines.chamsaejak.tiles import NAMES, Tile
from engines.kit import contract
from engines.kit.contract import Action, Decline, Event

By = Literal["tsumo", "ron"]
Flaw = Literal["incomplete", "too_few", "own_discard"]
FalseWinRule = Literal["refuse", "penalty"]


class Options(contract.Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of a match; the defaults are the rules'.

    rounds: dealerships of each player. claim_ms: the ron window, in milliseconds.
    """

    rounds: Annotated[int, Meta(ge=1, le=4)] = 4
    tsumo_rounding: Rounding = "nearest"
    all_green_allows_red: bool = False
    false_win: FalseWinRule = "refuse"
    claim_ms: Annotated[int, Meta(ge=500, le=15_000)] = 2000


class Discard(Action, frozen=True, tag="discard"):
    """Put one of the six tiles down, face up."""

    tile: Tile


class Tsumo(Action, frozen=True, tag="tsumo"):
    """Declare a win with the tile just drawn."""


class Ron(Action, frozen=True, tag="ron"):
    """Declare a win with the tile just discarded by another player."""


TurnAction = Discard | Tsumo
AnyAction = Discard | Tsumo | Ron | Decline

DISCARDS: Final[dict[str, Discard]] = {tile: Discard(tile=tile) for tile in NAMES}
TSUMO: Final = Tsumo()
RON: Final = Ron()
DECLINE: Final = Decline()


class Dealt(Event, frozen=True, tag="dealt"):
    """A new hand. hand: the viewer's own five tiles; hands: everybody's, for the arbiter alone."""

    round: int
    dealer: int
    dora: str
    stock: int
    hand: list[str] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)


class Drew(Event, frozen=True, tag="drew"):
    """A seat drew and is to act. stock: tiles left; tile: only for the seat itself."""

    seat: int
    stock: int
    tile: str | None = None


class Discarded(Event, frozen=True, tag="discarded"):
    """A tile was discarded; it may be claimed until the window closes."""

    seat: int
    tile: str


class Won(Event, frozen=True, tag="won"):
    """A win, with the six tiles set by set.

    points: of the hand; payout: with the dealer's bonus. delta: what this win brought each seat;
    scores: after it. tile, discarder: of a ron.
    """

    seat: int
    by: By
    tiles: list[str]
    parts: Parts
    points: int
    payout: int
    delta: list[int]
    scores: list[int]
    tile: str | None = None
    discarder: int | None = None


class FalseWin(Event, frozen=True, tag="false_win"):
    """A win was declared that is none: its six tiles, why it is none, and what it cost.

    points: of complete tiles. tile, discarder: of a ron.
    """

    seat: int
    by: By
    tiles: list[str]
    why: Flaw
    delta: list[int]
    scores: list[int]
    points: int | None = None
    tile: str | None = None
    discarder: int | None = None


class Exhausted(Event, frozen=True, tag="exhausted"):
    """The stock ran out and nobody claimed the last discard: the hand ends without a winner."""


class Finished(Event, frozen=True, tag="finished"):
    """The match is over. places: 1 is best, equal scores share."""

    scores: list[int]
    places: list[int]


News = Discarded | Won | FalseWin | Exhausted
AnyEvent = Dealt | Drew | Discarded | Won | FalseWin | Exhausted | Finished


class View(contract.View, kw_only=True, omit_defaults=True):
    """What one viewer sees; `round` counts the hands of the match.

    hands_in_match: how many there are. drawn: the own tile just drawn, part of `hand`. opener,
    discard: whose discard can be claimed now, and which tile. only_discard: the seat to act has
    declared a false tsumo in this turn. shown: by seat, tiles still in a hand that a declared win
    showed; empty where nobody showed any. last: the last discard and what came of it, or how the
    last hand ended. places: of a finished match.
    """

    hands_in_match: int
    dealer: int
    dora: str
    stock: int
    discards: list[list[str]]
    drawn: str | None = None
    opener: int | None = None
    discard: str | None = None
    only_discard: bool = False
    shown: list[list[str]] = field(default_factory=list)
    last: list[News] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    all_green_allows_red: bool = False
    false_win: FalseWinRule = "refuse"
