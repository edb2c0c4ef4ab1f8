"""An owner that is cut off from Redis: its tables go on elsewhere, nothing forks, and it stays responsive."""

from __future__ import annotations

import asyncio

import pytest

import hanpan
from tests.server.cluster.lag import Lag
from tests.server.cluster.partition import REDIS_HERE, ServerApart, apart
from tests.server.cluster.processes import cluster, crowd_at
from tests.support.redis_server import redis_server


async def until_frozen(table: hanpan.Table, frozen: bool) -> None:
    """Until a client is told so."""
    async with asyncio.timeout(20):
        while table.frozen != frozen:  # noqa: ASYNC110  # it is told so
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("to_redis", "from_redis"),
    [(True, False), (False, True), (True, True)],
    ids=["requests lost", "answers lost", "both lost"],
)
async def test_a_partitioned_owner(to_redis: bool, from_redis: bool) -> None:
    with (
        apart() as network,
        redis_server(bind=REDIS_HERE) as redis,
        cluster(1, redis=redis) as nodes,
    ):
        url = redis.url.replace("127.0.0.1", REDIS_HERE)
        settings = {**nodes[0].settings, "redis_url": url}
        far = ServerApart(network, nodes[0].data.with_name("apart"), **settings)
        try:
            await asyncio.to_thread(far.start)
            nodes.servers.insert(0, far)
            # Somebody watches over the owner's own socket, the others over the other process.
            async with (
                crowd_at(nodes, tables=3, clients=5, owner=0) as crowd,
                hanpan.connect(far.url) as near,
            ):
                watched = await near.watch(crowd.tables[0])
                await crowd.progress()
                lag = await Lag.since_now(far)
                network.cut(to_redis, from_redis)
                await crowd.progress()
                assert await lag.usual() <= 0.1
                await until_frozen(watched, True)
                network.mend()
                await crowd.progress()
                await until_frozen(watched, False)
                await nodes.audited(crowd)
            nodes.check_logs("commit_failed")
        finally:
            far.remove()
