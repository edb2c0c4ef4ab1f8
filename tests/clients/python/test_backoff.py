"""Waits and paces."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from hanpan import Backoff
from hanpan._messages import Close
from hanpan.backoff import Pace


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_waits_double_up_to_the_cap_with_jitter(seed: int, tries: int) -> None:
    backoff = Backoff(0.5, 4.0, random.Random(seed))
    for number in range(tries):
        assert 0 <= backoff.next() <= min(4.0, 0.5 * 2**number)
    backoff.reset()
    assert backoff.next() <= 0.5


def test_a_crowd_does_not_come_back_at_once() -> None:
    waits = [Backoff(1.0, 5.0, random.Random(seed)).next() for seed in range(200)]
    assert max(waits) - min(waits) > 0.8


def test_a_draining_server_says_when() -> None:
    assert 2.0 <= Backoff(0.5, 4.0).next(Close.DRAINING, 2000) <= 2.5
    assert Backoff(0.5, 4.0).next(Close.DRAINING) <= 0.5


def test_too_fast_waits_longer() -> None:
    assert Backoff(0.5, 4.0).next(Close.TOO_FAST) >= 2.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_a_pace_stays_below_the_limit(gaps: list[float]) -> None:
    pace = Pace(20, 40)
    now, sent = 0.0, []
    for gap in gaps:
        now += gap
        now += pace.take(now)
        sent.append(now)
    for index, start in enumerate(sent):
        within = [at for at in sent[index:] if at < start + 1]
        assert len(within) <= 40 + 20
