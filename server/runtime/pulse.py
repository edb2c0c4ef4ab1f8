"""Notices when the whole process stood still: what fell due meanwhile must not be held against anybody.

A process that was stopped, swapped out or busy for long finds its timers and what was sent to it waiting
side by side. Nobody could see or answer anything meanwhile, so every running time is moved by as much.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.runtime.wall import Wall

BEAT_MS = 250
LATE_MS = 250
"""How late a beat may be; less is what a window's constant `grace_ms` is for."""


class Pulse:
    """Beats on the running loop. stood: called with the milliseconds that the process stood still."""

    def __init__(self, wall: Wall, stood: Callable[[int], None]) -> None:
        self._steady = wall.steady
        self._stood = stood
        self._last = wall.steady()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._last = self._steady()
        self._beat()

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def look(self) -> None:
        """Before anything is done that depends on the time: after a standstill nobody knows whether the
        beat, a deadline's timer or an input comes first."""
        now = self._steady()
        if self._timer is not None and now - self._last > BEAT_MS + LATE_MS:
            still, self._last = now - self._last, now
            self._stood(int(still))

    def _beat(self) -> None:
        self.look()
        self._last = self._steady()
        self._timer = asyncio.get_running_loop().call_later(BEAT_MS / 1000, self._beat)
