"""How the interpreter is set for a process that serves."""

from __future__ import annotations

import gc
import sys

YOUNG = 20_000
"""New objects before the collector looks at them; tables make hundreds an input and drop them at once."""
SWITCH_S = 0.000_5
"""How long the event loop keeps the interpreter's lock while the journal's thread waits for it. Each
wait is part of a commit's latency; Python's own 5 ms would be most of it."""


def tune() -> None:
    """To be called once everything is imported and built: that is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    sys.setswitchinterval(SWITCH_S)
