from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kit.stream import Stream

KEY = bytes(range(32))


def test_words_are_those_of_the_documented_algorithm() -> None:
    block = blake2b(b"deck:0\0" + (0).to_bytes(8, "big"), key=KEY).digest()
    first = int.from_bytes(block[:8], "big")
    assert Stream(KEY, "deck:0").below(2**64) == first


@given(st.integers(1, 2**40), st.integers(0, 50))
def test_numbers_are_below_n_and_a_skipped_stream_goes_on(n: int, skip: int) -> None:
    stream = Stream(KEY, "a")
    for _ in range(skip):
        stream.below(2)
    later = Stream(KEY, "a", skip=stream.taken)
    drawn = [stream.below(n) for _ in range(20)]
    assert all(0 <= number < n for number in drawn)
    assert drawn == [later.below(n) for _ in range(20)]


def test_another_key_or_label_gives_other_numbers() -> None:
    def some(key: bytes, label: str) -> list[int]:
        stream = Stream(key, label)
        return [stream.below(1000) for _ in range(8)]

    assert some(KEY, "a") == some(KEY, "a")
    assert some(KEY, "a") != some(KEY, "b")
    assert some(KEY, "a") != some(KEY[::-1], "a")


def test_numbers_are_about_equally_frequent() -> None:
    stream = Stream(KEY, "chi")
    counts = Counter(stream.below(7) for _ in range(70_000))
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts.values())
    assert chi_square < 22.5  # 6 degrees of freedom: one run in a thousand is above


def test_every_order_of_a_shuffle_comes_up() -> None:
    stream = Stream(KEY, "orders")
    orders = Counter[tuple[int, ...]]()
    for _ in range(6_000):
        items = [0, 1, 2]
        stream.shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_there_is_no_number_below_nothing() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Stream(KEY, "a").below(0)
