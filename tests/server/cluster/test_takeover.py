"""Owners that die, stand still or leave: their tables go on elsewhere, at the next number."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import Any

import hanpan
from hanpan.bots import Random
from tests.server.cluster.processes import Cluster, cluster

TAKEOVER_S = 15
MATCH_S = 90


class Follower:
    """A spectator in another process than the owner's; every number must come once, in order."""

    def __init__(self, table: hanpan.Table) -> None:
        self.table = table
        self.numbers: list[int] = []
        self.events: list[dict[str, Any]] = []

    async def run(self) -> None:
        async for frame in self.table.frames():
            self.numbers.append(frame.seq)
            self.events += [event.data for event in frame.events]
            if any(event["type"] == "match_ended" for event in frame.events):
                return

    def check(self) -> None:
        first = self.numbers[0]
        assert self.numbers == list(range(first, first + len(self.numbers)))


async def player(url: str, name: str, number: int) -> None:
    async with hanpan.connect(url) as client:
        table = await client.join(name)
        await table.ready()
        await table.play(Random(number))


async def follow_a_match(nodes: Cluster, disturb: Any) -> Follower:
    """A match owned by process 0, played and watched in process 1, while something happens to 0."""
    async with (
        asyncio.timeout(MATCH_S),
        hanpan.connect(nodes[1].url) as watcher,
        asyncio.TaskGroup() as group,
    ):
        async with hanpan.connect(nodes[0].url) as maker:
            name, _ = await maker.create_table(
                "chamsaejak", 3, options={"rounds": 1, "claim_ms": 500}, speed="blitz"
            )
        follower = Follower(await watcher.watch(name))
        watching = group.create_task(follower.run())
        for number in range(3):
            group.create_task(player(nodes[1].url, name, number))
        while len(follower.numbers) < 8:
            await asyncio.sleep(0.05)
        await disturb()
        await watching
    follower.check()
    return follower


async def test_a_killed_owner() -> None:
    with cluster(2) as nodes:

        async def disturb() -> None:
            nodes[0].kill()

        follower = await follow_a_match(nodes, disturb)
        assert any(event["type"] == "delayed" for event in follower.events)
        nodes[1].check_log()


async def test_an_owner_that_stood_still_past_its_lease() -> None:
    with cluster(2) as nodes:

        async def disturb() -> None:
            nodes[0].signal(signal.SIGSTOP)
            await asyncio.sleep(9)
            nodes[0].signal(signal.SIGCONT)

        await follow_a_match(nodes, disturb)
        nodes[1].check_log()


async def test_a_drained_owner_hands_over_at_once() -> None:
    with cluster(2) as nodes:
        took = 0.0

        async def disturb() -> None:
            nonlocal took
            began = time.monotonic()
            await asyncio.to_thread(nodes[0].stop)
            took = time.monotonic() - began

        await follow_a_match(nodes, disturb)
        assert took < 10
        nodes.check_logs()
