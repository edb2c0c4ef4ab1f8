"""Work that may wait, a piece in each turn of the loop, so that what may not wait comes in between.

A piece takes a tenth to two milliseconds and a turn of the loop some hundredths, so more at once would
save next to nothing. No clock decides how many, so a loop whose time is simulated takes the same turns
again.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import deque
from collections.abc import Callable

logger = logging.getLogger("hanpan.transport")


class Turns:
    """The pieces that wait, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, work: Callable[[], None]) -> None:
        """Have a piece done when its turn comes."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        try:
            self._waiting[0]()
        except Exception:
            logger.exception("a piece of work failed")
        finally:
            self._waiting.popleft()
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._turn)


_of: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = weakref.WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """The one of an event loop, for what knows no other."""
    turns = _of.get(loop)
    if turns is None:
        turns = _of[loop] = Turns()
    return turns
