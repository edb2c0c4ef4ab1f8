"""What goes wrong in a world, and when: drawn from its seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.simulation.players import Person

if TYPE_CHECKING:
    from tests.simulation.world import World

AFTER_S = 3.0
"""How long faults go on when everyone has seen the result."""


class Faults:
    """Strikes every now and then until the trouble is over; then everything works again.

    It is over soon when nobody plays any more: there is nothing left to harm but the result on its way.
    """

    def __init__(self, world: World, people: Sequence[Person]) -> None:
        self._world = world
        self._people = people
        self._chance = random.Random(f"faults:{world.seed}")

    async def run(self) -> None:
        """Trouble, then quiet."""
        world, chance = self._world, self._chance
        until = world.loop.time() + world.plan.trouble_s
        while world.loop.time() < until:
            if all(person.done for person in self._people):
                until = min(until, world.loop.time() + AFTER_S)
            await asyncio.sleep(chance.expovariate(1 / world.plan.every_s))
            kind = chance.choice(world.plan.faults)
            world.witness.trouble(kind)
            getattr(self, f"_{kind}")()
        await asyncio.sleep(4.0)
        world.quiet_since = world.loop.time()
        world.network.delay_s = (0.0005, 0.005)
        world.network.closed_to.clear()
        weather = world.disk.weather
        weather.slow_s = weather.mute_s = 0.0
        weather.failing = False
        world.store.away = False
        for link in list(world.network.links):
            if link.half_open:
                link.cut()

    def _later(self, undo: str, seconds: float) -> None:
        self._world.loop.call_later(seconds, getattr(self, undo))

    # -- the process -------------------------------------------------------------------------------------
    def _kill(self) -> None:
        self._world.node.life.fuse = self._chance.choice([0, 1, 2, 3, 5, 8, 20, 60])

    def _kill_at_commit(self) -> None:
        self._world.node.kill_at_sync = True

    def _stop(self) -> None:
        node = self._world.node
        if node.up:
            self._world.loop.call_soon(
                lambda: self._world.loop.create_task(node.leave()), context=node.life.context
            )

    def _lag(self) -> None:
        self._world.loop.lag_s = self._chance.choice([0.01, 0.06, 0.3, 1.0])

    # -- the lines ---------------------------------------------------------------------------------------
    def _cut(self) -> None:
        self._world.network.cut(who=self._chance.choice(self._people).id)

    def _half_open(self) -> None:
        who = self._chance.choice(self._people).id
        for link in self._world.network.links:
            if link.who == who:
                link.half_open = True

    def _away(self) -> None:
        who = self._chance.choice(self._people).id
        self._world.network.closed_to.add(who)
        self._world.network.cut(who=who)
        self._world.loop.call_later(
            self._chance.choice([1.0, 4.0, 12.0]), self._world.network.closed_to.discard, who
        )

    def _delay(self) -> None:
        self._world.network.delay_s = self._chance.choice(
            [(0.0005, 0.002), (0.01, 0.3), (0.2, 0.8), (0.0, 1.5)]
        )

    def _cancel(self) -> None:
        self._chance.choice(self._people).cancel()

    # -- the disk and the store ------------------------------------------------------------------------
    def _slow_commit(self) -> None:
        self._world.disk.weather.slow_s = self._chance.choice([0.03, 0.06, 0.2, 0.7])
        self._later("_disk_well", self._chance.uniform(0.1, 3.0))

    def _mute(self) -> None:
        self._world.disk.weather.mute_s = self._chance.choice([0.06, 0.3, 0.9])
        self._later("_disk_well", self._chance.uniform(0.1, 2.0))

    def _failing(self) -> None:
        self._world.disk.weather.failing = True
        self._later("_disk_well", self._chance.choice([0.01, 0.2, 1.5]))

    def _disk_well(self) -> None:
        weather = self._world.disk.weather
        weather.slow_s = weather.mute_s = 0.0
        weather.failing = False

    def _store(self) -> None:
        self._world.store.away = True
        self._later("_store_well", self._chance.uniform(0.1, 4.0))

    def _store_well(self) -> None:
        self._world.store.away = False
