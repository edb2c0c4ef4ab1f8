"""What goes wrong in a world of three processes, and when: drawn from its seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.simulation.players import Person

if TYPE_CHECKING:
    from tests.simulation.nodes.world import NodesWorld


class Faults:
    """Strikes every now and then until the trouble is over; then everything works again."""

    def __init__(self, world: NodesWorld, people: Sequence[Person]) -> None:
        self._world = world
        self._people = people
        self._chance = random.Random(f"faults:{world.seed}")

    async def run(self, troubled: bool = True) -> None:
        """Trouble, then quiet."""
        world, chance = self._world, self._chance
        until = world.loop.time() + world.plan.trouble_s * troubled
        while world.loop.time() < until:
            await asyncio.sleep(chance.expovariate(1 / world.plan.every_s))
            kind = chance.choice(world.plan.faults)
            world.witness.trouble(kind)
            getattr(self, f"_{kind}")()
        world.quiet_since = world.loop.time()
