"""Work that may wait, done a little in each turn of the loop, so that what may not wait comes in between."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import deque
from collections.abc import Callable
from time import perf_counter

logger = logging.getLogger("hanpan.transport")

SLICE = 0.000_25
"""Seconds of it a turn, little beside what a turn of the loop costs; one piece is done in any case."""


class Turns:
    """The pieces that wait, in the order in which they came, for one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._armed = False

    def add(self, work: Callable[[], None]) -> None:
        """Have a piece done when its turn comes."""
        self._waiting.append(work)
        if not self._armed:
            self._armed = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        until = perf_counter() + SLICE
        while self._waiting:
            work = self._waiting.popleft()
            try:
                work()
            except Exception:
                logger.exception("a piece of work failed")
            if perf_counter() >= until:
                break
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._turn)
        else:
            self._armed = False


_of: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = weakref.WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """What waits on an event loop."""
    turns = _of.get(loop)
    if turns is None:
        turns = _of[loop] = Turns()
    return turns
