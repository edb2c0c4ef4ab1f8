from __future__ import annotations

import time

import pytest

from engines.kit.contract import Refused
from engines.peeper.combinations import Reading
from engines.peeper.messages import Play, Top
from engines.peeper.reading import declared, possible, resolve
from tests.engines.peeper.tables import tiles

HAND = tiles("1r 1 5 5 6 7 8 8 8 14 15 X X X")
STRAIGHT = Top(1, tiles("3 4 5 6 7 8"), "straight", 3)


def rule(play: Play, top: Top | None = None) -> str:
    with pytest.raises(Refused) as refused:
        resolve(HAND, play, top)
    return refused.value.rule


@pytest.mark.parametrize(
    ("text", "top", "broken"),
    [
        ("", None, "no_tiles"),
        ("9", None, "not_held"),
        ("6 6", None, "not_held"),
        ("1 1", None, "not_held"),
        ("5 6", None, "no_combination"),
        ("8 8 X", None, "no_combination"),
        ("5 6 7 X X X", None, "ambiguous"),
        ("5", Top(1, tiles("5"), "single", 5), "not_higher"),
        ("5 5", Top(1, tiles("4"), "single", 4), "other_kind"),
        ("5 6 7 8", STRAIGHT, "other_size"),
        ("1 1r", Top(1, tiles("7 7 7"), "bomb1", 7), "bomb_needed"),
        ("8 8 8", Top(1, tiles("9 9 9"), "bomb1", 9), "not_higher"),
        ("8 8 8", Top(1, tiles("2 2 2 2"), "bomb2", 2), "bomb_needed"),
    ],
)
def test_a_refusal_names_its_rule(text: str, top: Top | None, broken: str) -> None:
    assert rule(Play(tiles(text)), top) == broken


def test_a_declaration_that_the_tiles_do_not_bear_is_refused() -> None:
    assert rule(Play(tiles("5 6 7"), kind="pair")) == "not_as_declared"
    assert rule(Play(tiles("X 14 15"), low=15)) == "not_as_declared"
    assert rule(Play(tiles("X 14 15"), low=10**12)) == "not_as_declared"


def test_a_declared_reading_that_does_not_beat_is_refused_for_that() -> None:
    assert rule(Play(tiles("5 6 7 X X X"), low=3), STRAIGHT) == "not_higher"


def test_an_ambiguous_play_has_its_own_code() -> None:
    with pytest.raises(Refused) as refused:
        resolve(HAND, Play(tiles("5 6 7 X X X")), None)
    assert refused.value.code == "ambiguous_action"


@pytest.mark.parametrize(
    ("play", "top", "taken"),
    [
        (Play(tiles("X 14 15")), None, ("straight", 14)),
        (Play(tiles("X 14 15"), low=13), None, ("straight", 13)),
        (Play(tiles("X 14 15"), kind="straight"), None, ("straight", 14)),
        (Play(tiles("5 6 7 X X X"), kind="straight"), None, ("straight", 5)),
        (Play(tiles("5 6 7 X X X"), kind="pair_straight"), None, ("pair_straight", 5)),
        (Play(tiles("5 6 7 X X X"), low=2), None, ("straight", 2)),
        (Play(tiles("5 6 7 X X X")), STRAIGHT, ("straight", 5)),
        (Play(tiles("5 6 7 X X X"), low=4), STRAIGHT, ("straight", 4)),
        (Play(tiles("8 8 8")), STRAIGHT, ("bomb1", 8)),
        (Play(tiles("1 1r")), None, ("pair", 1)),
    ],
)
def test_the_highest_reading_left_stands(play: Play, top: Top | None, taken: object) -> None:
    assert resolve(HAND, play, top)[:2] == taken


def test_low_five_leaves_two_kinds_of_the_six_tiles() -> None:
    assert rule(Play(tiles("5 6 7 X X X"), low=5)) == "ambiguous"


def test_declared_plays_say_what_is_open_and_no_more() -> None:
    chosen = tiles("14 15 X")
    plays = declared(chosen, possible(HAND, chosen, None))
    assert plays == [Play(chosen, low=13), Play(chosen, low=14)]
    pair = tiles("5 5")
    assert declared(pair, possible(HAND, pair, None)) == [Play(pair)]


def test_the_readings_of_any_tiles_are_found_fast() -> None:
    hand = tiles("1r 2 3 4 5 6 7 8 9 10 11 12 X X X X")
    best = 1.0
    for _ in range(20):
        began = time.perf_counter()
        found = possible(hand, hand, None)
        best = min(best, time.perf_counter() - began)
    assert found == [Reading("straight", 1, 16)]
    assert best < 0.001
