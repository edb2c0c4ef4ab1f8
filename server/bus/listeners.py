"""Who listens to which channel in this process; shared by every kind of bus."""

from __future__ import annotations

import asyncio
from collections.abc import KeysView

from server.bus.base import Listener


class Listeners:
    """Channels and their listeners, each in the order of subscription."""

    def __init__(self) -> None:
        self._channels: dict[str, dict[Listener, None]] = {}

    def channels(self) -> KeysView[str]:
        """The channels with a listener."""
        return self._channels.keys()

    def add(self, channel: str, listener: Listener) -> bool:
        """Whether it is the channel's first."""
        first = channel not in self._channels
        self._channels.setdefault(channel, {})[listener] = None
        return first

    def remove(self, channel: str, listener: Listener) -> bool:
        """Whether it was the channel's last."""
        listeners = self._channels.get(channel)
        if listeners is None or listener not in listeners:
            return False
        del listeners[listener]
        if listeners:
            return False
        del self._channels[channel]
        return True

    def deliver(self, channel: str, payload: bytes) -> None:
        """Call the channel's listeners; what one raises is reported and harms no other.

        A listener may subscribe and unsubscribe: one taken away by an earlier one is not called.
        """
        listeners = self._channels.get(channel)
        if listeners is None:
            return
        for listener in tuple(listeners):
            if listener in listeners:
                try:
                    listener(payload)
                except Exception as error:
                    asyncio.get_running_loop().call_exception_handler(
                        {"message": f"a listener of {channel} failed", "exception": error}
                    )
