from __future__ import annotations

import pytest

from engines.kit.contract import Legal, Refused, Ruleset
from engines.kit.dealer import Dealer
from engines.peeper import GAME
from engines.peeper.messages import Options, Pass, Play
from engines.peeper.state import State
from tests.engines.peeper.tables import table, tiles


def rule(state: State, seat: int, pieces: list[str]) -> str:
    with pytest.raises(Refused) as refused:
        GAME.explain(state, seat, pieces)
    return refused.value.rule


def test_rulesets() -> None:
    assert GAME.rulesets == {
        "standard": Ruleset(Options()),
        "ibc": Ruleset(
            Options(rounds=5, announce_at=4, show_counts="low", claim_ms=5000),
            frozenset({"rank_by", "wild_mine"}),
        ),
    }


def test_explain_gives_every_reading_that_may_be_laid() -> None:
    state = table(["5 6 7 X X X", "9 9"])
    lead = GAME.explain(state, 0, ["X", "5", "6", "7", "X", "X"]).actions
    ordered = tiles("5 6 7 X X X")
    assert lead == [
        *(Play(ordered, kind="straight", low=low) for low in (2, 3, 4, 5)),
        Play(ordered, kind="pair_straight"),
    ]
    assert set(map(str, lead)) <= set(map(str, GAME.legal(state, 0, 1000).actions))


def test_explain_on_a_table_keeps_what_beats_it() -> None:
    state = table(["13 14 15 1", "14 15 X 2"])
    GAME.apply(state, 0, Play(tiles("13 14 15")), Dealer(b"k"))
    assert GAME.explain(state, 1, ["X", "14", "15"]).actions == [Play(tiles("14 15 X"))]
    assert GAME.legal(state, 1).actions == [Play(tiles("14 15 X")), Pass()]


@pytest.mark.parametrize(
    ("seat", "pieces", "broken"),
    [
        (1, ["9"], "not_your_turn"),
        (0, [], "no_tiles"),
        (0, ["9"], "not_held"),
        (0, ["17"], "not_held"),
        (0, ["5", "7"], "no_combination"),
    ],
)
def test_explain_names_the_rule_that_forbids(seat: int, pieces: list[str], broken: str) -> None:
    assert rule(table(["5 6 7 X X X", "9 9"]), seat, pieces) == broken


def test_after_the_match_nothing_is_legal() -> None:
    state = table(["5", "9 9"])
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert GAME.legal(state, 1) == Legal([])
    assert rule(state, 1, ["9"]) == "match_over"


def test_only_the_seat_to_act_has_turn_actions() -> None:
    state = table(["5 6", "9 9"])
    assert GAME.legal(state, 0).actions == [Play(["5"]), Play(["6"])]
    assert GAME.legal(state, 1) == Legal([])


def test_a_seat_to_act_has_its_actions_beside_an_open_window() -> None:
    state = table(["5 6", "9 9", "5 5 1"])
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert GAME.offer(state) is not None
    assert GAME.turn(state) == 1
    assert GAME.legal(state, 1).actions == [Play(["9"]), Pass()]
    assert GAME.default(state, 1) == Pass()
