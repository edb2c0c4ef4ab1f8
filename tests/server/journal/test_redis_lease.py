"""A lease over a line whose delay is set (against a real server it is tested with the journal)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from redis.asyncio import Redis

from server.journal.redis_lease import RENEW, Lease
from server.journal.redis_scripts import FREE

LEASE_MS = 60


class SlowRedis:
    """Carries out a renewal only when `open` is set, even if the sender does not wait any more: what is
    sent after it goes over another connection."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.begun: list[str] = []
        self.done: list[str] = []

    def register_script(self, script: str) -> Callable[..., Awaitable[int]]:
        name = "free" if script == FREE else "renew"

        async def arrives() -> int:
            if name == "renew":
                await self.open.wait()
            self.done.append(name)
            return 1

        async def call(keys: Any, args: Any) -> int:
            self.begun.append(name)
            return await asyncio.shield(asyncio.create_task(arrives()))

        return call


async def test_a_renewal_under_way_does_not_come_after_the_letting_go() -> None:
    redis = SlowRedis()
    lease = Lease(cast("Redis", redis), "node:n", LEASE_MS)
    await lease.hold()
    redis.open.clear()
    async with asyncio.timeout(10):
        while len(redis.begun) < 2:  # noqa: ASYNC110  # the renewal begins by itself
            await asyncio.sleep(0.002)
    stopping = asyncio.create_task(lease.stop())
    await asyncio.sleep(0.01)
    redis.open.set()
    await stopping
    await asyncio.sleep(0.01)
    assert redis.done == ["renew", "renew", "free"]
    assert not lease.held


async def test_letting_go_waits_for_no_renewal_that_has_not_begun() -> None:
    redis = SlowRedis()
    lease = Lease(cast("Redis", redis), "node:n", 60_000)
    await lease.hold()
    async with asyncio.timeout(60 * RENEW / 2):
        await lease.stop()
    assert redis.done == ["renew", "free"]
