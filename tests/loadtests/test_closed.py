"""The smallest closed loop: tables play on without an error, and everything is measured."""

from __future__ import annotations

import pytest

from loadtests import closed, longest
from loadtests.replay import Counts
from loadtests.script import Script


def test_a_small_closed_loop(scripts: list[Script]) -> None:
    run = closed.measure(scripts, tables=3, clients=2, seconds=0.4, windows=2)
    assert run.actions > 20
    assert run.frames > 4 * run.actions
    assert len(run.latencies) > run.turns // 2
    assert all(0 < value < 1 for value in run.latencies)
    assert run.bare_us > 0
    assert run.burst_us > 0
    assert 0 < run.busiest[0] < 1.5
    assert run.beside_us == [0.0, 0.0]
    assert len(closed.costs(run)) == len(closed.COSTS)
    assert len(closed.shape(run)) == len(closed.SHAPES)


def test_targets_of_the_closed_loop() -> None:
    few = closed.Run(10, action_us=[390.0])
    many = closed.Run(100, action_us=[400.0, 401.0, 100.0], frame_us=[90.0], bare_us=10.0)
    found = {target.what: target for target in closed.judge([few, many])}
    assert found["CPU µs an action at 100 tables"].value == 400
    assert found["CPU µs an action at 100 tables"].met
    assert not found["CPU a frame at 100 tables, in bare sends"].met
    assert found["CPU an action from 10 to 100 tables, most to least"].number == 7


def test_a_report_says_whether_the_load_was_the_limit() -> None:
    assert "0.70 of a core in any window: they are not" in closed.limit(
        [closed.Run(1, busiest=[0.3, 0.7]), closed.Run(2, busiest=[0.2])]
    )
    assert "**they are the limit**" in closed.limit([closed.Run(1, busiest=[0.3, 0.9])])


def test_every_part_of_a_match_is_measured() -> None:
    tenths = longest.measure(rounds=5, tables=2, parts=3, passes=1)
    assert tenths.actions > 5 * 16
    assert len(tenths.action_us) == 3
    assert longest.told(tenths).count("|") == 15
    assert longest.target(longest.Tenths(1, 1, 10, [2.0, 3.0]), 1.3).value == 1.5


def test_an_error_that_a_client_saw_ends_the_run() -> None:
    with pytest.raises(RuntimeError, match="stale_request"):
        closed.total([Counts(), Counts(errors=["stale_request"])])
