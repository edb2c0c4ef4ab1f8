"""How the interpreter is set for serving."""

from __future__ import annotations

import gc
import subprocess
import sys

from server.cli.tuning import SWITCH_S, YOUNG, tune


def test_a_serving_process_rarely_collects_and_switches_often() -> None:
    threshold, interval = gc.get_threshold(), sys.getswitchinterval()
    try:
        tune()
        assert gc.isenabled()
        assert gc.get_threshold()[0] == YOUNG
        assert gc.get_freeze_count() > 0
        assert abs(sys.getswitchinterval() - SWITCH_S) < 1e-6
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)
        sys.setswitchinterval(interval)


GIVEN_BACK = """
import resource, sys
from pathlib import Path
from server.cli.tuning import tune

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

tune()
before = resident()
for _ in range(5):
    pieces = [b"x" * 100_000 for _ in range(300)]
    pins = [b"y" * 600 for _ in range(300)]  # between and behind them
    pieces.clear()
print(resident() - before)
"""


def test_what_is_large_is_given_back_when_it_is_freed() -> None:
    told = subprocess.run(
        [sys.executable, "-c", GIVEN_BACK], capture_output=True, text=True, check=True
    )
    assert int(told.stdout) < 5_000_000
