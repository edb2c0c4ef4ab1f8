"""Sides, points, the end, the next dealer."""

from __future__ import annotations

import pytest

from engines.pepper.messages import Bid, PepperOptions
from engines.pepper.scoring import (
    by_seat,
    hand_points,
    next_dealer,
    seat_places,
    sides,
    winning_sides,
)


def wanted(seats: int, bid: Bid, taken: int) -> int:
    """The declarer's points, case by case after the rules."""
    full = 6 if seats == 4 else 8
    if bid == "big":
        return full * 2 if taken == full else -full * 2
    if bid == "small":
        return full if taken == full else -full
    assert isinstance(bid, int)
    return taken if taken >= bid else -full


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_contract_and_every_number_of_tricks(seats: int) -> None:
    full, most = (6, 5) if seats == 4 else (8, 7)
    bids: list[Bid] = [*range(1, most + 1), "small", "big"]
    for bid in bids:
        for taken in range(full + 1):
            split = [taken, full - taken] if seats != 3 else [taken, full - taken - taken // 3, 0]
            split = split if seats != 3 else [taken, full - taken, 0]
            points = hand_points(seats, bid, 0, split)
            assert points == [wanted(seats, bid, taken), *split[1:]]


def test_partners_sit_opposite_and_share() -> None:
    assert sides(4) == [0, 1, 0, 1]
    assert (sides(3), sides(2)) == ([0, 1, 2], [0, 1])
    assert by_seat([7, -6], 4) == [7, -6, 7, -6]
    assert by_seat([7, -6, 3], 3) == [7, -6, 3]


@pytest.mark.parametrize(
    ("scores", "seats", "expected"),
    [
        ([30, 12], 4, [1, 2, 1, 2]),
        ([12, 30], 4, [2, 1, 2, 1]),
        ([31, 31], 4, [1, 1, 1, 1]),
        ([30, 30, 12], 3, [1, 1, 3]),
        ([8, 30, 12], 3, [3, 1, 2]),
    ],
)
def test_places_count_sides(scores: list[int], seats: int, expected: list[int]) -> None:
    assert seat_places(scores, seats) == expected


@pytest.mark.parametrize(
    ("scores", "winners"),
    [([29, -4], None), ([30, 30], [0, 1]), ([31, 33], [1]), ([32, 31, 32], [0, 2])],
)
def test_who_has_won(scores: list[int], winners: list[int] | None) -> None:
    assert winning_sides(scores, 30) == winners


@pytest.mark.parametrize(
    ("all_pass", "thrown_in", "following"),
    [
        ("next_dealer", True, 0),
        ("next_dealer", False, 0),
        ("same_dealer", True, 3),
        ("same_dealer", False, 0),
    ],
)
def test_the_next_dealer(all_pass: str, thrown_in: bool, following: int) -> None:
    options = PepperOptions(all_pass=all_pass)  # type: ignore[arg-type]  # listed above
    assert next_dealer(options, 3, 4, thrown_in) == following
