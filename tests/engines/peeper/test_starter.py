from __future__ import annotations

import pytest

from engines.kit.dealer import Dealer
from engines.peeper.messages import Flip, StarterFound
from engines.peeper.starter import find, search
from tests.engines.peeper.tables import tiles


@pytest.mark.parametrize(
    ("dealt", "unused", "found"),
    [
        (["2", "1 1", "1r"], "3", StarterFound(2, "red_one")),
        (["2", "1 1", "3"], "1r 3 4", StarterFound(1, "only_one")),
        (
            ["2 1", "1 5", "3"],
            "9 X 15",
            StarterFound(1, "flips", [Flip(0, "9"), Flip(1, "X")]),
        ),
        (
            ["2", "4", "3"],
            "1r 5 1",
            StarterFound(1, "flips", [Flip(0, "1r"), Flip(1, "5"), Flip(2, "1")]),
        ),
        (
            ["2", "4", "3"],
            "7 9 9 X",
            StarterFound(1, "lots", [Flip(0, "7"), Flip(1, "9"), Flip(2, "9")], [1, 2]),
        ),
        (["2", "4", "3"], "1r 1", StarterFound(0, "lots", [], [0, 1, 2])),
        (["2", "4 1", "3", "1"], "1r", StarterFound(1, "lots", [], [1, 3])),
    ],
)
def test_search(dealt: list[str], unused: str, found: StarterFound) -> None:
    assert search([tiles(hand) for hand in dealt], tiles(unused)) == found


def test_lots_are_drawn_by_the_dealer() -> None:
    dealt, unused = [tiles("2"), tiles("4"), tiles("3")], tiles("7 9 9")
    drawn = {find(dealt, unused, Dealer(bytes([key]))).seat for key in range(20)}
    assert drawn == {1, 2}
    assert find(dealt, unused, Dealer(b"k", first=2)).seat == 2


def test_first_never_overrides_the_rule() -> None:
    dealt, unused = [tiles("2"), tiles("4"), tiles("1r")], tiles("7 9 9")
    dealer = Dealer(b"k", first=0)
    assert find(dealt, unused, dealer).seat == 2
    dealt[2] = tiles("3")
    assert find(dealt, unused, dealer).seat in (1, 2)
