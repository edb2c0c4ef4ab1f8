"""SIGTERM: everyone is told when to resume, the process ends in time, and a restart brings all back.

HANPAN_SOCKETS: how many idle sockets beside the tables (300).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import sqlite3
import time

from tests.server.test_crash import audited, crowd_at
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import hanpan_server
from tests.support.report import report
from tests.support.wire import Wire, dial, get, guest, wire

SOCKETS = int(os.environ.get("HANPAN_SOCKETS", "300"))

BROKEN_OFF = ["draining was broken off", "Traceback"]
"""What a second signal leaves in the log: uvicorn cancels the lifespan then."""


def allow_descriptors(count: int) -> None:
    """Let this process (and the servers it starts) have so many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count), hard))


async def test_sigterm_tells_everyone_and_ends_within_ten_seconds() -> None:
    allow_descriptors(2 * SOCKETS + 1_000)
    # Nobody is silent for too long, however long it takes to open so many.
    with hanpan_server(connections=100_000, heartbeat_ms=600_000, **LIMITS) as server:
        async with crowd_at(server, tables=12, clients=8, seed=4) as crowd:
            token = await guest(server.url)
            idle: list[Wire] = []
            while len(idle) < SOCKETS:
                some = [dial(server.ws_url, token) for _ in range(min(50, SOCKETS - len(idle)))]
                idle += await asyncio.gather(*some)
            await crowd.progress()
            began = time.monotonic()
            await asyncio.to_thread(server.stop)
            took = time.monotonic() - began
            assert took <= 10, f"{took:.1f} s"
            report("drain", sockets=SOCKETS, seconds=round(took, 2))
            waits = []
            for one in idle:
                assert await one.until_closed() == 4001
                assert one.frames[-1]["type"] == "draining"
                waits.append(one.frames[-1]["in_ms"])
            # Not all at once: they come back spread over the span of the drain.
            assert min(waits) < 1_000
            assert len(set(waits)) > SOCKETS // 10
            assert max(waits) <= 10_000
            began = time.monotonic()
            await asyncio.to_thread(server.start)
            await crowd.progress()
            assert all(client.resumes > 0 for client in crowd.clients)
            assert time.monotonic() - began < 30
            await audited(server, crowd)


async def test_a_draining_server_says_so() -> None:
    with hanpan_server(drain_ms=3_000, **LIMITS) as server:
        token = await guest(server.url)
        async with wire(server.ws_url, token) as one:
            made = await one.ok("create_table", game="peeper", seats=4, bots=4, speed="instant")
            await one.ok("watch", table=made["table"])
            # A commit that waits for somebody's lock keeps the drain from ending at once.
            other = sqlite3.connect(server.data / "journal.sqlite", isolation_level=None)
            with contextlib.closing(other):
                other.execute("BEGIN IMMEDIATE")
                server.signal(15)
                await one.find(lambda f: f["type"] == "draining")
                refused = await one.ask("create_table", game="peeper", seats=2)
                assert refused["code"] == "draining"
            assert await one.until_closed() == 4001
        await asyncio.to_thread(server.ended)


async def test_a_match_ends_and_is_stored_once_over_restarts() -> None:
    with hanpan_server(drain_ms=100, **LIMITS) as server:
        token = await guest(server.url)
        async with wire(server.ws_url, token) as one:
            made = await one.ok("create_table", game="peeper", seats=2, bots=2, speed="instant")
            await one.ok("watch", table=made["table"])
            frame = await one.find(
                lambda f: any(e["type"] == "match_ended" for e in f.get("events", []))
            )
        event = next(e for e in frame["events"] if e["type"] == "match_ended")
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        for _ in range(50):
            record = await get(f"{server.url}/v1/records/{event['record']}")
            if record["status"] == 200:
                break
            await asyncio.sleep(0.1)
        assert record["status"] == 200, record
        assert record["scores"] == event["scores"]
        stored = [line for line in server.log() if line.get("event") == "match_stored"]
        assert {line["match"] for line in stored} == {event["match"]}


async def test_a_second_signal_stops_at_once() -> None:
    with hanpan_server(drain_ms=20_000, allowed=BROKEN_OFF, **LIMITS) as server:
        token = await guest(server.url)
        async with wire(server.ws_url, token) as one:
            server.signal(15)
            await one.find(lambda f: f["type"] == "draining")
            server.signal(15)
            await asyncio.to_thread(server.ended, 10.0)


async def test_what_the_log_says_is_json() -> None:
    with hanpan_server() as server:
        await get(f"{server.url}/healthz")
        await asyncio.to_thread(server.stop)
        for line in server.log_text.splitlines():
            assert isinstance(json.loads(line), dict)
