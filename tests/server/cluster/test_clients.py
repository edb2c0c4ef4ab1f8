"""Clients that lose their sockets, and clients that all come back at once.

HANPAN_RECONNECTS: how many sockets are cut (1000); HANPAN_HERD: how many clients come back (60).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator

import hanpan
from tests.server.cluster.processes import cluster, crowd_at
from tests.support import wire

RECONNECTS = int(os.environ.get("HANPAN_RECONNECTS", "1000"))
HERD = int(os.environ.get("HANPAN_HERD", "60"))
BACK_S = 30


async def cut_again_and_again(client: hanpan.Client, cuts: Iterator[int]) -> None:
    """Cut the client's socket, wait until it is back, and so on while there are cuts left for anyone."""
    for _ in cuts:
        before = client.resumes
        # What it comes back to is this process or the other one, as the kernel likes.
        client.drop_connection()
        async with asyncio.timeout(BACK_S):
            while client.resumes == before:  # noqa: ASYNC110  # it comes by itself
                await asyncio.sleep(0.01)


async def test_forced_reconnects_leave_every_stream_contiguous() -> None:
    with cluster(2, one_port=True) as nodes:
        async with crowd_at(nodes, tables=8, clients=12, spectators=2, pace_s=0.5) as crowd:
            await crowd.progress()
            cuts = iter(range(RECONNECTS))
            await asyncio.gather(*(cut_again_and_again(client, cuts) for client in crowd.clients))
            assert sum(client.resumes for client in crowd.clients) >= RECONNECTS
            await crowd.progress()
            await nodes.audited(crowd)
        nodes.check_logs()


async def test_a_herd_comes_back_after_a_restart() -> None:
    with cluster(2, one_port=True) as nodes:
        tokens = [await wire.guest(nodes[0].url) for _ in range(HERD)]
        async with hanpan.connect(nodes[0].url) as maker:
            name, _ = await maker.create_table("peeper", 4, bots=4, speed="instant")
        clients = await asyncio.gather(*(hanpan.connect(nodes[0].url, t) for t in tokens))
        for client in clients:
            await client.watch(name)
        for node in nodes.servers:
            node.kill()
        killed = time.monotonic()
        for node in nodes.servers:
            await asyncio.to_thread(node.start)
        async with asyncio.timeout(BACK_S):
            while not all(client.resumes >= 1 for client in clients):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert time.monotonic() - killed < BACK_S
        await asyncio.gather(*(client.close() for client in clients))
        nodes.check_logs()
