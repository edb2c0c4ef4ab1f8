"""How the interpreter is set for serving."""

from __future__ import annotations

import sys

from server.cli.tuning import SWITCH_S, tune


def test_a_serving_process_switches_often() -> None:
    interval = sys.getswitchinterval()
    try:
        tune()
        assert abs(sys.getswitchinterval() - SWITCH_S) < 1e-6
    finally:
        sys.setswitchinterval(interval)
