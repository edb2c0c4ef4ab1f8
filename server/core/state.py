"""Everything that a table remembers between two inputs, as data that can be written down."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engines.kit.dealer import Dealer
from server.core.claims import Window
from server.core.clocks import Clock
from server.core.config import TableConfig
from server.core.refusals import Taken

KEEP_ANSWERED = 8
"""Answered requests remembered a seat, so that a repeat gets the same answer."""


class SeatState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One seat. driven: a bot plays for a player who is away. away_until: when the policy acts."""

    state: Literal["open", "here", "away", "left", "bot"] = "open"
    player: str | None = None
    name: str = ""
    level: str | None = None
    ready: bool = False
    away_until: int | None = None
    driven: bool = False
    forfeited: bool = False
    rematch: bool = False
    bank_ms: int = 0
    orders: dict[str, Any] = {}
    orders_until: Literal["round", "match"] = "round"

    @property
    def by_bot(self) -> bool:
        """Whether the server answers this seat's requests with a bot."""
        return self.state in ("bot", "left") or self.driven


class Request(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An open decision. bot_due: when the seat's bot answers, if one plays it."""

    id: str
    seat: int
    kind: Literal["turn", "claim"]
    opened: int
    window: str | None = None
    bot_due: int | None = None


class Answered(msgspec.Struct):
    """A request that was answered: the same action again gets the same answer."""

    request: str
    kind: Literal["turn", "claim"]
    action: Any
    answer: Taken


class MatchSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat there when the match began. player None: a bot of `level`."""

    name: str
    player: str | None = None
    level: str | None = None


class MatchState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The match that runs or ran last.

    started: from which a record counts. first_entry: the number of the log entry that began it. starts:
    each stream's number before it. round: the engine's, 0 before the first. scores, places, last_entry (that ended it): set at the end.
    """

    id: str
    number: int
    seed: str
    started: int
    early_close: bool
    first_entry: int
    starts: list[int]
    dealer: Dealer
    round: int = 0
    players: list[MatchSeat] = []
    scores: list[int] = []
    places: list[int] = []
    voided: bool = False
    ended: int | None = None
    last_entry: int | None = None

    def name(self, kind: str, number: int) -> str:
        """The id of a request (r) or window (w); no other match of the table has it."""
        return f"{kind}{number}" if self.number == 1 else f"{kind}{self.number}.{number}"


class TableState(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The whole table but the engine's state, which stands beside it in a snapshot.

    numbers: the top number of each stream, one a seat and the public one last. entries: how many
    the log has. unstored: earlier matches whose results were not known to be stored when the next one
    began; whoever takes the table over stores them. requests: the open ones by id. answered: the last
    ones of each seat.
    """

    config: TableConfig
    seats: list[SeatState]
    numbers: list[int]
    now: int = 0
    entries: int = 0
    since_snapshot: int = 0
    phase: Literal["waiting", "running", "ended"] = "waiting"
    match: MatchState | None = None
    unstored: list[MatchState] = []
    requests: dict[str, Request] = {}
    answered: list[list[Answered]] = []
    next_request: int = 1
    next_window: int = 1
    window: Window | None = None
    clock: Clock | None = None
