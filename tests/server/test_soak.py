"""Hundreds of tables of bots for a long time, with sockets that stall and flood beside them.

HANPAN_SOAK_S: for how long they attack (15 seconds, with a tenth of that without them before and after);
HANPAN_SOAK_TABLES (30); HANPAN_STALLED, HANPAN_FLOODING: the attackers (20 and 5), HANPAN_SPREAD_S: in
which time they begin (2 seconds). The bounds on times hold from ten minutes on: before that a single pause
of the machine decides them.
"""

from __future__ import annotations

import asyncio
import os
import time

from server.settings import Settings
from tests.support.attack import attack
from tests.support.bot_tables import bot_tables
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.metrics import Metrics
from tests.support.playing import playing, quantile, take
from tests.support.report import report

SECONDS = float(os.environ.get("HANPAN_SOAK_S", "15"))
TABLES = int(os.environ.get("HANPAN_SOAK_TABLES", "30"))
STALLED = int(os.environ.get("HANPAN_STALLED", "20"))
FLOODING = int(os.environ.get("HANPAN_FLOODING", "5"))
SPREAD_S = float(os.environ.get("HANPAN_SPREAD_S", "2"))
PROBES = 10
LONG_S = 600
MEMORY_KIB = 50 * 1024
LAG_S = 0.05
GONE_S = 5
"""In which time an attack has ended for the server too."""
BUSIER = 1.2


async def test_tables_go_on_for_long_beside_stalled_and_flooding_sockets() -> None:
    settings = {
        **LIMITS,
        "frames": 20,
        "frame_burst": 40,
        "faults_per_minute": Settings().faults_per_minute,
        "empty_table_ms": 10_000,
    }
    with hanpan_server(**settings) as server, bot_tables(server.url, TABLES):
        async with playing(server, 1) as watched, playing(server, PROBES) as players:
            await asyncio.sleep(SECONDS / 10)
            take(players)
            await asyncio.sleep(SECONDS / 10)
            quiet = take(players)
            take(watched)
            before = server.memory_kib()
            with attack(server.url, watched[0].table, STALLED, FLOODING, SPREAD_S):
                memory = await watched_memory(server, SECONDS)
                attacked, attacked_itself = take(players), take(watched)
                during = await Metrics.of(server)
            # Before and after: what the machine does by itself in half an hour is in both.
            await asyncio.sleep(min(GONE_S, SECONDS / 10))
            take(players)
            await asyncio.sleep(SECONDS / 10)
            quiet = sorted(quiet + take(players))
            metrics = await Metrics.of(server)
    came = during["hanpan_connections"] - metrics["hanpan_connections"]
    lag = metrics.quantile("hanpan_loop_lag_seconds", 0.999)
    grown = memory[-1][1] - before
    slope = hourly(memory[len(memory) // 2 :])
    report(
        "soak",
        seconds=SECONDS,
        tables=TABLES,
        actions=int(metrics["hanpan_actions_total"]),
        stalled=STALLED,
        flooding=FLOODING,
        memory_kib=memory[-1][1],
        memory_grown_kib=grown,
        memory_kib_an_hour_in_the_second_half=round(slope),
        quiet_p50_ms=quantile(quiet, 0.5),
        quiet_p99_ms=quantile(quiet, 0.99),
        attacked_p50_ms=quantile(attacked, 0.5),
        attacked_p99_ms=quantile(attacked, 0.99),
        attacked_tables_own_p99_ms=quantile(attacked_itself, 0.99),
        loop_lag_p999_at_most_s=lag,
    )
    assert metrics["hanpan_actions_total"] > TABLES
    assert metrics["hanpan_engine_faults_total"] == 0
    assert metrics["hanpan_refusals_total{bad_message}"] > FLOODING, "there was no flood"
    assert came > STALLED / 4, "hardly any stalled ones were there at the end of the attack"
    assert grown < MEMORY_KIB, f"{grown} KiB more"
    if SECONDS >= LONG_S:
        assert lag <= LAG_S
        assert quantile(attacked, 0.99) <= BUSIER * quantile(quiet, 0.99)


async def watched_memory(server: HanpanServer, seconds: float) -> list[tuple[float, int]]:
    """The server's resident memory over this time: (seconds, KiB), at least ten of them."""
    began = time.monotonic()
    found = []
    while time.monotonic() < began + seconds:
        await asyncio.sleep(min(5, seconds / 10))
        found.append((time.monotonic() - began, server.memory_kib()))
    return found


def hourly(points: list[tuple[float, int]]) -> float:
    """The slope of a straight line through the points by least squares, in KiB an hour."""
    middle = sum(at for at, _ in points) / len(points)
    level = sum(kib for _, kib in points) / len(points)
    spread = sum((at - middle) ** 2 for at, _ in points)
    return 3_600 * sum((at - middle) * (kib - level) for at, kib in points) / spread
