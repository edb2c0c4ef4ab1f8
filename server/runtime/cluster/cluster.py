"""This process as one of several: what comes over the links goes to whose it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from server.journal.base import JournalError
from server.runtime import metrics
from server.runtime.cluster.gateway import Gateway
from server.runtime.cluster.guests import Guests
from server.runtime.cluster.link import Link
from server.runtime.cluster.owners import Owners
from server.runtime.cluster.packets import (
    Deliver,
    Forward,
    Freed,
    Gone,
    People,
    Present,
    Query,
    Reattach,
    Revoked,
    Stand,
    Tables,
)
from server.runtime.cluster.people import Sockets
from server.runtime.cluster.shared import SharedTables

if TYPE_CHECKING:
    from protocol.client import Place
    from server.runtime.host import Host
    from server.runtime.hub import Hub

TURN_S = 0.1
BEAT_S = 0.5
PRESENT_S = 2.0
EVERYTHING_S = 10.0
MISSED_MS = 60_000
"""So much before the bus was last known to be up a revocation may have been missed: the time until a
silent bus counts as away, and what the clocks of two hosts may differ."""


class Cluster:
    """Links, shared tables, gateway, guests and owners of one process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.link = Link(hub.bus, hub.node)
        self.tables = SharedTables(hub, self.link)
        self.gateway = Gateway(hub, self.link, self.tables)
        self.guests = Guests(hub, self.link)
        self.owners = Owners(hub, self.link, self.tables)
        self.sockets = Sockets(hub, self.link)
        self.link.on_item = self._item
        self.link.on_loss = self._lost
        self._is_up = True
        self._up_at = hub.wall.now()

    def start(self) -> None:
        """Begin to listen, tell the others of this process's tables, and ask for theirs."""
        self.link.start()
        self._hub.spawn(self._turns())
        self._hub.spawn(self.owners.run())
        self._hub.spawn(self._nodes())
        self.link.tell_all(Query())

    def stop(self) -> None:
        """Listen no more."""
        self.link.stop()

    def _item(self, sender: str, item: Any) -> None:
        if sender == self._hub.node:
            return
        match item:
            case Forward():
                self.guests.forward(sender, item)
            case Deliver():
                self.gateway.deliver(sender, item)
            case Reattach():
                self.guests.reattach(sender, item)
            case Gone():
                self.guests.gone(sender, item.connection)
            case Present():
                self.guests.present(sender, item.connections)
            case Tables():
                self.gateway.moved(self.tables.heard(sender, item))
            case Query():
                self.tables.answer(sender, item)
            case Freed():
                self.owners.freed()
            case People():
                self.sockets.heard(sender, item)
            case Revoked():
                self._hub.close_sockets(item.player)

    def _lost(self, sender: str | None) -> None:
        if sender is None:
            self.owners.unsure()
            self.link.tell_all(Query())
            self.tables.tell_everything()
            self._hub.spawn(self._hub.close_revoked(self._up_at - MISSED_MS))
        self.gateway.repair(sender)

    async def _turns(self) -> None:
        """What is to be done now and then."""
        turns = 0
        while True:
            await asyncio.sleep(TURN_S)
            turns += 1
            self.tables.flush()
            self.sockets.flush()
            self.gateway.sweep()
            self._watch_bus()
            if turns % round(BEAT_S / TURN_S) == 0:
                self.link.beat()
            if turns % round(PRESENT_S / TURN_S) == 0:
                self.gateway.tell_present()
            if turns % round(EVERYTHING_S / TURN_S) == 0:
                self.tables.tell_everything()
                self.sockets.tell_everything()

    def _watch_bus(self) -> None:
        was, self._is_up = self._is_up, self._hub.bus.is_up
        metrics.HOP_SECONDS.set(self._hub.bus.hop or 0)
        if was and not self._is_up:
            self.gateway.bus_away()
            for host in list(self._hub.directory.hosts.values()):
                host.stand_still()
        elif not was and self._is_up:
            for host in list(self._hub.directory.hosts.values()):
                host.move_again()
            # It may have come back without a new connection.
            self._lost(None)
        if self._is_up:
            self._up_at = self._hub.wall.now()

    async def _nodes(self) -> None:
        """Forget processes that are gone, with their sockets."""
        while True:
            await asyncio.sleep(PRESENT_S)
            for node in self.guests.nodes | self.sockets.nodes:
                try:
                    gone = not await self._hub.journal.alive(node)
                except JournalError:
                    break
                if gone:
                    self.guests.lost(node)
                    self.sockets.lost(node)
                    self.link.forget(node)

    # -- ownership --------------------------------------------------------------------------------------
    def adopted(self, host: Host) -> None:
        """The table is here now: say so, and let sessions that followed it from here come home."""
        self.tables.forget(host.id)
        self.tables.changed(host)
        self.tables.flush()
        self.gateway.came_here(host.id)

    def fenced(self, host: Host) -> None:
        """Another process took the table."""
        metrics.FENCED.inc()
        self.left(host)

    def left(self, host: Host) -> None:
        """The table is not here any more: the sessions here follow it."""
        for index, channel in enumerate(host.channels):
            for session, subscription in list(channel.listeners.items()):
                place = session.places.pop(host.id, None)
                if place is None or session not in self._hub.connections:
                    continue
                stand = Stand(
                    host.id,
                    channel.name,
                    host.table.state.config.epoch,
                    host.shown_number(index),
                    subscription.view,
                    vouched=True,
                    frozen=host.frozen,
                )
                self.gateway.went_away(session, stand)
            channel.listeners.clear()
        for session, wish in host.returning.items():
            session.places.pop(host.id, None)
            if session in self._hub.connections:
                self.gateway.went_away(session, _stand_of(wish, host))
        host.returning.clear()
        host.controllers.clear()

    async def hand_over(self) -> None:
        """Let all tables go, so that others take them at once."""
        await self.owners.hand_over()

    # -- tokens -----------------------------------------------------------------------------------------
    def revoked(self, player: str) -> None:
        """A token of this player is not valid any more: say so to all processes."""
        self.link.tell_all(Revoked(player))


def _stand_of(place: Place, host: Host) -> Stand:
    """Where somebody stands who came back to a table that stood still: the owner let him listen there."""
    stand = Stand(place.table, place.stream, place.epoch, place.seq, place.detail == "view")
    stand.vouched, stand.frozen = True, host.frozen
    return stand
