"""The game against the contract."""

from __future__ import annotations

import pytest

from engines.kit.conformance import Report, check_game
from engines.kit.contract import OptionError, Outcome, Refused
from engines.pepper import GAME
from engines.pepper.messages import MakeBid, NameTrump, Pass, PepperOptions, Play
from tests.engines.pepper.positions import CLUBS, DIAMONDS, HEARTS, SPADES, act, deck, match

SUITED = deck(CLUBS, DIAMONDS, HEARTS, SPADES)


def test_conformance() -> None:
    report: Report = check_game(GAME, 6, b"pepper")
    assert report.matches == 6
    assert set(report.actions) == {"bid", "pass", "trump", "play"}
    assert report.different_worlds > 0.8 * report.worlds > 100


def test_two_to_four_seats() -> None:
    for seats in (2, 3, 4):
        GAME.check_seats(seats)
    for seats in (1, 5):
        with pytest.raises(OptionError):
            GAME.check_seats(seats)


def test_time_out_in_the_auction() -> None:
    state, dealer = match(SUITED)
    assert GAME.default(state, 1) == Pass()
    state, dealer = match(SUITED, options=PepperOptions(all_pass="stick_dealer"))
    act(state, dealer, "pass", "pass", "pass")
    assert GAME.default(state, 0) == MakeBid(1)


def test_time_out_in_play() -> None:
    mixed = deck(["9C", "AC", "9D", "9H", "10H", "JS"], ["10C", "JC", "KS", "AS", "AD", "AH"])
    state, dealer = match(mixed, first=3)
    act(state, dealer, "big")
    assert GAME.default(state, 0) == NameTrump("C")
    act(state, dealer, "C")
    assert GAME.default(state, 0) == Play("9D")
    act(state, dealer, "AC")
    assert GAME.default(state, 1) == Play("10C")


def test_legal_only_for_the_seat_to_act() -> None:
    state, _ = match(SUITED)
    assert GAME.legal(state, 0).actions == []
    few = GAME.legal(state, 1, 3)
    assert (few.actions, few.more) == ([Pass(), MakeBid(1), MakeBid(2)], True)
    assert not GAME.legal(state, 1).more


def test_outcome_and_hands_of_a_finished_match() -> None:
    state, dealer = match(SUITED, options=PepperOptions(target=6))
    act(state, dealer, "pass", "pass", "small", "pass", "pass", "pass", None)
    assert GAME.outcome(state) == Outcome(False, [0, 0, 0, 0], [])
    for _ in range(24):
        seat = GAME.turn(state)
        assert seat is not None
        GAME.apply(state, seat, GAME.default(state, seat), dealer)
    assert GAME.outcome(state) == Outcome(True, [0, 6, 0, 6], [2, 1, 2, 1])
    assert GAME.hands(state) == [[], [], [], []]


def test_scores_hold_finished_hands_only() -> None:
    state, dealer = match(SUITED)
    act(state, dealer, "pass", "pass", "small", "pass", "pass", "pass", None, "9S", "9C", "9D")
    act(state, dealer, "9H")
    assert state.hand.tricks == [0, 0, 0, 1]
    assert GAME.outcome(state).scores == [0, 0, 0, 0]


def test_no_windows() -> None:
    state, dealer = match(SUITED)
    assert GAME.offer(state) is None
    with pytest.raises(Refused):
        GAME.claim(state, 1, Pass())
    with pytest.raises(Refused):
        GAME.settle(state, [], dealer)


def test_explain_names_the_play_or_the_rule() -> None:
    state, dealer = match(SUITED)
    assert GAME.explain(state, 1, []).actions == [Pass()]
    act(state, dealer, "big", "S")
    assert GAME.explain(state, 1, ["9D"]).actions == [Play("9D")]
    for seat, pieces, rule in (
        (1, ["9C"], "not_in_hand"),
        (1, ["9D", "10D"], "no_action"),
        (1, [], "no_action"),
        (1, ["joker"], "no_action"),
        (0, ["9C"], "not_your_turn"),
    ):
        with pytest.raises(Refused) as caught:
            GAME.explain(state, seat, pieces)
        assert caught.value.rule == rule
