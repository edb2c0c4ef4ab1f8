"""Shares, shortages, and who is paid first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chamsaejak import payments

scores_of_all = st.lists(st.integers(0, 60), min_size=2, max_size=5)


@pytest.mark.parametrize(
    ("points", "payers", "nearest", "ceil"),
    [
        (7, 3, 2, 3),
        (8, 3, 3, 3),
        (5, 2, 3, 3),
        (5, 4, 1, 2),
        (6, 4, 2, 2),
        (25, 4, 6, 7),
        (9, 1, 9, 9),
        (10, 4, 3, 3),
    ],
)
def test_share(points: int, payers: int, nearest: int, ceil: int) -> None:
    assert payments.share(points, payers, "nearest") == nearest
    assert payments.share(points, payers, "ceil") == ceil


def test_false_win_pays_the_next_seats_first() -> None:
    scores = [40, 40, 40, 3, 40]
    assert payments.false_win(scores, 3) == [1, 0, 0, -3, 2]
    assert scores == [41, 40, 40, 0, 42]


def test_ron_pays_what_is_there() -> None:
    scores = [3, 40]
    assert payments.ron(scores, 1, 0, 7) == [-3, 3]
    assert payments.ron(scores, 1, 0, 7) == [0, 0]


def test_order_starts_behind_the_seat() -> None:
    assert payments.after(2, 4) == [3, 0, 1]
    assert payments.after(0, 2) == [1]


@given(scores_of_all, st.data())
def test_points_move_but_never_appear_or_go_below_zero(
    scores: list[int], data: st.DataObject
) -> None:
    seats = st.integers(0, len(scores) - 1)
    seat = data.draw(seats)
    other = data.draw(seats.filter(lambda s: s != seat))
    points = data.draw(st.integers(5, 25))
    before, total = list(scores), sum(scores)
    moves: dict[str, Callable[[], list[int]]] = {
        "tsumo": lambda: payments.tsumo(scores, seat, points, "nearest"),
        "tsumo, rounded up": lambda: payments.tsumo(scores, seat, points, "ceil"),
        "ron": lambda: payments.ron(scores, seat, other, points),
        "false win": lambda: payments.false_win(scores, seat),
    }
    delta = moves[data.draw(st.sampled_from(sorted(moves)))]()
    assert sum(scores) == total
    assert min(scores) >= 0
    assert [b + d for b, d in zip(before, delta, strict=True)] == scores
