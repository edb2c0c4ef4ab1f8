from __future__ import annotations

import time
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kit.contract import Action, Refused
from engines.peeper.combinations import Reading, readings
from engines.peeper.legal import actions, legal
from engines.peeper.messages import Pass, Play, Top
from engines.peeper.reading import resolve
from engines.peeper.tiles import PIECES, Tile, ordered
from tests.engines.peeper.tables import tiles

FOUR_X = "1r 2 3 4 5 6 7 8 9 10 11 12 X X X X"


def laid_out(hand: list[Tile], top: Top | None) -> set[tuple[tuple[Tile, ...], str, int]]:
    """Every play by trying every set of tiles under every reading."""
    found: set[tuple[tuple[Tile, ...], str, int]] = set()
    for size in range(1, len(hand) + 1):
        for chosen in set(combinations(hand, size)):
            for kind, low, _ in readings(chosen):
                try:
                    reading = resolve(hand, Play(list(chosen), kind=kind, low=low), top)
                except Refused:
                    continue
                found.add((tuple(ordered(chosen)), reading.kind, reading.low))
    return found


def listed(hand: list[Tile], top: Top | None) -> list[tuple[tuple[Tile, ...], str, int]]:
    table = None if top is None else Reading(top.kind, top.low, len(top.tiles))
    plays = [action for action in actions(hand, table) if isinstance(action, Play)]
    return [
        (tuple(play.tiles), *resolve(hand, play, top)[:2])  # what it is taken for as it stands
        for play in plays
    ]


@settings(deadline=None, max_examples=60)
@given(st.permutations(PIECES), st.integers(1, 9))
def test_leads_are_exactly_the_plays_that_the_rules_allow(drawn: list[Tile], size: int) -> None:
    hand = ordered(drawn[:size])
    found = listed(hand, None)
    assert len(set(found)) == len(found)
    assert set(found) == laid_out(hand, None)


@settings(deadline=None, max_examples=60)
@given(st.permutations(PIECES), st.integers(3, 9), st.data())
def test_answers_are_exactly_the_plays_that_beat_the_table(
    drawn: list[Tile], size: int, data: st.DataObject
) -> None:
    hand, other = ordered(drawn[:size]), ordered(drawn[size : size + 9])
    lain, kind, low = data.draw(st.sampled_from(sorted(laid_out(other, None))))
    top = Top(1, list(lain), kind, low)  # type: ignore[arg-type]  # a kind out of a set of strings
    found = listed(hand, top)
    assert len(set(found)) == len(found)
    assert set(found) == laid_out(hand, top)


@pytest.mark.parametrize("hand", ["5 6 7 8 X X X X", "1r 1 1 2 2 3 3 X X", "1r 1 1 1 X X X X"])
def test_hands_with_many_x_and_the_red_one(hand: str) -> None:
    held = tiles(hand)
    assert set(listed(held, None)) == laid_out(held, None)


def test_every_kind_and_length_comes_before_repetitions() -> None:
    found = [str(shape(action)) for action in actions(tiles("3 3 4 4 5 5 8 8 8 X"), None)]
    kinds = len(set(found))
    assert len(set(found[:kinds])) == kinds
    assert found[:kinds] == [
        "('single', 1)",
        "('pair', 2)",
        "('straight', 3)",
        "('straight', 4)",
        "('pair_straight', 6)",
        "('bomb1', 3)",
    ]


def shape(action: Action) -> tuple[str, int]:
    assert isinstance(action, Play)
    kinds = [one.kind for one in readings(action.tiles) if action.kind in (None, one.kind)]
    return kinds[-1], len(action.tiles)


def test_within_a_kind_the_lowest_comes_first() -> None:
    singles = [
        action.tiles[0]
        for action in actions(tiles("1r 1 4 9 X"), Reading("single", 0, 1))
        if isinstance(action, Play)
    ]
    assert singles == ["1r", "1", "4", "9", "X"]


def test_a_pass_comes_after_one_play_of_every_kind() -> None:
    found = list(actions(tiles("6 7 9 9 9"), Reading("single", 5, 1)))
    assert found == [Play(["6"]), Play(["9", "9", "9"]), Pass(), Play(["7"]), Play(["9"])]


def test_a_reading_is_declared_only_where_the_tiles_have_several() -> None:
    plays = [action for action in actions(tiles("5 6 7 X X X"), None) if isinstance(action, Play)]
    everything = [play for play in plays if len(play.tiles) == 6]
    assert {(play.kind, play.low) for play in everything} == {
        ("straight", 2),
        ("straight", 3),
        ("straight", 4),
        ("straight", 5),
        ("pair_straight", None),
    }
    assert Play(["5", "6", "7"]) in plays
    assert Play(["5", "X"]) in plays


def test_the_list_is_cut_and_says_so() -> None:
    hand = tiles(FOUR_X)
    found = legal(hand, None, 64)
    assert (len(found.actions), found.more) == (64, True)
    assert legal(hand, None, 64).actions[:10] == legal(hand, None, 10).actions
    assert len(legal(hand, None, 10_000).actions) == 8001
    assert legal(tiles("5"), None, 64).more is False


@pytest.mark.parametrize(
    "hand",
    [FOUR_X, "1r 1 2 2 3 3 4 4 5 5 6 6 X X X X", "1r 3 5 7 9 11 13 15 2 2 2 2 X X X X"],
)
def test_the_first_64_are_found_fast(hand: str) -> None:
    held = ordered(tiles(hand))
    best = min(timed(held) for _ in range(20))
    assert best < 0.003


def timed(hand: list[Tile]) -> float:
    began = time.perf_counter()
    legal(hand, None, 64)
    return time.perf_counter() - began
