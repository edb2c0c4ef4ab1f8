"""The bus loses messages: every stream stays contiguous, and every action happens once."""

from __future__ import annotations

import asyncio
import os

from tests.server.cluster.processes import Cluster, cluster, crowd_at

CUTS = int(os.environ.get("HANPAN_SUBSCRIBER_KILLS", "8"))


def cut_subscribers(nodes: Cluster) -> int:
    """End every connection that is subscribed to anything; how many those were."""
    with nodes.redis.client() as redis:
        killed: int = redis.client_kill_filter(_type="pubsub")
        return killed


async def test_cut_subscribers_leave_every_stream_contiguous() -> None:
    with cluster(2) as nodes:
        async with crowd_at(nodes, tables=4, clients=6, spectators=2, owner=0) as crowd:
            crowd.pace_s = 0.02
            await crowd.progress()
            for _ in range(CUTS):
                assert cut_subscribers(nodes) == 2
                await asyncio.sleep(0.5)
            await crowd.progress()
            await nodes.audited(crowd)
        nodes.check_logs()
