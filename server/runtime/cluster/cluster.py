"""This process as one of several: what comes over the links, and the tables that need an owner."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import structlog

from server.journal.base import JournalError, Own
from server.runtime import metrics
from server.runtime.cluster.gateway import Gateway
from server.runtime.cluster.guests import Guests
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import (
    Deliver,
    Forward,
    Gone,
    Present,
    Query,
    Reattach,
    Stand,
    Tables,
)
from server.runtime.cluster.shared import SharedTables

if TYPE_CHECKING:
    from server.runtime.host import Host
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.cluster")

TURN_S = 0.1
PRESENT_S = 2.0
EVERYTHING_S = 10.0
OWNERS_S = 0.5


class Cluster:
    """Links, shared tables, gateway and guests of one process, and the sweep for orphans."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.link = Link(hub.bus, hub.node)
        self.tables = SharedTables(hub, self.link)
        self.gateway = Gateway(hub, self.link, self.tables)
        self.guests = Guests(hub, self.link)
        self.link.on_item = self._item
        self.link.on_loss = self.gateway.repair

    def start(self) -> None:
        """Begin to listen, tell the others of this process's tables, and ask for theirs."""
        self.link.start()
        self._hub.spawn(self._turns())
        self._hub.spawn(self._owners())
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

    async def _turns(self) -> None:
        """What is to be done now and then."""
        present = everything = 0.0
        while True:
            await asyncio.sleep(TURN_S)
            self.tables.flush()
            self.gateway.sweep()
            present += TURN_S
            everything += TURN_S
            if present >= PRESENT_S:
                present = 0.0
                self.gateway.tell_present()
            if everything >= EVERYTHING_S:
                everything = 0.0
                self.tables.tell_everything()

    # -- ownership --------------------------------------------------------------------------------------
    async def _owners(self) -> None:
        while True:
            await asyncio.sleep(OWNERS_S)
            try:
                await self._adopt()
            except JournalError as error:
                log.warning("owners_unknown", error=str(error))

    async def _adopt(self) -> None:
        """Take over the tables whose owner is gone."""
        if self._hub.draining:
            return
        alive: dict[str, bool] = {"": False}
        for name, own in await self._hub.journal.tables():
            if own.holder == self._hub.node:
                if name in self._hub.directory.hosts or name in self._hub.directory.making:
                    continue
                # Taken by a call whose answer was lost.
                await self._hub.directory.adopt(name, own)
                continue
            if own.holder not in alive:
                alive[own.holder] = await self._hub.journal.alive(own.holder)
            if not alive[own.holder]:
                await self._take(name, own)
        for node in self.guests.nodes:
            if node not in alive:
                alive[node] = await self._hub.journal.alive(node)
            if not alive[node]:
                self.guests.lost(node)
                self.link.forget(node)

    async def _take(self, name: str, own: Own) -> None:
        mine = await self._hub.journal.take(name, self._hub.node, own)
        if mine is None:
            return
        metrics.TAKEOVERS.inc()
        await self._hub.directory.adopt(name, mine)

    def adopted(self, host: Host) -> None:
        """The table is here now: say so, and let sessions that followed it from here come home."""
        self.tables.forget(host.id)
        self.tables.changed(host)
        self.tables.flush()
        self.gateway.came_here(host.id)

    def fenced(self, host: Host) -> None:
        """Another process has the table: the sessions here follow it."""
        metrics.FENCED.inc()
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
                )
                self.gateway.went_away(session, stand)
            channel.listeners.clear()
        host.controllers.clear()

    async def hand_over(self) -> None:
        """Let all tables go, so that others take them at once."""
        for host in list(self._hub.directory.hosts.values()):
            host.stop("moving")
            try:
                await self._hub.journal.release(host.id, host.own.fence)
            except JournalError as error:
                log.warning("not_released", table=host.id, error=str(error))
