"""Addresses whose connections are closed for their own fault again and again: they have to wait.

A client that floods, or asks and never reads, costs little once it is closed, but its coming back does:
a handshake is a hundred times the work of a frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from server.transport import codes
from server.transport.address import household
from server.transport.base import clock
from server.transport.pace import Pace

FAULTS = frozenset(
    {
        codes.PROTOCOL_ERROR,
        codes.INVALID_TEXT,
        codes.TOO_BIG,
        codes.BAD_FRAME,
        codes.TOO_FAST,
        codes.TOO_SLOW,
    }
)
BURST = 4
"""A minute's faults by this are how many may come at once: a flood is barred before it has made them all."""
WAIT_S = 10
"""How long an address waits after one fault too many; twice as long each time that it goes on."""
MOST_WAIT_S = 600
"""Its longest wait, and how long it must have behaved for the next one to be short again."""
KEPT = 10_000
"""Addresses remembered before those that behave are forgotten."""


class Faults:
    """Counts closings by address against a rate a minute, 0 for none. now: milliseconds, monotonic."""

    def __init__(self, per_minute: int, now: Callable[[], float] = clock) -> None:
        self._per_minute = per_minute
        self._now = now
        self._paces: dict[str, Pace] = {}
        self._waits: dict[str, tuple[float, int]] = {}  # until when, and for how many seconds

    def note(self, remote: str, code: int) -> None:
        """A connection of this address was closed with this code."""
        if code not in FAULTS or not self._per_minute:
            return
        key, now = household(remote), self._now()
        pace = self._paces.get(key)
        if pace is None:
            if len(self._paces) >= KEPT:
                self._forget(now)
            pace = Pace(self._per_minute / 60, math.ceil(self._per_minute / BURST))
            self._paces[key] = pace
        if pace.allows(now):
            return
        until, last = self._waits.get(key, (0.0, 0))
        if until > now:
            return  # of a connection from before
        seconds = min(2 * last, MOST_WAIT_S) if _counts(until, now) else WAIT_S
        self._waits[key] = now + seconds * 1000, seconds
        # Waiting earns nothing: else a flood would be let in for as many faults again after every wait.
        pace.stands(seconds * 1000)

    def wait_s(self, remote: str) -> int:
        """How many seconds the address has to wait; 0 if it may come."""
        if not self._waits:
            return 0
        until, _ = self._waits.get(household(remote), (0.0, 0))
        return max(0, math.ceil((until - self._now()) / 1000))

    def _forget(self, now: float) -> None:
        """Drop those that have made no fault for as long as counts."""
        self._waits = {k: wait for k, wait in self._waits.items() if _counts(wait[0], now)}
        self._paces = {k: p for k, p in self._paces.items() if not p.rests(now) or k in self._waits}


def _counts(until: float, now: float) -> bool:
    """Whether a wait until then still makes the next one longer."""
    return now < until + MOST_WAIT_S * 1000 and until > 0
