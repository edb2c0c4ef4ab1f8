"""The model of fence and lease holds, and each planted fault is found.

HANPAN_LEASE_ENDS: how often a lease ends in the model (1).
"""

from __future__ import annotations

import os

import pytest

from tests.models.spin import PLANTS, check

ENDS = int(os.environ.get("HANPAN_LEASE_ENDS", "1"))


def test_fence_and_lease_hold_in_every_order() -> None:
    errors, states = check("fence", ENDS=ENDS)
    assert errors == 0
    assert states > 10_000


@pytest.mark.parametrize("plant", range(1, len(PLANTS) + 1), ids=PLANTS)
def test_a_planted_fault_is_found(plant: int) -> None:
    errors, _ = check("fence", plant, ENDS=1)
    assert errors == 1
