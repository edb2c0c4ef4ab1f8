"""The smallest closed loop: tables play on without an error, and everything is measured."""

from __future__ import annotations

import pytest

from loadtests import closed
from loadtests.replay import Counts
from loadtests.script import Script


def test_a_small_closed_loop(scripts: list[Script], capsys: pytest.CaptureFixture[str]) -> None:
    run = closed.measure(scripts, tables=3, clients=2, seconds=0.4, windows=2)
    assert run.actions > 20
    assert run.frames > 4 * run.actions
    assert len(run.latencies) > run.turns // 2
    assert all(0 < value < 1 for value in run.latencies)
    assert run.bare_us > 0
    assert run.burst_us > 0
    closed.show(run)
    closed.judge([run, closed.Run(100, action_us=[400.0], frame_us=[90.0], bare_us=10.0)])
    printed = capsys.readouterr().out
    assert "met: CPU an action at 100 tables, µs: 400.00" in printed
    assert "MISSED: CPU a frame at 100 tables, bare sends: 9.00" in printed


def test_an_error_that_a_client_saw_ends_the_run() -> None:
    with pytest.raises(RuntimeError, match="stale_request"):
        closed.total([Counts(), Counts(errors=["stale_request"])])
