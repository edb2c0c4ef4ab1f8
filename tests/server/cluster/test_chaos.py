"""`make chaos` in its smallest form: a process and Redis killed, stopped and cut off under play.

HANPAN_CHAOS_FAULTS, HANPAN_CHAOS_EVERY_S: how many and how often (6, 2); HANPAN_CHAOS_TABLES,
HANPAN_CHAOS_PEOPLE: under whose play (4, 5).
"""

from __future__ import annotations

import os

from tests.server.cluster.chaos import KINDS, run

FAULTS = int(os.environ.get("HANPAN_CHAOS_FAULTS", str(len(KINDS))))
EVERY_S = int(os.environ.get("HANPAN_CHAOS_EVERY_S", "2"))
TABLES = int(os.environ.get("HANPAN_CHAOS_TABLES", "4"))
PEOPLE = int(os.environ.get("HANPAN_CHAOS_PEOPLE", "5"))


async def test_a_chaos_violates_nothing() -> None:
    done = await run(FAULTS * EVERY_S, EVERY_S, TABLES, PEOPLE, seed=11)
    assert done.keys() == set(KINDS)
    assert done.total() == FAULTS
