"""Tests of server/text/answers.py: refusals, what is asked of a seat, `clock` and `legal`."""

from __future__ import annotations

from typing import Any

import pytest

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DECLINE, DISCARDS, RON
from engines.kit.dealer import Dealer
from engines.kit.text import LOCALES, Listener
from server.core.frames import ClockPart, RequestPart
from server.core.refusals import Denied
from server.text import clock_answer, code_sentence, legal_answer, refusal, request_sentence

ME = Listener("en", ("Ann", "Bo"), 0)
STATE, _ = GAME.start(GAME.options(), 2, Dealer(b"k" * 32, first=0))
VIEW = GAME.view(STATE, 0)


def turn(**given: Any) -> RequestPart:
    return RequestPart("r1", "turn", [DISCARDS["1"], DISCARDS["2"]], DISCARDS["1"], **given)


def claim(can: int) -> RequestPart:
    return RequestPart("r2", "claim", [RON, DECLINE], DECLINE, window="w1", can=can)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_refusal_names_the_rule_of_the_game_or_of_the_table(locale: str) -> None:
    game = refusal(Denied("illegal_action", "one_tile", game=True), GAME, locale)
    table = refusal(Denied("stale_request", "answered"), GAME, locale)
    by_code = refusal(Denied("stale_request"), GAME, locale)
    odd = refusal(Denied("stale_request", "nothing_like_this"), GAME, locale)
    assert len({game, table, by_code}) == 3
    assert odd == by_code == code_sentence("stale_request", locale)


def test_a_refusal_fills_in_what_it_is_about() -> None:
    denied = Denied("illegal_action", "not_in_hand", game=True, tile="3r")
    assert refusal(denied, GAME, "en") == "You have no red 3 in hand."
    denied = Denied("bad_message", "bad_action", detail="Expected `str`")
    assert "Expected `str`" in refusal(denied, None, "ko")


def test_a_request_is_said_unless_there_is_nothing_to_decide() -> None:
    said = request_sentence(turn(), VIEW, ME, GAME)
    assert said is not None
    assert said.priority == "high"
    assert request_sentence(turn(held=DISCARDS["1"]), VIEW, ME, GAME) is None
    assert request_sentence(claim(0), VIEW, ME, GAME) is None


def test_a_claim_that_the_game_says_nothing_of_is_said_by_the_table() -> None:
    # The view has no discard to claim, so the game is silent.
    said = request_sentence(claim(1), VIEW, ME, GAME)
    assert said is not None
    assert (said.text, said.priority) == ("You can claim: ron.", "high")


def test_the_clock_is_told_with_its_reserve() -> None:
    assert clock_answer(ClockPart(0, 20_000, 60_000), ME) == (
        "You have 20 seconds, and 1 min 0 s in reserve."
    )
    waits = clock_answer(ClockPart(1, 20_000, 0, running=False), ME)
    assert waits.startswith("Bo: 20 seconds")
    assert "window" in waits
    assert clock_answer(None, ME) == "No clock is running."


def test_what_is_legal_is_told_for_each_open_request() -> None:
    assert legal_answer([], GAME, "en") == "Nothing is asked of you."
    assert legal_answer([turn()], GAME, "en") == "You can: discard 1, discard 2."
    assert legal_answer([turn(more=True)], GAME, "en").endswith("and more.")
    assert legal_answer([claim(1)], GAME, "ko") == "선언할 수 있습니다: 론."
    both = legal_answer([turn(), claim(0)], GAME, "en")
    assert both.endswith("You hold nothing to claim here.")
