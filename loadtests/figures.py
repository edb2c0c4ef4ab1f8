"""Medians with their spread, percentiles."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def spread(values: Sequence[float], digits: int = 0) -> str:
    """The median, and in brackets the least and the greatest: `412 (405-431)`."""
    if not values:
        return "-"
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f} ({least:,.{digits}f}-{most:,.{digits}f})"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share (0..1) of all values does not exceed; NaN of none."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def latency(seconds: Sequence[float]) -> str:
    """p50, p99 and the worst, in milliseconds: `0.61 / 2.10 / 4.00`."""
    parts = (percentile(seconds, 0.5), percentile(seconds, 0.99), max(seconds, default=math.nan))
    return " / ".join(f"{part * 1e3:.2f}" for part in parts)


LATENCY = "ms p50 / p99 / worst"
"""The heading of a column of latencies."""
