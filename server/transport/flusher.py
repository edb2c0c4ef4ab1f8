"""Writes what the sockets gathered, once a turn of the loop and in slices.

One callback a turn for the process, not one a socket. Sockets with something for players come first;
those that have only `bulk` (audiences) take the rest of the slice, and never less than a few, so that
neither side starves the other. Between two slices the loop reads.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import perf_counter
from typing import Protocol

logger = logging.getLogger("hanpan.transport")

SLICE = 0.000_5
"""Seconds of writing a turn. A player's action takes several turns to its delivery (read, commit, write),
and waits for a slice in each of them while an audience is written to."""

_STEP = 16
"""Sockets written between two looks at the time; also what bulk gets in any turn."""


class Gatherer(Protocol):
    """What can be flushed."""

    def flush(self) -> None:
        """Writes what was gathered, if anything."""

    def abort(self) -> None:
        """Ends the line at once."""


class Flusher:
    """The queue of sockets that have gathered something, for one event loop."""

    __slots__ = ("_armed", "_bulk", "_soon")

    def __init__(self) -> None:
        self._soon: deque[Gatherer] = deque()
        self._bulk: deque[Gatherer] = deque()
        self._armed = False

    def add(self, socket: Gatherer, bulk: bool) -> None:
        """Writes the socket at the end of this turn, or when its lane comes to it."""
        (self._bulk if bulk else self._soon).append(socket)
        if not self._armed:
            self._armed = True
            asyncio.get_running_loop().call_soon(self._turn)

    def players_now(self) -> None:
        """Writes what is for players in this turn: before the next one the loop would read first."""
        self._slice(self._soon, perf_counter() + SLICE)

    def _turn(self) -> None:
        until = perf_counter() + SLICE
        for lane in (self._soon, self._bulk):
            self._slice(lane, until)
        if self._soon or self._bulk:
            asyncio.get_running_loop().call_soon(self._turn)
        else:
            self._armed = False

    def _slice(self, lane: deque[Gatherer], until: float) -> None:
        while lane:
            self._write(lane)
            if perf_counter() >= until:
                break

    def _write(self, lane: deque[Gatherer]) -> None:
        """One step. A socket that fails ends the step; the others keep their places."""
        next_of = lane.popleft
        socket = lane[0]
        try:
            for _ in range(min(_STEP, len(lane))):
                socket = next_of()
                socket.flush()
        except Exception:
            logger.exception("a write failed")
            socket.abort()
