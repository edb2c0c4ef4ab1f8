"""The smallest open loop."""

from __future__ import annotations

import pytest

from loadtests import open_loop


def test_a_small_open_loop(capsys: pytest.CaptureFixture[str]) -> None:
    open_loop.measure(tables=4, share=0.3, seconds=1.0, clients=1, matches=1)
    printed = capsys.readouterr().out
    assert "turns a second" in printed
    assert "p99 of a turn, ms" in printed
    assert "nan" not in printed
