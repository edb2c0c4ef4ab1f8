"""What goes wrong in a world of three processes, and when: drawn from its seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.simulation.nodes.wires import DELAY_S, Line
from tests.simulation.players import Person

if TYPE_CHECKING:
    from tests.simulation.nodes.world import Node, NodesWorld

CALM_S = 4.0
"""After the last fault: what was lost is noticed by silence, and that takes a while."""


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
            getattr(self, f"_{kind}")()
        if troubled:
            self._mend()
            world.witness.trouble("all is mended")
            await asyncio.sleep(CALM_S)
        world.quiet_since = world.loop.time()

    def _mend(self) -> None:
        world = self._world
        world.network.delay_s = (0.0005, 0.005)
        world.redis.after_write.clear()
        world.redis.start()
        world.redis.go_on()
        for line in world.redis.lines.values():
            line.loss, line.lose_replies, line.delay_s = 0.0, 0, DELAY_S
            line.open()
        for node in world.alive():
            node.life.fuse = None
            world.loop.go_on(node.life)

    def _note(self, kind: str, who: object = "") -> None:
        self._world.witness.trouble(f"{kind} {who}".rstrip())

    def _later(self, seconds: float, undo: object, *args: object) -> None:
        self._world.loop.call_later(seconds, undo, *args)  # type: ignore[arg-type]

    def _node(self) -> Node | None:
        """A process, more often one that owns a table."""
        up = [node for node in self._world.alive() if node.up]
        owning = [node for node in up if node.hub.directory.hosts]
        some = owning if owning and self._chance.random() < 0.75 else up
        return self._chance.choice(some) if some else None

    # -- processes ---------------------------------------------------------------------------------------
    def _kill(self) -> None:
        node = self._node()
        if node is not None:
            self._note("kill", node.name)
            node.life.fuse = self._chance.choice([0, 1, 2, 3, 5, 8, 20, 60])

    def _kill_at_commit(self) -> None:
        node = self._node()
        if node is not None:
            self._note("kill at commit", node.name)
            self._world.redis.after_write[node.name] = node.life.end

    def _pause(self) -> None:
        self._stop(self._chance.choice([0.05, 0.3, 1.0]))

    def _pause_past_lease(self) -> None:
        self._stop(self._chance.choice([2.5, 3.5, 7.0]))

    def _stop(self, seconds: float) -> None:
        node = self._node()
        if node is not None:
            self._note(f"stop for {seconds} s", node.name)
            node.life.stopped = True
            self._later(seconds, self._world.loop.go_on, node.life)

    def _drain(self) -> None:
        node = self._node()
        if node is not None:
            self._note("drain", node.name)
            node.leave()

    # -- the lines to Redis ------------------------------------------------------------------------------
    def _line(self) -> Line | None:
        node = self._node()
        return None if node is None else node.line

    def _hold(self, up: bool, down: bool) -> None:
        line = self._line()
        if line is not None:
            seconds = self._chance.choice([0.3, 1.5, 3.5, 6.0])
            self._note(f"cut up {up} down {down} for {seconds} s", line.who)
            line.hold_up |= up
            line.hold_down |= down
            self._later(seconds, line.open)

    def _cut_up(self) -> None:
        self._hold(True, False)

    def _cut_down(self) -> None:
        self._hold(False, True)

    def _cut_both(self) -> None:
        self._hold(True, True)

    def _reply_lost(self) -> None:
        line = self._line()
        if line is not None:
            self._note("replies lost", line.who)
            line.lose_replies = self._chance.choice([1, 1, 2, 4])

    def _wires_cut(self) -> None:
        line = self._line()
        if line is not None:
            self._note("connections cut", line.who)
            line.cut()

    # -- Redis -------------------------------------------------------------------------------------------
    def _redis_stopped(self) -> None:
        seconds = self._chance.choice([0.1, 0.6, 3.0, 8.0])
        self._note(f"Redis stops for {seconds} s")
        self._world.redis.stop()
        self._later(seconds, self._world.redis.go_on)

    def _redis_killed(self) -> None:
        seconds = self._chance.choice([0.05, 0.5, 3.0])
        self._note(f"Redis is killed for {seconds} s")
        self._world.redis.kill()
        self._later(seconds, self._world.redis.start)

    def _subscribers_cut(self) -> None:
        self._note("subscribers cut")
        for listeners in list(self._world.redis.subscribers.values()):
            for wire in list(listeners):
                if self._chance.random() < 0.6:
                    wire.cut()

    def _loss(self) -> None:
        part, seconds = self._chance.choice([0.05, 0.3]), self._chance.choice([0.5, 3.0])
        self._note(f"{part} of messages lost for {seconds} s")
        for line in self._world.redis.lines.values():
            line.loss = part
            self._later(seconds, setattr, line, "loss", 0.0)

    def _slow_redis(self) -> None:
        delay, seconds = (
            self._chance.choice([(0.01, 0.06), (0.05, 0.3)]),
            self._chance.choice([0.5, 3.0]),
        )
        self._note(f"Redis is {delay} s away for {seconds} s")
        for line in self._world.redis.lines.values():
            line.delay_s = delay
            self._later(seconds, setattr, line, "delay_s", DELAY_S)

    # -- people ------------------------------------------------------------------------------------------
    def _drop_people(self) -> None:
        self._world.network.cut(who=self._chance.choice(self._people).id)

    def _slow_people(self) -> None:
        self._world.network.delay_s = self._chance.choice(
            [(0.0005, 0.002), (0.01, 0.3), (0.2, 0.8)]
        )

    def _cancel(self) -> None:
        self._chance.choice(self._people).cancel()
