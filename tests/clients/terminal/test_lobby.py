"""Numbers and seats."""

from __future__ import annotations

import pytest

from hanpan_terminal.lobby import default_seats, pick


@pytest.mark.parametrize(("bounds", "seats"), [([2, 6], 4), ([2, 4], 4), ([2, 2], 2), ([5, 8], 5)])
def test_four_seats_where_the_game_allows_it(bounds: list[int], seats: int) -> None:
    assert default_seats(bounds) == seats


@pytest.mark.parametrize(
    ("typed", "found"),
    [("1", "a"), (" 2 ", "b"), ("0", None), ("3", None), ("x", None), ("", None)],
)
def test_a_number_picks(typed: str, found: str | None) -> None:
    assert pick(typed, ["a", "b"]) == found
