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
        self._next: dict[str, int] = {}
        self._written = self._taken = 0

    async def run(self) -> None:
        """Until something is wrong."""
        while not self.saw_something():
            await asyncio.sleep(0.21)
            for host in self._nodes.hosts():
                self._in_time(host)
                self._replayed(host)
            self._served()
            self._in_turn()
            self._left_alone()

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

    def _in_turn(self) -> None:
        """Each number is written once, by the table's holder, under the fence that holds."""
        redis = self._nodes.redis
        for one in redis.written[self._written :]:
            expected = self._next.get(one.table, 1)
            if one.fence != one.newest or one.holder == "" or one.first != expected:
                self._nodes.witness.wrong("somebody wrote out of turn", written=one, next=expected)
            self._next[one.table] = one.last + 1
        self._written = len(redis.written)

    def _left_alone(self) -> None:
        """Once the faults are over, no table is taken from a process that is well."""
        taken = self._nodes.redis.taken
        quiet, well = self._nodes.quiet_since, {n.hub.node for n in self._nodes.alive() if n.up}
        for one in taken[self._taken :]:
            if quiet is not None and one.at > quiet + LEASE_MS / 1000 and one.holder in well:
                self._nodes.witness.wrong("a table was taken from who is well", taken=one)
        self._taken = len(taken)

    def end(self) -> None:
        """Everything to its end."""
        self._in_turn()
        super().end()
