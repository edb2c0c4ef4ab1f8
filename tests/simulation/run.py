"""Runs seeds: `python -m tests.simulation --seed N` replays one."""

from __future__ import annotations

import asyncio
import gc
from typing import NamedTuple

from tests.simulation.faults import Faults
from tests.simulation.invariants import judge
from tests.simulation.loop import Stuck
from tests.simulation.plan import plan
from tests.simulation.players import Meeting, Person
from tests.simulation.watching import Watch
from tests.simulation.world import World, staged

gc.freeze()  # what is imported is not searched for garbage after every world

MOST_S = 3_000.0
"""Virtual seconds after which a match that has neither ended nor gone on is a violation."""


class Result(NamedTuple):
    """What a seed led to. wrong: the violations. digest: equal for equal runs."""

    seed: int
    wrong: list[str]
    digest: str
    virtual_s: float
    entries: int
    world: World


def run(seed: int) -> Result:
    """Let the world of a seed run to its end, and judge it."""
    world = World(seed, plan(seed))
    enabled = gc.isenabled()
    gc.disable()  # what dies in a collection would run its last lines in somebody else's turn
    try:
        with staged(world):
            began = world.loop.time()
            wrong: list[str] = []
            watch = Watch(world)
            try:
                world.loop.run_until_complete(_live(world, watch))
            except Stuck as stuck:
                wrong.append(f"stuck: {stuck}")
            except TimeoutError:
                wrong.append("the match neither ended nor went on after the faults")
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
        f" {len(world.nodes)} processes, {result.virtual_s:.0f} s of virtual time",
        *(f"  {one}" for one in result.wrong[:12]),
    ]
    if story:
        lines += [f"  {at:.4f} {who}: {what}" for at, who, what in world.witness.story]
    if result.wrong:
        lines.append(f"  again: python -m tests.simulation --seed {result.seed} --story")
    return "\n".join(lines)


async def _live(world: World, watch: Watch) -> None:
    """Until the match is over, or something is seen to be wrong."""
    watching = asyncio.create_task(watch.run())
    playing = asyncio.create_task(_play(world))
    try:
        async with asyncio.timeout(MOST_S):
            await asyncio.wait({watching, playing}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            await playing
    finally:
        watching.cancel()
        playing.cancel()


async def _play(world: World) -> None:
    people = [Person(world, number) for number in range(world.plan.people)]
    meeting = Meeting()
    living = [asyncio.create_task(person.live(meeting)) for person in people]
    await Faults(world, people).run()
    if world.plan.calm_s is None:
        await asyncio.gather(*living)
        while not world.ended():  # noqa: ASYNC110  # a look at virtual time is free
            await asyncio.sleep(0.5)
        await asyncio.sleep(3.0)
    else:
        await _calm(world, world.plan.calm_s)


async def _calm(world: World, seconds: float) -> None:
    """A while without faults, to a moment when nothing is under way; every match goes on meanwhile."""
    before = {table: len(world.disk.full(table)) for table in world.disk.tables()}
    until = world.loop.time() + seconds
    while world.loop.time() < until or not _went_on(world, before):  # noqa: ASYNC110  # likewise
        await asyncio.sleep(0.5)
    while not (world.ended() or world.at_rest()):  # noqa: ASYNC110  # commits end by themselves
        await asyncio.sleep(0.01)
    if world.ended():
        await asyncio.sleep(3.0)


def _went_on(world: World, before: dict[str, int]) -> bool:
    tables = [host.table.state for host in world.hosts()]
    met = [s for s in tables if s.phase != "waiting" or any(seat.player for seat in s.seats)]
    return bool(met) and all(
        state.phase == "ended" or state.entries > before.get(state.config.table, 0) for state in met
    )
