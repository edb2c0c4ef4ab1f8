"""Rate limits as pure counting: token buckets with time passed in."""

from __future__ import annotations


class Bucket:
    """At most `size` at once, refilled evenly over `span_ms`."""

    __slots__ = ("_at", "_level", "size", "span_ms")

    def __init__(self, size: int, span_ms: int) -> None:
        self.size = size
        self.span_ms = span_ms
        self._level = float(size)
        self._at: float | None = None

    def take(self, now: float) -> int | None:
        """None if there was one to take; else the milliseconds until there is one."""
        if self.size == 0:
            return self.span_ms
        if self._at is not None:
            gained = max(0.0, now - self._at) * self.size / self.span_ms
            self._level = min(float(self.size), self._level + gained)
        self._at = now
        if self._level >= 1:
            self._level -= 1
            return None
        return int((1 - self._level) * self.span_ms / self.size) + 1

    def full(self, now: float) -> bool:
        """Whether nothing is left to remember."""
        return self._at is None or now - self._at >= self.span_ms
