"""kill -9 of owners and of Redis under play, at one address: nothing is lost, nothing happens twice.

HANPAN_OWNER_KILLS, HANPAN_REDIS_KILLS: how many of each (4, 2).
"""

from __future__ import annotations

import asyncio
import os
import random

from tests.server.cluster.processes import cluster, crowd_at

OWNER_KILLS = int(os.environ.get("HANPAN_OWNER_KILLS", "4"))
REDIS_KILLS = int(os.environ.get("HANPAN_REDIS_KILLS", "2"))


async def test_killed_owners_and_a_killed_redis_lose_and_double_nothing() -> None:
    chance = random.Random(OWNER_KILLS)
    faults = ["owner"] * OWNER_KILLS + ["redis"] * REDIS_KILLS
    chance.shuffle(faults)
    with cluster(3, one_port=True) as nodes:
        async with crowd_at(nodes, tables=6, clients=8) as crowd:
            await crowd.progress()
            for fault in faults:
                await asyncio.sleep(chance.uniform(0, 0.5))
                if fault == "redis":
                    nodes.redis.kill()
                    await asyncio.sleep(chance.uniform(0, 0.5))
                    await asyncio.to_thread(nodes.redis.start)
                else:
                    victim = chance.choice(nodes.servers)
                    victim.kill()
                    await asyncio.to_thread(victim.start)
                await crowd.progress()
            await nodes.audited(crowd)
        nodes.check_logs("commit_failed")
