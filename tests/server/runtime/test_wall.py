"""Wall time carried on by the monotonic clock."""

from __future__ import annotations

from server.runtime.wall import Wall


def test_it_goes_on_from_its_start() -> None:
    times = iter([100.0, 100.0, 350.5])
    wall = Wall(lambda: next(times), since=5_000)
    assert wall.now() == 5_000
    assert wall.now() == 5_250


def test_a_stamp_is_dated_by_the_same_clock() -> None:
    wall = Wall(lambda: 100.0, since=5_000)
    assert wall.at(90.0) == 4_990
