from __future__ import annotations

from typing import Literal

import pytest

from engines.peeper.scoring import places, points


@pytest.mark.parametrize(
    ("rank_by", "tie", "found"),
    [
        ("count", "shared", [2, 1, 2, 4]),
        ("count", "sum", [3, 1, 2, 4]),
        ("sum", "shared", [4, 1, 2, 2]),
        ("sum", "sum", [4, 1, 2, 2]),
    ],
)
def test_places(
    rank_by: Literal["count", "sum"], tie: Literal["shared", "sum"], found: list[int]
) -> None:
    assert places([2, 0, 2, 3], [30, 0, 9, 9], rank_by, tie) == found


def test_what_the_sum_cannot_break_is_shared() -> None:
    assert places([0, 2, 2], [0, 9, 9], "count", "sum") == [1, 2, 2]


@pytest.mark.parametrize(
    ("place", "won"), [([1, 2, 3, 4], [4, 3, 2, 1]), ([2, 1, 2], [2, 3, 2]), ([1, 2], [2, 1])]
)
def test_points(place: list[int], won: list[int]) -> None:
    assert points(place) == won
