"""Ends a process whose event loop stands still: a frozen server helps nobody, a restarted one does.

Two guards. A thread looks whether the loop still beats, and finds a loop that waits for something. A
timer of the kernel that counts the process's own CPU time, and that every beat winds up again, finds one
that computes without ever letting another thread run. Neither counts while the whole process is stopped.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
import traceback

import structlog

from server.runtime.metrics import LOOP_LAG_SECONDS

log = structlog.get_logger("hanpan.watchdog")

BEAT_S = 0.25
LOOK_S = 0.5
EXIT_FROZEN = 70
"""The exit code of a process that this ended (EX_SOFTWARE)."""


class Watchdog:
    """Watches one loop; `limit_s` is how long it may stand still, 0 for ever."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self._beats = 0
        self._stopped = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Watch the running loop until it ends, or until `stop`."""
        self._task = asyncio.get_running_loop().create_task(self._beat())
        if self.limit_s:
            loop_thread = threading.get_ident()
            threading.Thread(
                target=self._look, args=(loop_thread,), name="watchdog", daemon=True
            ).start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()
        self._wind(0)
        if self._task is not None:
            self._task.cancel()

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._beats += 1
                self._wind(self.limit_s)
                before = loop.time()
                await asyncio.sleep(BEAT_S)
                LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - before - BEAT_S))
        finally:
            self.stop()

    def _wind(self, seconds: float) -> None:
        """Let the kernel end the process after so much more CPU time without a beat; 0: never."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, seconds)

    def _look(self, loop_thread: int) -> None:
        """Count the time without a beat in looks, not by the clock: a stopped process counts nothing."""
        seen, still = -1, 0.0
        before = time.monotonic()
        while not self._stopped.wait(LOOK_S):
            now = time.monotonic()
            passed, before = min(now - before, 2 * LOOK_S), now
            beats = self._beats
            seen, still = beats, 0.0 if beats != seen else still + passed
            if still >= self.limit_s:
                self._end(loop_thread, still)

    def _end(self, loop_thread: int, still: float) -> None:
        frame = sys._current_frames().get(loop_thread)
        where = traceback.format_stack(frame) if frame is not None else []
        # Where it stands, by lines of code; what is in its variables stays there.
        log.critical("loop_frozen", seconds=round(still, 1), stack="".join(where[-8:]))
        sys.stderr.flush()
        os._exit(EXIT_FROZEN)
