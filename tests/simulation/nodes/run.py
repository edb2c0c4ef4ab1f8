"""Runs seeds: `python -m tests.simulation.nodes --seed N` replays one."""

from __future__ import annotations

import asyncio
import gc
from typing import NamedTuple

from tests.simulation.loop import Stuck
from tests.simulation.nodes.faults import Faults
from tests.simulation.nodes.invariants import judge
from tests.simulation.nodes.people import Spectator, Table
from tests.simulation.nodes.plan import plan
from tests.simulation.nodes.watching import NodesWatch
from tests.simulation.nodes.world import NodesWorld, staged
from tests.simulation.players import Person

MOST_S = 3_000.0
"""Virtual seconds after which a match that has not ended is a violation, though it goes on: bots play one
whose people have left, at the pace of people, and with several hundred turns to go that takes minutes."""
LEAVE_S = 20.0


class Result(NamedTuple):
    """What a seed led to. wrong: the violations. digest: equal for equal runs."""

    seed: int
    wrong: list[str]
    digest: str
    virtual_s: float
    entries: int
    world: NodesWorld


def run(seed: int, faults: bool = True) -> Result:
    """Let the world of a seed run to its end, and judge it."""
    world = NodesWorld(seed, plan(seed))
    enabled = gc.isenabled()
    gc.disable()  # what dies in a collection would run its last lines in somebody else's turn
    try:
        with staged(world):
            began = world.loop.time()
            wrong: list[str] = []
            watch = NodesWatch(world)
            try:
                world.loop.run_until_complete(_live(world, watch, faults))
            except Stuck as stuck:
                wrong.append(f"stuck: {stuck}")
            except TimeoutError:
                wrong.append("the matches did not end after the faults")
            lasted = world.loop.time() - began
            found = judge(world, watch)
            wrong += found.wrong + world.errors()
            world.loop.finish()
    finally:
        if enabled:
            gc.enable()
    return Result(seed, wrong, found.digest, lasted, found.entries, world)


def told(result: Result, story: bool = False) -> str:
    """What a seed led to, with the command that replays it."""
    world = result.world
    lines = [
        f"seed {result.seed}: {world.plan.game}, {result.entries} entries,"
        f" {len(world.members)} processes, {len(world.disk.took)} takeovers,"
        f" {result.virtual_s:.0f} s of virtual time, {world.loop.turns} turns",
        *(f"  {one}" for one in result.wrong[:12]),
    ]
    if story:
        lines += [f"  {at:.4f} {who}: {what}" for at, who, what in world.witness.story]
    if result.wrong:
        lines.append(f"  again: python -m tests.simulation.nodes --seed {result.seed} --story")
    return "\n".join(lines)


async def _live(world: NodesWorld, watch: NodesWatch, faults: bool) -> None:
    """Until the matches are over, or something is seen to be wrong."""
    watching = asyncio.create_task(watch.run())
    playing = asyncio.create_task(_play(world, faults))
    try:
        async with asyncio.timeout(MOST_S):
            await asyncio.wait({watching, playing}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            await playing
    finally:
        watching.cancel()
        playing.cancel()
    if not watch.saw_something():
        await _leave(world)


async def _play(world: NodesWorld, troubled: bool) -> None:
    people: list[Person] = []
    living = []
    world.people = people
    for _ in range(world.plan.tables):
        meeting = Table(world)
        first = len(people)
        people += [Person(world, first + number) for number in range(world.plan.people)]
        watchers = len(people)
        people += [Spectator(world, watchers + n) for n in range(world.plan.watchers)]
        living += [asyncio.create_task(person.live(meeting)) for person in people[first:]]
    faults = asyncio.create_task(Faults(world, people).run(troubled))
    await asyncio.gather(*living)
    await faults
    while not world.ended():  # noqa: ASYNC110  # a look at virtual time is free
        await asyncio.sleep(0.5)
    await asyncio.sleep(3.0)


async def _leave(world: NodesWorld) -> None:
    """Every process ends in good order."""
    world.last = True
    for node in world.alive():
        node.leave()
    until = world.loop.time() + LEAVE_S
    while world.alive() and world.loop.time() < until:  # noqa: ASYNC110  # likewise
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.1)
