"""The table's time: milliseconds since 1970 that never run back, however the wall clock is set."""

from __future__ import annotations

import time


class Wall:
    """Wall time as it was at the start, carried on by the monotonic clock."""

    def __init__(self) -> None:
        self._offset = time.time() * 1000.0 - time.monotonic() * 1000.0

    def now(self) -> int:
        """Now, in whole milliseconds."""
        return int(time.monotonic() * 1000.0 + self._offset)

    def at(self, stamp: float) -> int:
        """The time of a monotonic stamp in milliseconds, such as a socket's read."""
        return int(stamp + self._offset)
