from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kit.contract import OptionError, Refused, pieces_of, places
from engines.kit.dealer import Dealer
from engines.peeper import GAME
from engines.peeper.messages import Mine, Pass, Play


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_places_count_those_who_are_better(scores: list[int]) -> None:
    found = places(scores)
    assert min(found) == 1
    for score, place in zip(scores, found, strict=True):
        assert place == len([other for other in scores if other > score]) + 1


def test_equal_scores_share_the_better_place() -> None:
    assert places([5, 9, 5, 1]) == [2, 1, 2, 4]


def test_pieces_of_an_action() -> None:
    assert pieces_of(Play(["5", "X"])) == ["5", "X"]
    assert pieces_of(Mine(["5", "5"])) == ["5", "5"]
    assert pieces_of(Pass()) == []


@pytest.mark.parametrize(
    ("ruleset", "given", "message"),
    [
        ("nordic", {}, "it has: standard, ibc"),
        ("standard", {"rounds": 0}, r"rounds"),
        ("standard", {"rounds": 21}, r"rounds"),
        ("standard", {"colour": "red"}, "colour"),
        ("standard", {"claim_ms": "long"}, "claim_ms"),
        ("ibc", {"wild_mine": True}, "wild_mine is fixed to False in ruleset ibc"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(
    ruleset: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        GAME.options(ruleset, given)


def test_options_build_on_their_ruleset() -> None:
    options = GAME.options("ibc", {"rounds": 3, "wild_mine": False})
    assert (options.rounds, options.announce_at, options.claim_ms) == (3, 4, 5000)


def test_an_option_of_null_is_absent_but_an_unknown_one_is_not() -> None:
    assert GAME.options("ibc", {"rounds": None, "wild_mine": None}) == GAME.options("ibc")
    with pytest.raises(OptionError, match="colour"):
        GAME.options("ibc", {"colour": None})


def test_seats_outside_the_range_are_refused() -> None:
    with pytest.raises(OptionError, match="2 to 6 players, not 7"):
        GAME.check_seats(7)
    GAME.check_seats(6)


def test_refused_carries_rule_code_and_params() -> None:
    refused = Refused("not_held", tile="5")
    assert (refused.rule, refused.code, refused.params) == (
        "not_held",
        "illegal_action",
        {"tile": "5"},
    )


def test_order_runs_round_the_table() -> None:
    state, _ = GAME.start(GAME.options(), 4, Dealer(b"k"))
    assert GAME.order(state, 2) == [3, 0, 1]
