"""The bots answer honestly, and the steady one is worth its name.

HANPAN_BOT_MATCHES: how many matches the strength test plays (default 24; 400 for a figure to quote).
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from engines.chamsaejak import GAME, bot
from engines.chamsaejak.messages import DECLINE, DISCARDS, RON, TSUMO
from engines.chamsaejak.state import Match
from engines.kit.botplay import bot_step
from engines.kit.contract import Action, Ask
from engines.kit.dealer import Dealer
from engines.kit.playout import take
from engines.kit.stream import Stream
from tests.engines.chamsaejak.situations import begin, discard

MATCHES = int(os.environ.get("HANPAN_BOT_MATCHES", "24"))
HANDS = ["5 5 5 7 7", "4 6 8 8 8", "2 2 9 9 C"]


def _turn(state: Match) -> Ask:
    seat = GAME.turn(state)
    assert seat is not None
    return Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))


def _claim(state: Match, seat: int) -> Ask:
    offer = GAME.offer(state)
    assert offer is not None
    return Ask("claim", list(offer.legal), DECLINE, can=GAME.can(state, seat))


def _answers(level: str, state: Match, seat: int, ask: Ask, times: int = 60) -> Counter[Action]:
    stream = Stream(b"bots", level)
    view = GAME.view(state, seat)
    return Counter(GAME.bots[level](view, ask, stream) for _ in range(times))


def test_random_takes_any_legal_action() -> None:
    state, _ = begin(HANDS, "C", "7")
    assert set(_answers("random", state, 0, _turn(state))) == {TSUMO, DISCARDS["5"], DISCARDS["7"]}


@pytest.mark.parametrize("level", ["random", "steady"])
def test_no_bot_declares_a_false_win(level: str) -> None:
    state, dealer = begin(HANDS, "C", "9", false_win="penalty")
    assert TSUMO in GAME.legal(state, 0).actions
    assert TSUMO not in _answers(level, state, 0, _turn(state))
    discard(state, dealer, "9")
    assert set(_answers(level, state, 1, _claim(state, 1))) == {DECLINE}


def test_steady_wins_when_it_can() -> None:
    state, dealer = begin(HANDS, "C", "7")
    assert set(_answers("steady", state, 0, _turn(state))) == {TSUMO}
    state, dealer = begin(HANDS, "C", "5r")
    discard(state, dealer, "5r")
    assert set(_answers("steady", state, 1, _claim(state, 1))) == {RON}


def test_steady_keeps_what_belongs_together() -> None:
    state, _ = begin(["5 5 5 7 7", "1 2 3 F F"], "8", "F")
    assert set(_answers("steady", state, 0, _turn(state))) == {DISCARDS["F"]}


def test_steady_keeps_the_red_copy() -> None:
    state, _ = begin(["5 5 7 7 9", "1 2 3 F F"], "8", "9r")
    assert DISCARDS["9r"] not in _answers("steady", state, 0, _turn(state))


def test_steady_takes_the_default_where_nothing_else_is_offered() -> None:
    state, _ = begin(HANDS, "C", "7")
    ask = Ask("turn", [], DISCARDS["7"])
    assert bot.steady(GAME.view(state, 0), ask, Stream(b"key", "bot")) == DISCARDS["7"]


def _places(number: int) -> tuple[int, list[int]]:
    """The seat of the steady bot among three random ones, and the places of their match."""
    key = b"strength" + number.to_bytes(4, "big")
    seat = number % 4
    bots = [GAME.bots["steady" if s == seat else "random"] for s in range(4)]
    streams = [Stream(key, f"bot:{s}") for s in range(4)]
    dealer = Dealer(key)
    state, _ = GAME.start(GAME.options(), 4, dealer)
    while not state.finished:
        take(GAME, state, dealer, bot_step(GAME, state, bots, streams))
    return seat, GAME.outcome(state).places


def test_steady_takes_first_places_from_three_random_ones() -> None:
    first = 0.0
    for number in range(MATCHES):
        seat, places = _places(number)
        if places[seat] == 1:
            first += 1 / places.count(1)
    assert first / MATCHES >= 0.45
