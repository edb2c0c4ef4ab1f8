"""What every bus promises; the kinds are siblings of this file and pass one contract suite.

A bus is the fast path and loses messages silently: numbers and repair are its users' business.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

Listener = Callable[[bytes], None]


class Bus(ABC):
    """Channels by exact name; a payload goes to every listener of its channel, at most once."""

    @abstractmethod
    async def start(self) -> None:
        """Open it. Raises BusError with a sentence for an operator."""

    @abstractmethod
    async def stop(self) -> None:
        """Close it; nothing is delivered afterwards."""

    @abstractmethod
    def publish(self, channel: str, payload: bytes) -> None:
        """Send and forget; never blocks, never raises for a lost connection.

        Listeners are called on the loop in a later step, never from within this call; the payloads
        of one publisher arrive in their order.
        """

    @abstractmethod
    def subscribe(self, channel: str, listener: Listener) -> None:
        """Call the listener with every payload of the channel; the same listener twice is one."""

    @abstractmethod
    def unsubscribe(self, channel: str, listener: Listener) -> None:
        """Stop calling the listener, at once; one that is not subscribed is no error."""

    @abstractmethod
    async def settle(self) -> None:
        """Wait until every `subscribe` before it is in force, so that nothing published afterwards
        is missed. Returns at once while the connection is away: a reset follows."""

    @property
    def hop(self) -> float | None:
        """How long the last message to ourselves took, in seconds, where that is measured."""
        return None

    @property
    def is_up(self) -> bool:
        """Whether messages arrive, as far as can be told."""
        return True

    @abstractmethod
    def on_reset(self, callback: Callable[[], None]) -> None:
        """Call back after a resubscription: messages may have been lost."""


class BusError(Exception):
    """The bus cannot be opened; the message says why."""
