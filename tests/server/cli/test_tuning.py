"""How the interpreter is set for serving."""

from __future__ import annotations

import gc
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
