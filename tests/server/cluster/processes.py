"""Several real server processes around a real Redis, on ports of their own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.support.hanpan_server import HanpanServer
from tests.support.redis_server import RedisServer, redis_server


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


@contextmanager
def cluster(count: int = 2, kind: str = "valkey", **settings: Any) -> Iterator[Cluster]:
    """That many running processes with one store; all are ended with the block."""
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(kind))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-cluster-")))
        servers = []
        for number in range(count):
            server = HanpanServer(
                folder / f"node{number}",
                redis_url=redis.url,
                database_url=f"sqlite:///{folder / 'store.sqlite'}",
                joins_per_minute=10_000,
                frames=5_000,
                frame_burst=10_000,
                **settings,
            )
            stack.callback(server.remove)
            server.start()
            servers.append(server)
        yield Cluster(redis, servers)
