"""Players, bots and spectators on other processes than the table's owner."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

import hanpan
from hanpan.bots import Random
from tests.server.cluster.processes import Cluster, cluster

MATCH_S = 60


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    with cluster(2) as running:
        yield running
        running.check_logs()


@pytest.mark.parametrize(("game", "seats"), [("peeper", 4), ("chamsaejak", 3)])
async def test_a_match_across_processes(nodes: Cluster, game: str, seats: int) -> None:
    options = {"rounds": 1}
    async with (
        asyncio.timeout(MATCH_S),
        hanpan.connect(nodes[0].url) as owner,
        hanpan.connect(nodes[1].url) as watcher,
        asyncio.TaskGroup() as group,
    ):
        name, _ = await owner.create_table(game, seats, options=options, speed="instant")
        watched = await watcher.watch(name)
        seen: list[int] = []

        async def watch() -> None:
            async for frame in watched.frames():
                seen.append(frame.seq)
                if any(event["type"] == "match_ended" for event in frame.events):
                    return

        group.create_task(watch())
        for number in range(seats):
            group.create_task(play(nodes[number % 2].url, name, number))
    assert seen == list(range(seen[0], seen[-1] + 1))


async def play(url: str, name: str, number: int) -> None:
    async with hanpan.connect(url) as client:
        table = await client.join(name)
        await table.ready()
        ended = await table.play(Random(number))
        assert ended["type"] == "match_ended"


async def test_both_processes_list_all_tables(nodes: Cluster) -> None:
    async with (
        asyncio.timeout(20),
        hanpan.connect(nodes[0].url) as one,
        hanpan.connect(nodes[1].url) as two,
    ):
        mine, _ = await one.create_table("peeper", 2)
        yours, _ = await two.create_table("pepper", 2)
        for client in (one, two):
            found: set[str] = set()
            while not {mine, yours} <= found:
                found = {table.table for table in await client.list_tables(phase="waiting")}
                await asyncio.sleep(0.05)


async def test_a_private_table_needs_its_invite_everywhere(nodes: Cluster) -> None:
    async with hanpan.connect(nodes[0].url) as one, hanpan.connect(nodes[1].url) as two:
        name, invite = await one.create_table("cockroach_duel", 2, visibility="private")
        with pytest.raises(hanpan.HanpanError, match="no such table"):
            await two.join(name)
        table = await two.join(name, invite=invite)
        assert table.seat == 0


async def test_a_table_that_nobody_has_is_not_found(nodes: Cluster) -> None:
    async with hanpan.connect(nodes[1].url) as client:
        with pytest.raises(hanpan.HanpanError, match="no such table"):
            await client.watch("t_nowhere")
