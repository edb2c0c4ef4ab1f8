"""What is checked while a world runs: nothing is late, every table is looked after, logs lead to what lives."""

from __future__ import annotations

import asyncio

from tests.simulation.nodes.world import LEASE_MS, NodesWorld
from tests.simulation.watching import LATE_MS, Watch


class NodesWatch(Watch):
    """Looks at every table at its owner."""

    def __init__(self, world: NodesWorld) -> None:
        super().__init__(world)
        self._nodes = world
        self._unserved: dict[str, float] = {}

    async def run(self) -> None:
        """Until something is wrong."""
        while not self.saw_something():
            await asyncio.sleep(0.21)
            for host in self._nodes.hosts():
                self._in_time(host)
                self._replayed(host)
            self._served()

    def saw_something(self) -> bool:
        """Whether anything is wrong already."""
        return bool(self._nodes.witness.notes) or any(o.wrong for o in self.oracles.values())

    def _served(self) -> None:
        """Once the faults are over, no table is without its owner for longer than a lease and 2 s."""
        now = self._nodes.loop.time()
        served = {h.id for h in self._nodes.hosts() if not h.frozen and h.down is None}
        for table in self._nodes.met:
            if table in served:
                self._unserved.pop(table, None)
                continue
            since = max(self._unserved.setdefault(table, now), self._nodes.quiet_since or now)
            if self._nodes.quiet and (now - since) * 1000 > LEASE_MS + LATE_MS:
                self._nodes.witness.wrong("nobody looks after a table", table=table)
