"""What is checked while a world runs: nothing is late, every table is looked after, logs lead to what lives."""

from __future__ import annotations

import asyncio

from tests.simulation.nodes.world import LEASE_MS, NodesWorld
from tests.simulation.watching import LATE_MS, Watch

STILL_S = 60.0
"""How long a match may stand still once the faults are over: twice what a `blitz` clock gives to one turn."""


class NodesWatch(Watch):
    """Looks at every table at its owner."""

    def __init__(self, world: NodesWorld) -> None:
        super().__init__(world)
        self._nodes = world
        self._unserved: dict[str, float] = {}
        self._next: dict[str, int] = {}
        self._moved: dict[str, tuple[int, float]] = {}
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
            self._going_on()

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

    def _going_on(self) -> None:
        """Once the faults are over every match goes on, and everybody hears that it has ended."""
        world = self._nodes
        if world.quiet_since is None:
            return
        now = world.loop.time()
        ended = {h.id for h in world.hosts() if h.table.state.phase == "ended"}
        for table in world.met:
            number, since = self._moved.get(table, (1, 0.0))
            if number != self._next.get(table, 1):
                since = now
            self._moved[table] = (self._next.get(table, 1), since)
            if now - max(since, world.quiet_since) <= STILL_S:
                continue
            waiting = [
                person.id
                for person in world.people
                if not person.done and (person.table is None or person.table.id == table)
            ]
            if waiting or table not in ended:
                world.witness.wrong("a match stands still", table=table, waiting=waiting)

    def end(self) -> None:
        """Everything to its end."""
        self._in_turn()
        super().end()
