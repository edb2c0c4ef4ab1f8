"""Bugs to plant in what several processes do with one another; the invariants must find each of them.

A bug is a context manager; inside of it the processes (or the simulated Redis) are broken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from server.core.inputs import Input
from server.journal.base import Entry
from server.journal.redis import RedisJournal
from server.journal.redis_lease import Lease
from server.runtime.cluster.gateway import Gateway
from server.runtime.cluster.link import Link
from server.runtime.cluster.owners import Owners
from server.runtime.cluster.packets import Deliver, decoder
from server.runtime.connection import Connection
from server.runtime.host import Host
from tests.simulation import bugs as one
from tests.simulation.nodes import scripts

Patches = list[tuple[Any, str, Any]]
BUGS: dict[str, Callable[[], Any]] = {
    # What breaks the promises of one process breaks those of several.
    name: one.BUGS[name]
    for name in (
        "ack_before_append",
        "frames_before_commit",
        "outage_not_told",
    )
}


def bug(make: Callable[[], Patches]) -> one.Bug:
    """Register a bug under the function's name."""
    BUGS[make.__name__] = one.planting(make)
    return BUGS[make.__name__]


# -- the journal -------------------------------------------------------------------------------------------
@bug
def fences_not_looked_at() -> Patches:
    """Neither by the journal nor by an owner that hears of a newer one."""
    return [
        (scripts, "holds", lambda own, fence: own is not None),
        (Host, "fence_off", lambda self: None),
    ]


@bug
def repeat_done_twice() -> Patches:
    return [(scripts, "follows", lambda own, first: True)]


@bug
def lease_not_renewed() -> Patches:
    """It runs out, and its process believes that it holds it."""

    async def keep(self: Lease) -> None:
        await asyncio.Event().wait()

    return [(Lease, "_keep", keep), (Lease, "held", property(lambda self: True))]


@bug
def tail_not_replayed() -> Patches:
    tail = RedisJournal.tail

    async def snapshot(self: RedisJournal, table: str) -> list[Entry]:
        return (await tail(self, table))[:1]

    return [(RedisJournal, "tail", snapshot)]


@bug
def hand_over_without_stopping() -> Patches:
    """The table is free, its owner goes on with it for a while, and the fence is that of before."""

    async def hand_over(self: Owners) -> None:
        for host in list(self._hub.directory.hosts.values()):
            await self._let_go(host.id, host.own.fence)
            await asyncio.sleep(0.3)
            self._hub.directory.let_go(host)

    return [(Owners, "hand_over", hand_over), (scripts, "FREED", 0)]


# -- what crosses ------------------------------------------------------------------------------------------
@bug
def losses_not_noticed() -> Patches:
    """Neither by the packets' numbers nor by the streams': each alone finds most of what is lost."""
    in_order = Gateway._in_order

    def passed_on(self: Gateway, connection: Connection, item: Deliver) -> bool:
        known = self._sessions.stands(connection).get(item.table)
        if item.kind == "update" and known is not None and item.seq > known.seq:
            known.seq = item.seq - 1
        return in_order(self, connection, item)

    def receive(self: Link, payload: bytes) -> None:
        packet = decoder.decode(payload)
        for item in packet.items:
            self.on_item(packet.sender, item)

    return [(Link, "_receive", receive), (Gateway, "_in_order", passed_on)]


# -- owners ------------------------------------------------------------------------------------------------


@bug
def clock_charged_for_the_outage() -> Patches:
    handle = Host._handle

    def charged(self: Host, inp: Input) -> Any:
        if inp.stalled:
            inp.stalled = 0
        return handle(self, inp)

    return [(Host, "_handle", charged)]
