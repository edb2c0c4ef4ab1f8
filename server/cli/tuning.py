"""How the interpreter is set for a process that serves."""

from __future__ import annotations

import sys

from server.runtime.memory import keep_large_apart

SWITCH_S = 0.000_5
"""How long the event loop keeps the interpreter's lock while the journal's thread waits for it. Each
wait is part of a commit's latency; Python's own 5 ms would be most of it."""


def tune() -> None:
    """To be called before serving."""
    sys.setswitchinterval(SWITCH_S)
    keep_large_apart()
