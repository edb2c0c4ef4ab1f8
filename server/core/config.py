"""How a table was made: fixed from its creation on."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.contract import Options
from engines.kit.registry import AnyGame
from server.core.clocks import SPEEDS, ClockRules


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table's rules and its place in the lobby. Times in milliseconds; options complete."""

    table: str
    epoch: str
    game: str
    ruleset: str
    options: dict[str, Any]
    seats: int
    speed: str = "standard"
    visibility: str = "public"
    host: str | None = None
    invite: str | None = None
    rated: bool = False
    away_policy: str = "bot"
    away_ms: int = 60_000
    early_close: bool | None = None
    open_record: bool = False
    spectate_delay_ms: int = 0
    decks: list[list[str]] = []
    first: int | None = None
    seed: str | None = None
    clock: ClockRules = ClockRules()
    pace_ms: int = 0

    @property
    def arranged(self) -> bool:
        """Whether the deals are given, not shuffled; such a table is never rated."""
        return bool(self.decks) or self.first is not None or self.seed is not None


GRACE_MS = 300


def clock_rules(speed: str, settle_ms: int) -> ClockRules:
    """The clock of a live table at a speed."""
    times = SPEEDS[speed]
    return ClockRules(
        turn_ms=times.turn_ms,
        bank_ms=times.bank_ms,
        grace_ms=GRACE_MS,
        settle_ms=settle_ms,
        early_close=False,
    )


def scaled_options(game: AnyGame, ruleset: str, given: dict[str, Any], speed: str) -> Options:
    """A table's options: a `claim_ms` that is not given explicitly is scaled by the speed.

    Raises OptionError. Source: rules, "Speeds".
    """
    options: Options = game.options(ruleset, given)
    claim_ms = getattr(options, "claim_ms", None)
    if claim_ms is None or "claim_ms" in given:
        return options
    scaled = int(claim_ms * SPEEDS[speed].claim)
    return msgspec.structs.replace(options, claim_ms=scaled)
