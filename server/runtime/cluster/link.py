"""Numbered packets between processes over the bus, gathered a turn of the loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from server.bus.base import Bus
from server.runtime.cluster.packets import Deliver, Packet, Tables, decoder, encoder
from server.runtime.metrics import LOST_PACKETS
from server.transport.base import Message

log = structlog.get_logger("hanpan.link")

ALL = "nodes"
BEATS = 2
"""Empty packets after the last one of a burst; each of them may be lost too."""


def channel(node: str) -> str:
    """The channel of one process."""
    return f"node:{node}"


class Link:
    """This process's end of all links.

    on_item: called with (sender, item) for everything that comes. on_loss: called with a sender of
    which something was lost, and with None when it may have been anyone's.
    """

    def __init__(self, bus: Bus, node: str) -> None:
        self.node = node
        self.on_item: Callable[[str, Any], None] = lambda sender, item: None
        self.on_loss: Callable[[str | None], None] = lambda sender: None
        self._bus = bus
        self._numbers: dict[str, tuple[int, int]] = {}
        self._heard: dict[str, tuple[int, int]] = {}
        self._gathered: dict[str, list[Any]] = {}
        self._open: dict[str, dict[Message, Deliver]] = {}
        self._beats: dict[str, int] = {}

    def start(self) -> None:
        """Begin to listen."""
        self._bus.subscribe(channel(self.node), self._receive)
        self._bus.subscribe(ALL, self._receive)
        self._bus.on_reset(lambda: self.on_loss(None))

    def stop(self) -> None:
        """Listen no more."""
        self._bus.unsubscribe(channel(self.node), self._receive)
        self._bus.unsubscribe(ALL, self._receive)

    def send(self, node: str, item: Any) -> None:
        """Send an item to one process, in order with all others to it."""
        if not self._gathered:
            asyncio.get_running_loop().call_soon(self._flush)
        self._gathered.setdefault(node, []).append(item)

    def deliver(self, node: str, connection: int, message: Message, item: Deliver) -> None:
        """Send a message for one more session: the same message goes to a process once a turn."""
        same = self._open.setdefault(node, {}).get(message)
        if same is not None:
            same.connections.append(connection)
            return
        # The message itself is the key: kept until the flush, so that it cannot be mistaken.
        self._open[node][message] = item
        self.send(node, item)

    def tell_all(self, item: Any) -> None:
        """Tell every process, this one too; unnumbered."""
        self._bus.publish(ALL, encoder.encode(Packet(self.node, 0, 0, [item])))

    def forget(self, node: str) -> None:
        """The process is gone. What it sent counts on, should it only have been away."""
        self._numbers.pop(node, None)
        self._beats.pop(node, None)

    def restart(self, node: str) -> None:
        """Count anew, so that the process asks for everything that it may have missed."""
        self._numbers.pop(node, None)
        self.send(node, Tables([], []))

    def beat(self) -> None:
        """Send an empty packet where nothing followed the last ones: that they were lost must show."""
        for node in list(self._beats):
            self._beats[node] -= 1
            if not self._beats[node]:
                del self._beats[node]
            self._publish(node, [])

    def _flush(self) -> None:
        gathered, self._gathered = self._gathered, {}
        self._open = {}
        for node, items in gathered.items():
            self._beats[node] = BEATS
            self._publish(node, items)

    def _publish(self, node: str, items: list[Any]) -> None:
        since, number = self._numbers.get(node) or (time.time_ns(), 0)
        self._numbers[node] = (since, number + 1)
        packet = Packet(self.node, since, number + 1, items)
        self._bus.publish(channel(node), encoder.encode(packet))

    def _receive(self, payload: bytes) -> None:
        try:
            packet = decoder.decode(payload)
        except msgspec.MsgspecError as error:
            log.error("packet_unreadable", error=str(error))
            return
        if packet.number:
            since, last = self._heard.get(packet.sender, (packet.since, 0))
            if (packet.since, packet.number) <= (since, last):
                return
            self._heard[packet.sender] = (packet.since, packet.number)
            if packet.since > since or packet.number > last + 1:
                LOST_PACKETS.inc()
                log.warning("packets_lost", sender=packet.sender)
                self.on_loss(packet.sender)
        for item in packet.items:
            self.on_item(packet.sender, item)
