"""Owners that die, stand still or leave: their tables go on elsewhere, at the next number.

HANPAN_STOPPED_OWNERS: how many are stopped past their lease and continued (1).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from tests.server.cluster.processes import LEASE_MS, cluster, crowd_at

LEASE_S = LEASE_MS / 1000
STOPPED = int(os.environ.get("HANPAN_STOPPED_OWNERS", "1"))


async def test_a_killed_owner() -> None:
    with cluster(2) as nodes:
        async with crowd_at(nodes, owner=0) as crowd:
            await crowd.progress()
            nodes[0].kill()
            killed = time.monotonic()
            await crowd.progress()
            assert time.monotonic() - killed < LEASE_S + 5
            logs = await nodes.audited(crowd)
        assert all(log.resumptions() == 1 for log in logs.values())
        nodes[1].check_log()


@pytest.mark.parametrize("run", range(STOPPED))
async def test_an_owner_that_stood_still_past_its_lease(run: int) -> None:
    with cluster(2) as nodes:
        async with crowd_at(nodes, owner=0, seed=run) as crowd:
            await crowd.progress()
            nodes[0].signal(signal.SIGSTOP)
            await crowd.progress()
            nodes[0].signal(signal.SIGCONT)
            # It wakes with all its timers due and finds out, table by table, that it owns none.
            await asyncio.sleep(1)
            await crowd.progress()
            await nodes.audited(crowd)
        nodes[1].check_log()
        nodes[0].check_log(["commit_failed"])


async def test_a_drained_owner_hands_over_at_once() -> None:
    with cluster(2, lease_ms=20_000) as nodes:
        async with crowd_at(nodes, owner=0) as crowd:
            await crowd.progress()
            began = time.monotonic()
            leaving = asyncio.create_task(asyncio.to_thread(nodes[0].stop))
            await crowd.progress()
            # No lease had to run out.
            assert time.monotonic() - began < 10
            assert await leaving < 10
            await nodes.audited(crowd)
        nodes.check_logs()
