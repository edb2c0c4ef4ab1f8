"""Several real server processes around a real Redis, and the crowds that play there."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import hanpan
from server.journal.redis import RedisJournal
from tests.support import audit
from tests.support.crowd import LIMITS, Crowd
from tests.support.hanpan_server import HanpanServer
from tests.support.redis_server import RedisServer, redis_server

LEASE_MS = 1_500
"""Short, so that a test does not wait long for the next owner."""


class Cluster:
    """The processes by number, and their Redis."""

    def __init__(self, redis: RedisServer, servers: list[HanpanServer]) -> None:
        self.redis = redis
        self.servers = servers

    def __getitem__(self, number: int) -> HanpanServer:
        return self.servers[number]

    def check_logs(self, *allowed: str) -> None:
        """No line of any process is an error, but the allowed events."""
        for server in self.servers:
            server.check_log(allowed)

    async def logs(self) -> dict[str, audit.Log]:
        """Every table's log, once nobody writes any more."""
        return await audit.logs_of(RedisJournal(self.redis.url))

    async def audited(self, crowd: Crowd) -> dict[str, audit.Log]:
        """Stop every process and hold the logs against what the crowd saw and was told; the logs."""
        await crowd.stop_playing()
        crowd.check()
        for server in self.servers:
            await asyncio.to_thread(server.kill)
        await crowd.leave()
        found = await self.logs()
        audit.check_acked(found, crowd.acked)
        assert audit.check_seen(found, crowd.seen) >= len(crowd.acked)
        return found


@contextmanager
def cluster(
    count: int = 2,
    one_port: bool = False,
    port: int | None = None,
    redis: RedisServer | None = None,
    urls: Sequence[str] = (),
    **settings: Any,
) -> Iterator[Cluster]:
    """That many running processes with one store; all are ended with the block.

    one_port: all listen on the same port (`port`, if given), and the kernel spreads the connections.
    redis: one that runs already; urls: each process's way to it, if not the straight one.
    """
    with ExitStack() as stack:
        if redis is None:
            redis = stack.enter_context(redis_server())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-cluster-")))
        servers: list[HanpanServer] = []
        limits: dict[str, Any] = {"lease_ms": LEASE_MS, **LIMITS, **settings}
        if one_port:
            limits["reuse_port"] = True
        for number in range(count):
            server = HanpanServer(
                folder / f"node{number}",
                redis_url=urls[number] if urls else redis.url,
                database_url=f"sqlite:///{folder / 'store.sqlite'}",
                **limits,
            )
            if one_port:
                server.port = servers[0].port if servers else port or server.port
            stack.callback(server.remove)
            server.launch()
            servers.append(server)
        for server in servers:
            server.listens()
        yield Cluster(redis, servers)


@asynccontextmanager
async def crowd_at(
    nodes: Cluster,
    tables: int = 4,
    clients: int = 6,
    spectators: int = 1,
    owner: int | None = None,
    seed: int = 1,
    pace_s: float = 0.15,
) -> AsyncIterator[Crowd]:
    """A crowd at so many running tables, its sockets at the last process.

    owner: which process makes the tables; None: the crowd's own. pace_s: see Crowd.
    """
    crowd = Crowd(nodes.servers[-1].url, seed, pace_s)
    try:
        if owner is None:
            await crowd.fill(tables, clients, spectators)
        else:
            async with hanpan.connect(nodes[owner].url) as crowd.maker:
                await crowd.fill(tables, clients, spectators)
        yield crowd
    finally:
        await crowd.leave()
