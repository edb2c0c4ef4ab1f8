"""The stream `public:delayed`: what spectators of a table with `spectate_delay_ms` see, that much later."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from protocol.codec import encoder
from server.core.frames import DELAYED, Frame
from server.runtime.channel import Channel
from server.runtime.parts import Parts, Sayer, raw


class Delayed:
    """A second, later telling of the public stream under the same numbers, with its own present."""

    def __init__(self, table: str, delay_ms: int) -> None:
        self.channel = Channel(DELAYED)
        self.number = 0
        self.view: msgspec.Raw | None = None
        self.seats = msgspec.Raw(b"[]")
        self.clock: msgspec.Raw | None = None
        self._table = table
        self._delay = delay_ms / 1000
        self._waiting: deque[tuple[float, Frame, Parts, msgspec.Raw | None]] = deque()

    def later(self, frame: Frame, sayer: Sayer) -> None:
        """Show a committed public frame when its time has come."""
        head = Frame(frame.index, DELAYED, frame.seq, frame.at)
        head.events, head.seats, head.clock = frame.events, frame.seats, frame.clock
        head.view = frame.view
        say = {language: sayer(head, language) for language in self.channel.languages}
        parts = Parts(self._table, head, say)
        view = None if frame.view is None else raw(frame.view)
        # One timer for all: of timers at one time a loop may call a later one first.
        loop = asyncio.get_running_loop()
        self._waiting.append((loop.time() + self._delay, frame, parts, view))
        if len(self._waiting) == 1:
            loop.call_later(self._delay, self._show)

    def recover(self, present: Frame, wait_s: float, tell: Callable[[], None]) -> None:
        """After a restart the table's end is the present, as soon as that is old enough.

        tell: called if that is not yet so; whoever listens by then is to be shown the present.
        """
        view = None if present.view is None else raw(present.view)
        if wait_s <= 0:
            self._take(present, view)
            return

        def catch_up() -> None:
            self._take(present, view)
            tell()

        asyncio.get_running_loop().call_later(wait_s, catch_up)

    def _show(self) -> None:
        """Show what is due, in the order of its numbers, and wait for the next."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            due, frame, parts, view = self._waiting[0]
            if due > loop.time():
                loop.call_at(due, self._show)
                return
            self._waiting.popleft()
            self._take(frame, view)
            self.channel.deliver(parts, bulk=True)

    def _take(self, frame: Frame, view: msgspec.Raw | None) -> None:
        self.number = frame.seq
        if view is not None:
            self.view = view
        if frame.seats is not None:
            self.seats = msgspec.Raw(encoder.encode(frame.seats))
        if frame.clock is not None:
            self.clock = msgspec.Raw(encoder.encode(frame.clock))
