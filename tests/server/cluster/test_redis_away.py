"""Redis stands still under play: nobody is disconnected, tables say that they stand still, and go on.

HANPAN_REDIS_AWAY_S: for how long (7).
"""

from __future__ import annotations

import asyncio
import os

from tests.server.cluster.lag import Lag
from tests.server.cluster.processes import cluster, crowd_at
from tests.support import wire
from tests.support.crowd import Crowd

AWAY_S = float(os.environ.get("HANPAN_REDIS_AWAY_S", "7"))


async def all_frozen(crowd: Crowd, frozen: bool) -> None:
    """Until every client that follows a table has been told so."""
    try:
        async with asyncio.timeout(15):
            while not all(seen.table.frozen == frozen for seen in crowd.seen):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    except TimeoutError:
        other = [s.table.id for s in crowd.seen if s.table.frozen != frozen]
        raise AssertionError(f"{len(other)} of {len(crowd.seen)} were not told") from None


async def said_away(url: str) -> None:
    """Until /readyz names Redis: the lease may end before the subscriber has missed its own pongs."""
    async with asyncio.timeout(15):
        while "redis is away" not in (why := (await wire.get(f"{url}/readyz"))["why"]):
            assert why, "it is said to be ready"
            await asyncio.sleep(0.1)


async def test_tables_freeze_say_so_and_go_on() -> None:
    with cluster(2) as nodes:
        # Some tables are owned beside their people, some in the other process.
        async with crowd_at(nodes, tables=2, owner=0) as far, crowd_at(nodes, tables=2) as near:
            await far.progress()
            await near.progress()
            changes: list[str] = []
            for client in [*far.clients, *near.clients]:
                client.on_status.add(changes.append)
            lags = [await Lag.since_now(node) for node in nodes.servers]
            nodes.redis.pause()
            try:
                await all_frozen(far, True)
                await all_frozen(near, True)
                for lag in lags:
                    assert await lag.usual() <= 0.1
                await said_away(nodes[0].url)
                await asyncio.sleep(max(0.0, AWAY_S - 4))
            finally:
                nodes.redis.resume()
            await all_frozen(far, False)
            await all_frozen(near, False)
            await far.progress()
            await near.progress()
            assert not changes
            near.check()
            far.seen += near.seen
            far.acked += near.acked
            await near.stop_playing()
            await nodes.audited(far)
        nodes.check_logs()
