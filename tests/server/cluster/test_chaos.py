"""`make chaos` in its smallest form: a process and Redis killed, stopped and cut off under play."""

from __future__ import annotations

from tests.server.cluster.chaos import KINDS, run


async def test_a_short_chaos_violates_nothing() -> None:
    done = await run(seconds=2 * len(KINDS), every=2, tables=4, people=5, seed=11)
    assert done.keys() == set(KINDS)
