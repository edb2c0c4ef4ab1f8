from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.peeper.combinations import KINDS, Reading, beats, readings
from engines.peeper.tiles import NAMES, PIECES


def by_definition(numbers: tuple[int, ...]) -> set[tuple[str, int, int]]:
    """The readings found by laying out every combination there is; 16 is an X."""
    size = len(numbers)
    wild = numbers.count(16)
    natural = Counter(number for number in numbers if number < 16)
    found: set[tuple[str, int, int]] = set()

    def fits(wanted: Counter[int], bare: bool) -> bool:
        lacking = wanted - natural
        surplus = natural - wanted
        return not surplus and lacking.total() == wild and (bare or natural.total() > 0)

    for low in range(1, 17):
        if size == 1 and fits(Counter([low]), low == 16):
            found.add(("single", low, 1))
        if size == 2 and fits(Counter([low] * 2), low == 16):
            found.add(("pair", low, 2))
        if size >= 3 and low + size - 1 <= 16 and fits(Counter(range(low, low + size)), False):
            found.add(("straight", low, size))
        pairs = Counter([low + step // 2 for step in range(size)])
        high = low + size // 2 - 1
        if 6 <= size <= 16 and size % 2 == 0 and high <= 16 and fits(pairs, False):
            found.add(("pair_straight", low, size))
        for kind, length in (("bomb1", 3), ("bomb2", 4)):
            if size == length and numbers == ((low,) * size):
                found.add((kind, low, size))
    return found


def tiles(numbers: tuple[int, ...]) -> list[str]:
    return [NAMES[number] for number in numbers]


def test_all_sets_of_up_to_four_tiles() -> None:
    for size in range(1, 5):
        for numbers in combinations_with_replacement(range(1, 17), size):
            assert set(map(tuple, readings(tiles(numbers)))) == by_definition(numbers), numbers


@settings(deadline=None)
@given(st.permutations(PIECES), st.integers(5, 16))
def test_tiles_drawn_at_random(drawn: list[str], size: int) -> None:
    numbers = tuple(sorted(NAMES.index(tile) if tile != "1r" else 1 for tile in drawn[:size]))
    numbers = tuple(16 if number == 0 else number for number in numbers)
    assert set(map(tuple, readings(drawn[:size]))) == by_definition(numbers)


@settings(deadline=None)
@given(st.integers(1, 14), st.integers(3, 16), st.data())
def test_runs_with_gaps_for_x(low: int, size: int, data: st.DataObject) -> None:
    values = [low + step for step in range(min(size, 17 - low))]
    wild = data.draw(st.sets(st.sampled_from(values), max_size=4))
    twice = data.draw(st.booleans())
    numbers = tuple(
        sorted(
            16 if value in wild or value == 16 else value
            for value in values
            for _ in range(1 + twice)
        )
    )
    assert set(map(tuple, readings(tiles(numbers)))) == by_definition(numbers)


def test_readings_come_by_kind_and_lowest_first() -> None:
    found = readings(["5", "6", "7", "X", "X", "X"])
    assert found == sorted(found, key=lambda one: (KINDS.index(one.kind), one.low))
    assert len(found) == 5


def test_nothing_is_no_combination() -> None:
    assert readings([]) == []
    assert readings(["2"] * 17) == []


def test_bombs_beat_all_below_them() -> None:
    order = [
        [Reading("single", 16, 1), Reading("pair", 16, 2), Reading("straight", 1, 16)],
        [Reading("bomb1", 1, 3)],
        [Reading("bomb1", 16, 3)],
        [Reading("bomb2", 1, 4)],
        [Reading("bomb2", 16, 4)],
    ]
    for lower, higher in product(range(5), repeat=2):
        for one, two in product(order[lower], order[higher]):
            if lower != higher:
                assert beats(two, one) == (higher > lower)


def test_others_answer_their_own_kind_and_size_only() -> None:
    table = Reading("straight", 4, 5)
    assert beats(Reading("straight", 5, 5), table)
    assert not beats(Reading("straight", 4, 5), table)
    assert not beats(Reading("straight", 5, 6), table)
    assert not beats(Reading("pair_straight", 5, 6), Reading("straight", 4, 6))
    assert not beats(Reading("pair", 9, 2), Reading("single", 4, 1))
