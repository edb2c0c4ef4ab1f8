"""How the interpreter is set for a process that serves."""

from __future__ import annotations

import gc
import sys

from server.runtime.memory import keep_large_apart

YOUNG = 200_000
"""New objects that stay before the collector looks at all that came since it last did. That takes 20 to 50
ms, in which nobody is answered; what tables and connections make refers to itself nowhere and needs no
collector, so that it runs while many of them come, and else hardly ever."""
SWITCH_S = 0.000_5
"""How long the event loop keeps the interpreter's lock while the journal's thread waits for it. Each
wait is part of a commit's latency; Python's own 5 ms would be most of it."""


def tune() -> None:
    """To be called once everything is imported and built: that is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    sys.setswitchinterval(SWITCH_S)
    keep_large_apart()
