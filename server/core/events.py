"""The table's own events, the same for every game."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class TableEvent(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of the events that the table makes."""


class WindowOpened(TableEvent, frozen=True, tag="window_opened"):
    """Everyone but the opener may claim now."""

    window: str
    kinds: tuple[str, ...]
    opener: int
    claim_ms: int
    grace_ms: int
    ends: Literal["deadline", "next_action"]


class PublishedClaim(msgspec.Struct, frozen=True):
    """A claim that won, lost to another, or was false under a rule that shows it."""

    seat: int
    action: str
    after_ms: int
    outcome: Literal["won", "lost", "false"]


class WindowClosed(TableEvent, frozen=True, tag="window_closed"):
    """The window is over, with the claims that may be published, in turn order from the opener."""

    window: str
    claims: list[PublishedClaim]


class TurnDropped(TableEvent, frozen=True, tag="turn_dropped"):
    """To its own seat: the held turn was dropped because a claim took the turn."""

    request: str
    action: Any


class ClaimDropped(TableEvent, frozen=True, tag="claim_dropped"):
    """To its own seat: a claim read after the sealed time came after something else."""

    request: str
    action: Any


class TimedOut(TableEvent, frozen=True, tag="timed_out"):
    """The seat's time is over; the default action follows."""

    seat: int


class ClockLow(TableEvent, frozen=True, tag="clock_low"):
    """To its own seat: so much time is left."""

    left_ms: int


class Seated(TableEvent, frozen=True, tag="seated"):
    """A player or a bot sat down."""

    seat: int
    name: str
    bot: bool = False


class Stood(TableEvent, frozen=True, tag="stood"):
    """A seat of a table that is not running became free."""

    seat: int
    name: str


class IsReady(TableEvent, frozen=True, tag="ready"):
    """A player is ready, or no longer."""

    seat: int
    ready: bool


class Away(TableEvent, frozen=True, tag="away"):
    """The seat has no connection; after policy_in_ms the policy is carried out.

    policy: `bot` or `forfeit` in a match, `stand` (the seat becomes free) before and after it.
    """

    seat: int
    policy: str
    policy_in_ms: int


class PolicyApplied(TableEvent, frozen=True, tag="policy_applied"):
    """The player stayed away: a bot plays on until he is back, or the seat forfeits."""

    seat: int
    policy: str


class Back(TableEvent, frozen=True, tag="back"):
    """The player is back."""

    seat: int


class Left(TableEvent, frozen=True, tag="left"):
    """The player gave up his seat in a running match; a bot plays it to the end."""

    seat: int


class MatchStarted(TableEvent, frozen=True, tag="match_started"):
    """A match begins."""

    match: str
    number: int
    early_close: bool = False


class MatchEnded(TableEvent, frozen=True, tag="match_ended"):
    """The match is over. record: where to get its record; forfeited: seats placed last for it."""

    match: str
    record: str
    scores: list[int]
    places: list[int]
    forfeited: list[int] = []


class MatchVoided(TableEvent, frozen=True, tag="match_voided"):
    """The match was given up for a fault of ours; it counts for nothing. why: engine, version."""

    match: str
    why: str


class RematchAsked(TableEvent, frozen=True, tag="rematch_asked"):
    """A player wants another match."""

    seat: int


class Delayed(TableEvent, frozen=True, tag="delayed"):
    """The table stood still for that long; every running time was moved. resumed: a takeover."""

    ms: int
    resumed: bool = False


PUBLIC = (
    WindowOpened
    | WindowClosed
    | TimedOut
    | Seated
    | Stood
    | IsReady
    | Away
    | PolicyApplied
    | Back
    | Left
    | MatchStarted
    | MatchEnded
    | MatchVoided
    | RematchAsked
    | Delayed
)
PRIVATE = TurnDropped | ClaimDropped | ClockLow
TABLE_EVENTS = PUBLIC | PRIVATE
