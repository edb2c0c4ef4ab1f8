"""Many worlds, each with its own faults: nothing that was promised is broken in any of them."""

from __future__ import annotations

import os

import pytest

from tests.simulation.run import run, told

SEEDS = int(os.environ.get("HANPAN_SEEDS", "500"))
"""How many worlds; `make verify` asks for more."""

SLICES = 8


@pytest.mark.parametrize("part", range(SLICES))
def test_every_promise_holds_in_every_world(part: int) -> None:
    broken = []
    for seed in range(part, SEEDS, SLICES):
        result = run(seed)
        if result.wrong:
            print(told(result), flush=True)
            broken.append(seed)
    assert not broken
