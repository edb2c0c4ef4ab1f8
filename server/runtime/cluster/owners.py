"""The tables that need an owner: those of processes that are gone, and those that were let go."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import structlog

from server.journal.base import JournalError, Own
from server.runtime import metrics
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Freed
from server.runtime.cluster.shared import SharedTables

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.owners")

LOOK_S = 0.5
LIST_S = 3.0
"""How often all tables are looked at; in between only the leases of their owners."""
SURE = 1.2
"""How many lengths of a lease the journal must have answered before another process counts as gone: after an outage every
lease has run out, and whoever lives needs time to renew his."""
AT_ONCE = 8


class Owners:
    """Looks for tables without an owner, and lets all tables go in the end."""

    def __init__(self, hub: Hub, link: Link, tables: SharedTables) -> None:
        self._hub = hub
        self._link = link
        self._tables = tables
        self._holders: set[str] = set()
        self._wake = asyncio.Event()
        self._since = float("-inf")
        self._listed = float("-inf")

    def freed(self) -> None:
        """Tables were let go: look at once."""
        self._wake.set()

    def unsure(self) -> None:
        """The journal was away: leases say nothing for a while."""
        self._since = asyncio.get_running_loop().time() + SURE * self._hub.settings.lease_ms / 1000

    async def run(self) -> None:
        """Look until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            freed = self._wake.is_set()
            self._wake.clear()
            try:
                if not self._hub.draining:
                    await self._look(loop.time(), freed)
            except JournalError as error:
                self.unsure()
                log.warning("owners_unknown", error=str(error))
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _look(self, now: float, freed: bool) -> None:
        if not self._hub.journal.held(self._hub.node):
            self.unsure()
        sure = now >= self._since
        known = self._holders | self._tables.owners()
        alive = {node: await self._hub.journal.alive(node) for node in known}
        if all(alive.values()) and not freed and now - self._listed < LIST_S:
            return
        self._listed = now
        tables = await self._hub.journal.tables()
        self._holders = {own.holder for _, own in tables} - {"", self._hub.node}
        for node in self._holders - alive.keys():
            alive[node] = await self._hub.journal.alive(node)
        orphans = []
        for name, own in tables:
            host = self._hub.directory.hosts.get(name)
            if host is not None:
                if own.fence > host.own.fence:
                    host.fence_off()
                continue
            self._tables.expect(name)
            let_go = own.holder in ("", self._hub.node)
            if let_go or (sure and not alive[own.holder]):
                orphans.append((name, own))
        # Not in the same order everywhere: each of the others takes a share.
        random.shuffle(orphans)
        waiting = [pair for pair in orphans if self._playable(pair[0])]
        for start in range(0, len(waiting), AT_ONCE):
            await asyncio.gather(*(self._take(*one) for one in waiting[start : start + AT_ONCE]))

    def _playable(self, name: str) -> bool:
        """Whether the table's game is one of ours, as far as is known."""
        info = self._tables.info(name)
        return info is None or info.game in self._hub.games

    async def _take(self, name: str, own: Own) -> None:
        if self._is_leaving() or not await self._hub.directory.take(name, own):
            return
        metrics.TAKEOVERS.inc()
        if self._is_leaving():
            # All others were let go while this one was on its way here.
            await self.hand_over()

    def _is_leaving(self) -> bool:
        return self._hub.draining

    async def hand_over(self) -> None:
        """Let all tables go, so that others take them at once."""
        hosts = list(self._hub.directory.hosts.values())
        for host in hosts:
            host.stop("moving")
        for start in range(0, len(hosts), AT_ONCE):
            some = hosts[start : start + AT_ONCE]
            names = [host.id for host in some]
            await asyncio.gather(*(self._let_go(host.id, host.own.fence) for host in some))
            for host in some:
                self._hub.directory.let_go(host)
            self._link.tell_all(Freed(names))

    async def _let_go(self, name: str, fence: int) -> None:
        try:
            await self._hub.journal.release(name, fence)
        except JournalError as error:
            log.warning("not_released", table=name, error=str(error))
