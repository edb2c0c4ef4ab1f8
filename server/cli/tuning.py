"""How the interpreter is set for a process that serves."""

from __future__ import annotations

import ctypes
import gc
import sys

YOUNG = 200_000
"""New objects that stay before the collector looks at all that came since it last did. That takes 20 to 50
ms, in which nobody is answered; what tables and connections make refers to itself nowhere and needs no
collector, so that it runs while many of them come, and else hardly ever."""
SWITCH_S = 0.000_5
"""How long the event loop keeps the interpreter's lock while the journal's thread waits for it. Each
wait is part of a commit's latency; Python's own 5 ms would be most of it."""


M_MMAP_THRESHOLD = -3
"""The name of it in glibc's malloc.h."""
LARGE = 64 * 1024
"""Bytes from which a piece of memory is a mapping of its own, which the system gets back when it is freed.
Left alone, the allocator raises this with what is freed, and what piles up for peers that do not read is
kept for ever."""


def tune() -> None:
    """To be called once everything is imported and built: that is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    sys.setswitchinterval(SWITCH_S)
    _give_back()


def _give_back() -> None:
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):
        return  # not glibc: its allocator knows best
    mallopt(M_MMAP_THRESHOLD, LARGE)
