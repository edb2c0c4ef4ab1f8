"""Medians, percentiles."""

from __future__ import annotations

import math

from loadtests import figures


def test_a_spread_names_the_median_and_the_ends() -> None:
    assert figures.spread([3, 1, 2]) == "2 (1-3)"
    assert figures.spread([1_234.56], 1) == "1,234.6 (1,234.6-1,234.6)"
    assert figures.spread([]) == "-"


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(i) for i in range(1, 101)]
    assert figures.percentile(values, 0.5) == 50
    assert figures.percentile(values, 0.99) == 99
    assert figures.percentile([7.0], 0.99) == 7
    assert math.isnan(figures.percentile([], 0.5))


def test_latencies_are_told_in_milliseconds() -> None:
    assert figures.latency([0.001, 0.002, 0.004]) == "2.00 / 4.00 / 4.00"
