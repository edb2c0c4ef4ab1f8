"""Memory that goes back to the system, of a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

PILE_UP = """
import resource
from pathlib import Path
from server.runtime.memory import UNUSED, Surplus, keep_large_apart

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

keep_large_apart()
before = resident()
pieces, pins = [], []
for _ in range(4 * UNUSED // {size}):
    pieces.append(b"x" * {size})
    pins.append(b"y" * 600)
piled = resident() - before
assert piled > 3 * UNUSED, piled
pieces.clear()
held = resident() - before
surplus = Surplus()
gave = surplus.give_back()
print(int(gave), held, resident() - before)
assert not surplus.give_back(), "twice"
"""


@pytest.mark.parametrize(("size", "by_itself"), [(100_000, True), (11_000, False)])
def test_what_piled_up_goes_back_when_it_is_freed(size: int, by_itself: bool) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PILE_UP.format(size=size)],
        capture_output=True,
        text=True,
        check=True,
    )
    gave, held, left = map(int, told.stdout.split())
    assert (gave == 0, held < 8_000_000) == (by_itself, by_itself)
    assert left < 8_000_000
