"""The smallest fan-out."""

from __future__ import annotations

import pytest

from loadtests import fanout
from loadtests.script import Script


def test_a_small_fanout(scripts: list[Script], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "SETTLE_S", 0.2)
    run = fanout.measure(scripts, spectators=10, seconds=0.9, clients=1)
    assert run.frame > 100
    assert run.alone
    assert run.watched
    assert min(run.deliveries_s) > 0
    assert len(fanout.row(run)) == len(fanout.HEAD)
    assert [target.number for target in fanout.judge(run)] == [2, 2]
