"""Speeds, and the one clock that runs at a table: turn time, then the seat's bank."""

from __future__ import annotations

from typing import Annotated

import msgspec

Milliseconds = Annotated[int, msgspec.Meta(ge=0)]
MARKS = (10_000, 5_000)
"""Time left at which a seat is told that its time runs out."""
RESUMED_MS = 3_000
"""What a running clock has at least after a takeover."""


class Speed(msgspec.Struct, frozen=True):
    """turn_ms, bank_ms: None is no clock. claim: factor on an option's default. pace_ms: of bots."""

    turn_ms: int | None
    bank_ms: int | None
    claim: float
    pace_ms: int


SPEEDS = {
    "blitz": Speed(8_000, 20_000, 0.5, 700),
    "standard": Speed(20_000, 60_000, 1, 1_500),
    "relaxed": Speed(60_000, 300_000, 3, 4_000),
    "instant": Speed(None, None, 1, 0),
}


class ClockRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is in force at a table, in milliseconds; as `clock` in a record."""

    turn_ms: Annotated[int, msgspec.Meta(ge=1)] | None = None
    bank_ms: Milliseconds | None = None
    grace_ms: Milliseconds = 0
    settle_ms: Milliseconds = 0
    early_close: bool = False


class Clock(msgspec.Struct):
    """The clock of the seat to act. started None: the turn may only be held, no time runs.

    deadline: when the time-out acts. marks: times of the `clock_low` events still to come.
    """

    seat: int
    started: int | None = None
    deadline: int | None = None
    marks: list[int] = []

    def start(self, now: int, rules: ClockRules, bank: int) -> None:
        """Begin to run; a table without turn time never does."""
        if rules.turn_ms is None:
            return
        self.started = now
        self.deadline = now + rules.turn_ms + bank
        self.marks = [self.deadline - mark for mark in MARKS if self.deadline - mark > now]

    def used_bank(self, now: int, rules: ClockRules, bank: int) -> int:
        """How much of the bank is used up when the seat acts now."""
        if self.started is None or rules.turn_ms is None:
            return 0
        return min(bank, max(0, now - self.started - rules.turn_ms))

    def shift(self, ms: int) -> None:
        """Move every running time: that much was not the seat's."""
        if self.started is not None and self.deadline is not None:
            self.started += ms
            self.deadline += ms
            self.marks = [mark + ms for mark in self.marks]

    def expire(self, now: int) -> None:
        """Have no time at all: the default action is due."""
        self.started = self.deadline = now
        self.marks = []

    def at_least(self, now: int, ms: int) -> None:
        """Leave at least so much time."""
        if self.deadline is not None and self.deadline < now + ms:
            self.shift(now + ms - self.deadline)
