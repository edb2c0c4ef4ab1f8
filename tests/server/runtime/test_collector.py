"""Garbage that refers to itself: found soon while it is new, and all of it when there is much."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from server.runtime.collector import COUNTED, GROWN, STEP_S, Collector


class Ring:
    """It refers to itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def started() -> Iterator[list[Collector]]:
    made: list[Collector] = []
    yield made
    for collector in made:
        collector.stop()


async def test_what_is_new_is_found_within_two_steps(started: list[Collector]) -> None:
    collector = Collector()
    collector.start()
    started.append(collector)
    assert not gc.isenabled()
    assert gc.get_freeze_count() > 0
    ring = weakref.ref(Ring())
    assert ring() is not None
    await asyncio.sleep(3 * STEP_S)
    assert ring() is None


async def test_a_stopped_one_leaves_it_to_python() -> None:
    collector = Collector()
    collector.start()
    collector.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_everything_is_looked_at_when_far_more_is_held(started: list[Collector]) -> None:
    looks: list[int] = []
    # Asked at the start, once in so many steps, and after a look at everything.
    held = iter([100, 100, GROWN * 100, GROWN * 100 + 1, 150, GROWN * 150, GROWN * 150 + 1, 400])
    collector = Collector(lambda: next(held), looks.append)
    collector.start()
    started.append(collector)
    for _ in range(5 * COUNTED):
        collector.step()
    new = [0] * (COUNTED - 1)
    assert looks == [2, *new, 0, *new, 0, *new, 2, *new, 0, *new, 2]
