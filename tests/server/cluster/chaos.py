"""`make chaos`: every few seconds one of three processes or Redis is killed, stopped or cut off, under play.

SECONDS (300), EVERY (5), TABLES (100), SPECTATORS (50): for how long, how often, at how many tables, and
how many people, each of whom plays at some tables and watches others. Every stream is checked as it
comes; at the end the logs are held against everything that was seen and acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack

from tests.server.cluster.processes import Cluster, cluster, crowd_at
from tests.support.crowd import Crowd
from tests.support.proxy import Proxy
from tests.support.redis_server import redis_server

LEASE_S = 2.0
NODES = 3
PACE_S = 0.03
"""How long a player waits at most, a table: so many of them are to keep the machine busy, not to swamp it."""
KINDS = ("kill", "stop", "cut off", "kill Redis", "stop Redis", "cut off Redis")


class Chaos:
    """The faults, one at a time, all kinds in turn. proxies: each process's way to Redis."""

    def __init__(self, nodes: Cluster, proxies: list[Proxy], seed: int) -> None:
        self.nodes = nodes
        self.proxies = proxies
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self._next: list[str] = []

    async def fault(self) -> None:
        """Do something to one process, and mend it."""
        if not self._next:
            self._next = self.chance.sample(KINDS, len(KINDS))
        kind = self._next.pop()
        victim = self.nodes[self.chance.randrange(NODES)]
        self.done[kind] += 1
        match kind:
            case "kill":
                await asyncio.to_thread(victim.kill)
                await asyncio.to_thread(victim.start)
            case "stop":
                victim.signal(signal.SIGSTOP)
                await self._some_leases()
                victim.signal(signal.SIGCONT)
            case "kill Redis":
                await asyncio.to_thread(self.nodes.redis.kill)
                await self._some_leases()
                await asyncio.to_thread(self.nodes.redis.start)
            case "stop Redis":
                self.nodes.redis.pause()
                await self._some_leases()
                self.nodes.redis.resume()
            case "cut off":
                await self._cut_off([self.chance.choice(self.proxies)])
            case _:
                await self._cut_off(self.proxies)

    async def _some_leases(self) -> None:
        await asyncio.sleep(self.chance.uniform(0.2, 2) * LEASE_S)

    async def _cut_off(self, proxies: list[Proxy]) -> None:
        """One way or both ways, and then the connections end."""
        ways = self.chance.choice([(True, False), (False, True), (True, True)])
        for proxy in proxies:
            proxy.hold_requests, proxy.hold_replies = ways
        await self._some_leases()
        for proxy in proxies:
            proxy.hold_requests = proxy.hold_replies = False
            proxy.cut()


async def run(seconds: float, every: float, tables: int, people: int, seed: int) -> Counter[str]:
    """Play under faults for so long; what was done. Raises AssertionError for a violation."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(redis_server())
        proxies = [await stack.enter_async_context(Proxy(redis.port)) for _ in range(NODES)]
        urls = [proxy.url for proxy in proxies]
        nodes = await asyncio.to_thread(
            stack.enter_context,
            cluster(NODES, one_port=True, redis=redis, urls=urls, lease_ms=int(LEASE_S * 1000)),
        )
        pace_s = PACE_S * tables
        crowd = await stack.enter_async_context(
            crowd_at(nodes, tables, people, seed=seed, pace_s=pace_s)
        )
        await crowd.progress()
        chaos = Chaos(nodes, proxies, seed)
        for _ in range(round(seconds / every)):
            began = time.monotonic()
            await chaos.fault()
            crowd.check()
            await asyncio.sleep(max(0.0, began + every - time.monotonic()))
            say(chaos, crowd)
        await crowd.progress()
        await nodes.audited(crowd)
        # A process that was stopped or cut off learns by a refused commit that its tables are gone.
        nodes.check_logs("commit_failed")
        say(chaos, crowd)
        return chaos.done


def say(chaos: Chaos, crowd: Crowd) -> None:
    """A line on how far it is."""
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(chaos.done.items()))
    frames = sum(len(seen.frames) for seen in crowd.seen)
    print(f"{faults}: {len(crowd.acked)} actions, {frames} frames", flush=True)


def main() -> int:
    """From the environment; 0 if nothing was violated."""
    number = {
        name: float(os.environ.get(name, default))
        for name, default in (("SECONDS", 300), ("EVERY", 5), ("TABLES", 100), ("SPECTATORS", 50))
    }
    seed = int(os.environ.get("SEED", random.randrange(1_000_000)))
    print(f"SEED={seed}", flush=True)
    sizes = int(number["TABLES"]), int(number["SPECTATORS"])
    try:
        asyncio.run(run(number["SECONDS"], number["EVERY"], *sizes, seed))
    except AssertionError as violation:
        print(f"violated (SEED={seed}): {violation}")
        return 1
    print("0 violations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
