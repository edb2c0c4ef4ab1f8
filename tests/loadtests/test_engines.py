"""The engine benchmark applies what it recorded and times what is hardest."""

from __future__ import annotations

import pytest

from engines.kit.registry import load
from loadtests import engines


@pytest.mark.parametrize("name", load())
def test_a_small_benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "POSITIONS", 5)
    game = load()[name]
    made = engines.matches(game, 1)
    assert engines.applied(game, made[0]) == engines.whole(game, made[0]) == len(made[0].steps)
    assert min(engines.rate(engines.applied, game, made, 0.01, 2)) > 0
    listing, reading = engines.slowest(game, made)
    assert 0 < listing < 1_000
    assert 0 <= reading < 1_000


def test_hard_hands_hold_every_x() -> None:
    game = load()["peeper"]
    for state, seat in engines.hard_hands(game):
        assert game.view(state, seat).hand.count("X") == 4
