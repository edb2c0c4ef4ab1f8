from __future__ import annotations

from collections import Counter

from engines.peeper.tiles import PIECES, lacks, ordered, total, without
from tests.engines.peeper.tables import tiles


def test_there_are_64_tiles_and_one_red_1() -> None:
    counts = Counter(PIECES)
    assert len(PIECES) == 64
    assert (counts.pop("1r"), counts.pop("1")) == (1, 3)
    assert set(counts.values()) == {4}
    assert set(counts) == {*map(str, range(2, 16)), "X"}


def test_a_hand_stands_in_order() -> None:
    assert ordered(tiles("X 10 1 2 1r 9")) == tiles("1r 1 2 9 10 X")


def test_sums_take_x_as_sixteen() -> None:
    assert total(tiles("1r 1 15 X")) == 33


def test_lacks_names_the_first_tile_that_is_not_held() -> None:
    hand = tiles("1r 5 5")
    assert lacks(hand, tiles("5 1r 5")) is None
    assert lacks(hand, tiles("5 5 5")) == "5"
    assert lacks(hand, tiles("1")) == "1"


def test_without_leaves_the_hand_itself_alone() -> None:
    hand = tiles("1r 5 5")
    assert without(hand, tiles("5")) == tiles("1r 5")
    assert hand == tiles("1r 5 5")
