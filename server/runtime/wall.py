"""The table's time: milliseconds since 1970 that never run back, however the wall clock is set."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.transport.base import clock


class Wall:
    """Wall time as it was at the start, carried on by the monotonic clock.

    steady: the clock of sockets' stamps, in ms. since: the wall time now, in ms; a simulation gives both.
    """

    def __init__(self, steady: Callable[[], float] = clock, since: float | None = None) -> None:
        self.steady = steady
        self._offset = (time.time() * 1000.0 if since is None else since) - steady()

    def now(self) -> int:
        """Now, in whole milliseconds."""
        return int(self.steady() + self._offset)

    def at(self, stamp: float) -> int:
        """The time of a monotonic stamp in milliseconds, such as a socket's read."""
        return int(stamp + self._offset)
