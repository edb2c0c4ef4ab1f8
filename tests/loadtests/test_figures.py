"""Medians, percentiles, verdicts."""

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


def test_a_verdict_says_what_is_met() -> None:
    assert figures.verdict("a", 1, 2) == "met: a: 1.00, at most 2"
    assert figures.verdict("a", 3, 2).startswith("MISSED")
    assert figures.verdict("a", 1.5, 2, 1).endswith("goal 1: not yet")


def test_the_header_names_command_commit_versions_and_machine() -> None:
    lines = figures.header().splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "command",
        "date",
        "versions",
        "machine",
    ]
    assert "picows" in lines[2]
