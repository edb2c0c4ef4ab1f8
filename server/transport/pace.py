"""A rate with a burst, as one number (the generic cell rate algorithm)."""

from __future__ import annotations


class Pace:
    """Counts events against a rate; times in milliseconds.

    rate: events a second in the long run. burst: how many may come at once after a rest.
    """

    __slots__ = ("_due", "_gap", "_room")

    def __init__(self, rate: float, burst: int) -> None:
        self._gap = 1000.0 / rate
        self._room = burst * self._gap
        self._due = 0.0

    def allows(self, now: float) -> bool:
        """Counts one event; False, and not counted, when it comes too fast."""
        due = self._due
        due = (due if due > now else now) + self._gap
        if due - now > self._room + 1e-6:
            return False
        self._due = due
        return True

    def stands(self, span: float) -> None:
        """For so long nothing is regained, which begins now."""
        self._due += span

    def rests(self, now: float) -> bool:
        """Whether as many as ever may come at once again."""
        return self._due <= now
