"""Token buckets on plain numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.core.limits import Bucket


def test_a_burst_up_to_the_size_then_a_wait() -> None:
    bucket = Bucket(5, 10_000)
    assert [bucket.take(0) for _ in range(5)] == [None] * 5
    assert bucket.take(0) == 2_001


def test_the_wait_that_it_names_is_long_enough() -> None:
    bucket = Bucket(3, 1_000)
    for _ in range(3):
        bucket.take(0)
    wait = bucket.take(0)
    assert wait is not None
    assert bucket.take(wait) is None


def test_nothing_is_ever_allowed_by_size_zero() -> None:
    assert Bucket(0, 1_000).take(0) == 1_000


def test_a_full_bucket_has_nothing_to_remember() -> None:
    bucket = Bucket(2, 1_000)
    assert bucket.full(0)
    bucket.take(0)
    assert not bucket.full(500)
    assert bucket.full(1_000)


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_never_more_than_size_and_rate_allow(gaps: list[int]) -> None:
    bucket, now, taken = Bucket(5, 1_000), 0, 0
    for gap in gaps:
        now += gap
        if bucket.take(now) is None:
            taken += 1
    assert taken <= 5 + now * 5 / 1_000 + 1e-6
