"""Load that must not take the processor from what is measured beside it."""

from __future__ import annotations

import os


def give_way() -> None:
    """Let this process run only when nobody else wants the processor: on a machine of its own, as such
    load has in truth, it would take nothing from anybody. Where the system has no such class it is the
    least of priorities."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
