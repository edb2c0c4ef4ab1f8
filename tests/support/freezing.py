"""A game package (it offers Echo) whose import lets a test freeze the process that loads it.

SIGUSR1: its main thread waits for a minute. SIGUSR2: it computes for minutes without letting any other
thread run.
"""

from __future__ import annotations

import re
import signal
import time
from typing import Any

from tests.games.echo import GAME

__all__ = ["GAME"]


def _wait(*_: Any) -> None:
    time.sleep(60)


def _compute(*_: Any) -> None:
    re.match(r"(a+)+$", "a" * 40 + "b")


signal.signal(signal.SIGUSR1, _wait)
signal.signal(signal.SIGUSR2, _compute)
