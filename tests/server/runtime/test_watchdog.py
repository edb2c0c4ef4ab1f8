"""Tests of server/runtime/watchdog.py, on real servers whose loop is frozen from outside."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from server.runtime.watchdog import EXIT_FROZEN
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import hanpan_server
from tests.support.wire import get, guest, wire

FREEZING = {"games": "tests.support.freezing", **LIMITS}


@pytest.mark.parametrize(
    ("how", "code"),
    [(signal.SIGUSR1, EXIT_FROZEN), (signal.SIGUSR2, -signal.SIGPROF)],
    ids=["waiting", "computing"],
)
async def test_a_frozen_process_ends_within_six_seconds_and_a_restart_goes_on(
    how: signal.Signals, code: int
) -> None:
    with hanpan_server(allowed=["loop_frozen"], **FREEZING) as server:
        token = await guest(server.url)
        async with wire(server.ws_url, token) as one:
            made = await one.ok("create_table", game="peeper", seats=2, bots=2, speed="instant")
            began = time.monotonic()
            server.signal(how)
            # CPU time passes more slowly than the clock where other processes want it too.
            patience = 6 if how == signal.SIGUSR1 else 60
            await asyncio.to_thread(server.ended, patience, code)
            assert time.monotonic() - began >= 4.5, "it ended before it was frozen for long"
        frozen = [line for line in server.log() if line.get("event") == "loop_frozen"]
        assert len(frozen) == (how == signal.SIGUSR1)
        await asyncio.to_thread(server.start)
        assert (await get(f"{server.url}/v1/tables/{made['table']}"))["status"] == 200


async def test_a_short_freeze_and_a_stopped_process_are_let_live() -> None:
    with hanpan_server(watchdog_ms=1_500, **FREEZING) as server:
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(3)
        server.signal(signal.SIGCONT)
        assert (await get(f"{server.url}/healthz"))["status"] == 200
        await asyncio.sleep(1)
        assert server.runs


async def test_a_busy_process_is_let_live() -> None:
    with hanpan_server(watchdog_ms=1_000, **FREEZING) as server:
        token = await guest(server.url)
        async with wire(server.ws_url, token) as one:
            for _ in range(6):
                await one.ok("create_table", game="chamsaejak", seats=4, bots=4, speed="instant")
            await asyncio.sleep(4)
            await one.ok("ping")
        assert server.runs


async def test_it_can_be_switched_off() -> None:
    with hanpan_server(watchdog_ms=0, **FREEZING) as server:
        server.signal(signal.SIGUSR1)
        with pytest.raises(AssertionError, match="did not end"):
            await asyncio.to_thread(server.ended, 7.0)
