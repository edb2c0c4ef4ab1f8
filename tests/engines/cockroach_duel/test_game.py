"""The game against the contract."""

from __future__ import annotations

import pytest

from engines.cockroach_duel import GAME
from engines.cockroach_duel.match import apply
from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Block,
    Challenge,
    DuelOptions,
    Pass,
)
from engines.kit.conformance import Report, check_game
from engines.kit.contract import OptionError, Outcome, Refused
from tests.engines.cockroach_duel.positions import deck, match

DECK = deck(["fly", "fly", "rat", "black"], ["toad", "toad", "bat", "roach"])


def test_conformance() -> None:
    report: Report = check_game(GAME, 40, b"duel")
    assert report.matches == 40
    assert set(report.actions) == {"attack", "block", "pass", "accept", "challenge"}
    assert report.different_worlds > 0.9 * report.worlds > 100


def test_two_seats_only() -> None:
    GAME.check_seats(2)
    for seats in (1, 3):
        with pytest.raises(OptionError):
            GAME.check_seats(seats)


def test_time_out_passes_and_accepts() -> None:
    state, dealer = match(DECK)
    assert GAME.default(state, 0) == Pass()
    apply(state, 0, Attack("fly", ("fly",)), dealer)
    assert GAME.default(state, 1) == Pass()
    apply(state, 1, Block("toad", ("bat",)), dealer)
    assert GAME.default(state, 0) == Accept()


def test_legal_only_for_the_seat_to_act() -> None:
    state, _ = match(DECK)
    assert GAME.legal(state, 1).actions == []
    few = GAME.legal(state, 0, 5)
    assert (len(few.actions), few.more) == (5, True)
    assert not GAME.legal(state, 0).more


def test_outcome_and_hands_of_a_finished_match() -> None:
    state, dealer = match(DECK, options=DuelOptions(target=1))
    apply(state, 0, Attack("rat", ("fly", "fly")), dealer)
    assert GAME.outcome(state) == Outcome(False, [0, 0], [])
    apply(state, 1, Pass(), dealer)
    assert GAME.outcome(state) == Outcome(True, [1, 0], [1, 2])
    assert GAME.hands(state) == [["rat", "black"], ["roach", "toad", "toad", "bat"]]


def test_no_windows() -> None:
    state, dealer = match(DECK)
    assert GAME.offer(state) is None
    with pytest.raises(Refused):
        GAME.claim(state, 1, Challenge())
    with pytest.raises(Refused):
        GAME.settle(state, [], dealer)


def test_explain_names_every_claim_or_the_rule() -> None:
    state, dealer = match(DECK)
    assert GAME.explain(state, 0, ["rat", "fly"]).actions == [
        Attack("fly", ("fly", "rat")),
        Attack("roach", ("fly", "rat")),
        Attack("rat", ("fly", "rat")),
    ]
    apply(state, 0, Attack("rat", ("fly",)), dealer)
    assert GAME.explain(state, 1, ["toad"]).actions == [Block("bat", ("toad",))]
    for seat, pieces, rule in (
        (1, ["rat"], "not_in_hand"),
        (1, [], "no_cards"),
        (0, ["rat"], "not_your_turn"),
    ):
        with pytest.raises(Refused) as caught:
            GAME.explain(state, seat, pieces)
        assert caught.value.rule == rule


def test_explain_under_a_cap() -> None:
    options = DuelOptions(cap_claim=True)
    state, dealer = match(deck(["fly"] * 4, ["toad", "bat", "bat", "bat"]), options=options)
    assert len(GAME.explain(state, 0, ["fly"] * 4).actions) == 2
    apply(state, 0, Attack("rat", ("fly",)), dealer)
    with pytest.raises(Refused) as caught:
        GAME.explain(state, 1, ["toad", "bat", "bat", "bat"])
    assert caught.value.rule == "no_action"
