"""kill -9 of owners and of Redis under play, at one address: nothing is lost, nothing happens twice.

HANPAN_OWNER_KILLS, HANPAN_REDIS_KILLS: how many of each (40, 20).
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator

from tests.server.cluster.processes import Cluster, cluster, crowd_at
from tests.support.hanpan_server import HanpanServer

OWNER_KILLS = int(os.environ.get("HANPAN_OWNER_KILLS", "40"))
REDIS_KILLS = int(os.environ.get("HANPAN_REDIS_KILLS", "20"))
NODES = 4
LEASE_MS = 800
MOMENT_S = 0.6
"""The kills of a round come at any times within this, so Redis dies before, between or after owners."""


def rounds(chance: random.Random, owners: int, redis: int) -> Iterator[tuple[int, bool]]:
    """How many owners die in each round, and whether Redis does; somebody always lives."""
    while owners or redis:
        dying = min(owners, chance.randint(1, NODES - 1))
        with_redis = redis > 0 and (owners == 0 or chance.random() < 0.9)
        owners, redis = owners - dying, redis - with_redis
        yield dying, with_redis


async def kill_owner(server: HanpanServer, after_s: float) -> None:
    await asyncio.sleep(after_s)
    await asyncio.to_thread(server.kill)


async def kill_redis(nodes: Cluster, after_s: float, away_s: float) -> None:
    await asyncio.sleep(after_s)
    await asyncio.to_thread(nodes.redis.kill)
    await asyncio.sleep(away_s)
    await asyncio.to_thread(nodes.redis.start)


async def test_killed_owners_and_a_killed_redis_lose_and_double_nothing() -> None:
    chance = random.Random(OWNER_KILLS)

    def moment() -> float:
        return chance.uniform(0, MOMENT_S)

    with cluster(NODES, one_port=True, lease_ms=LEASE_MS) as nodes:
        async with crowd_at(nodes, tables=8, clients=8) as crowd:
            await crowd.progress()
            for dying, with_redis in rounds(chance, OWNER_KILLS, REDIS_KILLS):
                victims = chance.sample(nodes.servers, dying)
                kills = [kill_owner(victim, moment()) for victim in victims]
                if with_redis:
                    kills.append(kill_redis(nodes, moment(), moment()))
                await asyncio.gather(*kills)
                await asyncio.gather(*(asyncio.to_thread(victim.start) for victim in victims))
                await crowd.progress(tables=len(crowd.tables) // 2)
            await crowd.progress()
            await nodes.audited(crowd)
        nodes.check_logs("commit_failed")
