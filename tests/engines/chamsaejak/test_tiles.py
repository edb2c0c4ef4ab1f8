"""The tiles of the box."""

from __future__ import annotations

from collections import Counter

from engines.chamsaejak.tiles import FACES, NAMES, PIECES, RED, face, in_order


def test_forty_four_tiles_four_of_each_face() -> None:
    assert len(PIECES) == 44
    assert Counter(face(tile) for tile in PIECES) == dict.fromkeys(FACES, 4)
    assert set(PIECES) == set(NAMES)


def test_one_red_copy_of_each_number_and_every_chun_is_red() -> None:
    assert Counter(tile for tile in PIECES if tile in RED) == {
        **{f"{n}r": 1 for n in range(1, 10)},
        "C": 4,
    }


def test_order_of_a_hand() -> None:
    assert in_order(["C", "2", "F", "1r", "1", "2r", "9"]) == [
        "1", "1r", "2", "2r", "9", "F", "C",
    ]  # fmt: skip
