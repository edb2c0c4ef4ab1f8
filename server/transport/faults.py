"""Addresses whose connections are closed for their own fault again and again: they have to wait.

A client that floods, or asks and never reads, costs little once it is closed, but its coming back does:
a handshake is a hundred times the work of a frame.
"""

from __future__ import annotations

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
WAIT_S = 10
"""How long an address waits after one fault too many."""
KEPT = 10_000
"""Addresses remembered before those that behave are forgotten."""


class Faults:
    """Counts closings by address against a rate a minute, 0 for none. now: milliseconds, monotonic."""

    def __init__(self, per_minute: int, now: Callable[[], float] = clock) -> None:
        self._per_minute = per_minute
        self._now = now
        self._paces: dict[str, Pace] = {}
        self._until: dict[str, float] = {}

    def note(self, remote: str, code: int) -> None:
        """A connection of this address was closed with this code."""
        if code not in FAULTS or not self._per_minute:
            return
        key, now = household(remote), self._now()
        pace = self._paces.get(key)
        if pace is None:
            if len(self._paces) >= KEPT:
                self._forget(now)
            pace = self._paces[key] = Pace(self._per_minute / 60, self._per_minute)
        if not pace.allows(now):
            self._until[key] = now + WAIT_S * 1000

    def bars(self, remote: str) -> bool:
        """Whether the address has to wait."""
        if not self._until:
            return False
        key = household(remote)
        until = self._until.get(key)
        if until is None:
            return False
        if until > self._now():
            return True
        del self._until[key]
        return False

    def _forget(self, now: float) -> None:
        """Drop those that have made no fault for as long as counts."""
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._paces = {k: p for k, p in self._paces.items() if not p.rests(now) or k in self._until}
