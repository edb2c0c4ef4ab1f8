from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.transport.pace import Pace


def test_a_burst_is_allowed_and_the_next_one_not() -> None:
    pace = Pace(20, 40)
    assert all(pace.allows(1000.0) for _ in range(40))
    assert not pace.allows(1000.0)


def test_a_refused_event_is_not_counted() -> None:
    pace = Pace(20, 40)
    for _ in range(100):
        pace.allows(1000.0)
    assert not pace.allows(1049.0)
    assert pace.allows(1050.0)
    assert not pace.allows(1050.0)


def test_the_rate_itself_goes_on_for_ever() -> None:
    pace = Pace(20, 1)
    assert all(pace.allows(n * 50.0) for n in range(10_000))


@given(st.lists(st.floats(0, 500), max_size=200), st.floats(0.5, 50), st.integers(1, 50))
def test_never_more_than_the_burst_and_the_rate(gaps: list[float], rate: float, burst: int) -> None:
    pace = Pace(rate, burst)
    now = 0.0
    allowed: list[float] = []
    for gap in gaps:
        now += gap
        if pace.allows(now):
            allowed.append(now)
    for first in range(len(allowed)):
        for last in range(first, len(allowed)):
            spell = (allowed[last] - allowed[first]) / 1000.0
            assert last - first + 1 <= burst + rate * spell + 1e-3


def test_standing_still_regains_nothing() -> None:
    pace = Pace(1, 3)
    assert [pace.allows(0) for _ in range(4)] == [True, True, True, False]
    pace.stands(10_000)
    assert not pace.allows(10_000)
    assert pace.allows(11_000)
    assert not pace.allows(11_000)
