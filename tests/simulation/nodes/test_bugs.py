"""Bugs planted between the processes: the simulation finds each of them within a few worlds."""

from __future__ import annotations

import pytest

from tests.simulation.nodes.bugs import BUGS
from tests.simulation.nodes.run import run

MOST = 12


@pytest.mark.parametrize("name", sorted(BUGS))
def test_a_planted_bug_is_found(name: str) -> None:
    for seed in range(MOST):
        with BUGS[name]():
            if run(seed).wrong:
                return
    pytest.fail(f"{name} was not found in {MOST} worlds")


def test_there_are_enough_of_them() -> None:
    assert len(BUGS) >= 8
