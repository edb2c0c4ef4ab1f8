"""The game outside `engines/` meets the same contract as those inside."""

from __future__ import annotations

import pytest

from engines.kit.conformance import check_game
from engines.kit.contract import Decline, Refused
from engines.kit.dealer import Dealer
from engines.kit.golden import difference, files
from engines.kit.registry import GameError, load
from tests.games.echo import GAME
from tests.games.echo.game import Match
from tests.games.echo.messages import EchoCard, Play

PACKAGE = "tests.games.echo"


def _begin(hands: str, first: int = 0) -> tuple[Match, Dealer]:
    deck = hands.split()
    rest = list("123412341234")
    for card in deck:
        rest.remove(card)
    dealer = Dealer(bytes(32), decks=[deck + rest], first=first)
    state, _ = GAME.start(GAME.options(), len(deck) // 3, dealer)
    return state, dealer


def test_naming_the_package_is_all_it_takes() -> None:
    assert GAME.name not in load()
    assert load([PACKAGE])[GAME.name] is GAME


def test_two_games_of_one_name_are_refused() -> None:
    with pytest.raises(GameError, match="echo"):
        load([PACKAGE, PACKAGE])


def test_conformance() -> None:
    report = check_game(GAME, playouts=150)
    assert set(report.actions) == {"play", "echo"}
    assert set(report.events) == {"dealt", "played", "echoed", "turn", "finished"}
    assert report.different_worlds > 100


def test_golden_games_replay_to_the_letter() -> None:
    assert files(GAME)
    for path in files(GAME):
        assert difference(GAME, path) == ""


def test_an_echo_scores_and_passes_the_turn_on() -> None:
    state, dealer = _begin("1 1 2 1 2 3 3 4 4")
    GAME.apply(state, 0, Play(card="1"), dealer)
    assert [GAME.can(state, seat) for seat in range(3)] == [False, True, False]
    events = GAME.settle(state, [(1, EchoCard(card="1"))], dealer)
    assert [str(type(e).__struct_config__.tag) for e in events] == ["echoed", "turn"]
    assert GAME.turn(state) == 2
    assert GAME.outcome(state).scores == [0, 1, 0]


def test_the_match_ends_with_an_empty_hand() -> None:
    state, dealer = _begin("1 1 2 2 3 3", first=1)
    while not state.finished:
        seat = GAME.turn(state)
        assert seat is not None
        GAME.apply(state, seat, GAME.default(state, seat), dealer)
        GAME.settle(state, [], dealer)
    assert GAME.hands(state) == [["2"], []]
    assert GAME.outcome(state).places == [1, 1]


def test_what_cannot_be_echoed() -> None:
    state, dealer = _begin("1 1 2 1 2 3 3 4 4")
    with pytest.raises(Refused, match="no_window"):
        GAME.claim(state, 1, EchoCard(card="1"))
    GAME.apply(state, 0, Play(card="1"), dealer)
    for seat, action, rule in (
        (0, EchoCard(card="1"), "no_echo"),
        (1, EchoCard(card="2"), "no_echo"),
        (2, EchoCard(card="1"), "not_in_hand"),
        (1, Decline(), "no_window"),
    ):
        with pytest.raises(Refused, match=rule):
            GAME.claim(state, seat, action)
