"""The smallest open loop."""

from __future__ import annotations

import math

from loadtests import open_loop


def test_a_small_open_loop() -> None:
    greatest, run = open_loop.measure(tables=4, share=0.3, seconds=1.0, clients=1, matches=1)
    assert run.rate == 0.3 * greatest
    assert 0 < run.turns_s < greatest
    assert run.action_us > 0
    times = open_loop.judge(run)[1]
    assert times.value >= 1
    assert not math.isnan(times.value)
