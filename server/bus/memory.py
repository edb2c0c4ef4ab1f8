"""The bus of one process alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.bus.base import Bus, Listener
from server.bus.listeners import Listeners


class MemoryBus(Bus):
    """Delivers what was published in one turn of the loop in the next, in that order, without loss."""

    def __init__(self) -> None:
        self._listeners = Listeners()
        self._gathered: list[tuple[str, bytes]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    async def stop(self) -> None:
        self._loop = None
        self._gathered.clear()

    def publish(self, channel: str, payload: bytes) -> None:
        if self._loop is None or channel not in self._listeners.channels():
            return
        if not self._gathered:
            self._loop.call_soon(self._deliver)
        self._gathered.append((channel, payload))

    def _deliver(self) -> None:
        gathered, self._gathered = self._gathered, []
        for channel, payload in gathered:
            self._listeners.deliver(channel, payload)

    def subscribe(self, channel: str, listener: Listener) -> None:
        self._listeners.add(channel, listener)

    def unsubscribe(self, channel: str, listener: Listener) -> None:
        self._listeners.remove(channel, listener)

    async def settle(self) -> None:
        """A subscription is in force at once."""

    def on_reset(self, callback: Callable[[], None]) -> None:
        """Nothing is ever lost here, so the callback is never called."""
