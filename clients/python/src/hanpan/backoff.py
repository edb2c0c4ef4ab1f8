"""How long to wait before coming back, and how fast to send."""

from __future__ import annotations

import random

from hanpan._messages import Close


class Backoff:
    """Waits that double up to a cap, with full jitter, so that a crowd does not come back at once.

    base_s, cap_s: the first and the largest bound in seconds. chance: where the jitter comes from.
    """

    def __init__(
        self, base_s: float = 0.3, cap_s: float = 5.0, chance: random.Random | None = None
    ) -> None:
        self.base_s = base_s
        self.cap_s = cap_s
        self.tries = 0
        self._chance = chance or random.Random()

    def reset(self) -> None:
        """The connection held; begin anew."""
        self.tries = 0

    def next(self, code: int = 0, in_ms: int | None = None) -> float:
        """Seconds to wait after a connection that ended with this close code.

        in_ms: what the server asked for before it went away.
        """
        bound: float = min(self.cap_s, self.base_s * 2 ** min(self.tries, 30))
        self.tries += 1
        wait = self._chance.uniform(0, bound)
        if code == Close.DRAINING and in_ms is not None:
            return in_ms / 1000 + wait
        if code == Close.TOO_FAST:
            return self.cap_s / 2 + wait
        return wait


class Pace:
    """A bucket that keeps a client below the server's limit of frames.

    rate: frames a second; burst: how many at once. Both a little below what the server allows.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = max(1.0, rate * 0.9)
        self.burst = max(1.0, burst * 0.8)
        self._left = self.burst
        self._at: float | None = None

    def take(self, now: float) -> float:
        """Seconds to wait before the next frame may be sent; now: any steady clock."""
        if self._at is not None:
            self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        self._left -= 1
        return max(0.0, -self._left / self.rate)
