"""Tests of server/text/events.py: every event of the table is said, from the listener's seat."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from engines.chamsaejak import GAME as CHAMSAEJAK
from engines.chamsaejak.messages import Exhausted
from engines.kit.text import LOCALES, Listener, Sentence
from server.core import events as ev
from server.text import event_sentence

NAMES = ("민지", "Ann", "さくら")

EVENTS: list[ev.TableEvent] = [
    ev.WindowOpened("w1", ("ron",), 0, 2000, 300, "deadline"),
    ev.WindowOpened("w1", ("mine",), 0, 3000, 300, "next_action"),
    ev.WindowClosed("w1", []),
    ev.WindowClosed(
        "w1",
        [
            ev.PublishedClaim(0, "ron", 830, "won"),
            ev.PublishedClaim(1, "ron", 1000, "lost"),
            ev.PublishedClaim(2, "ron", 0, "false"),
        ],
    ),
    ev.TurnDropped("r1", None),
    ev.ClaimDropped("r1", None),
    ev.TimedOut(0),
    ev.ClockLow(5000),
    ev.Seated(0, "민지"),
    ev.Seated(1, "Ann", True),
    ev.Stood(0, "민지"),
    ev.IsReady(0, True),
    ev.IsReady(0, False),
    ev.Away(0, "bot", 60_000),
    ev.Away(0, "forfeit", 60_000),
    ev.Away(0, "stand", 60_000),
    ev.PolicyApplied(0, "bot"),
    ev.PolicyApplied(0, "forfeit"),
    ev.Back(0),
    ev.Left(0),
    ev.MatchStarted("m", 1),
    ev.MatchStarted("m", 2),
    ev.MatchEnded("m", "m", [3, 5, 3], [2, 1, 2]),
    ev.MatchEnded("m", "m", [3, 5, 9], [2, 1, 3], [2]),
    ev.MatchVoided("m", "engine"),
    ev.MatchVoided("m", "version"),
    ev.RematchAsked(0),
    ev.Delayed(1200),
    ev.Delayed(6000, True),
]


def said(event: Any, locale: str = "en", seat: int | None = None) -> Sentence:
    sentence = event_sentence(event, Listener(locale, NAMES, seat), CHAMSAEJAK)
    assert sentence is not None
    return sentence


def test_the_list_of_events_is_complete() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(ev.TABLE_EVENTS))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("event", EVENTS, ids=lambda e: type(e).__name__)
def test_every_event_is_said_in_every_language_to_every_listener(
    event: ev.TableEvent, locale: str
) -> None:
    for seat in (0, 1, None):
        sentence = said(event, locale, seat)
        assert sentence.text.strip()
        assert "{" not in sentence.text
        assert sentence.about == msgspec.to_builtins(event)["type"]


@pytest.mark.parametrize("locale", LOCALES)
def test_one_is_told_of_oneself_without_the_own_name(locale: str) -> None:
    for event in EVENTS:
        if getattr(event, "seat", None) == 0:
            assert NAMES[0] in said(event, locale, seat=1).text
            assert NAMES[0] in said(event, locale, seat=None).text
            assert NAMES[0] not in said(event, locale, seat=0).text


def test_what_cannot_wait_has_high_priority() -> None:
    high = {type(e) for e in EVENTS if said(e).priority == "high"}
    assert high == {ev.TurnDropped, ev.ClaimDropped, ev.ClockLow, ev.MatchVoided}
    assert said(ev.WindowClosed("w", [])).priority == "low"


def test_the_claims_of_a_window_are_told_with_their_fate() -> None:
    closed = EVENTS[3]
    assert said(closed, seat=1).text == (
        "Claims: 민지, ron after 0.8 seconds, you, ron after 1 second, beaten by a better claim, "
        "さくら, false ron after 0 seconds."
    )
    assert said(closed, "ko").text.startswith("선언 결과: 민지, 론, 0.8초 만에, Ann, 론, 1초 만에")


def test_places_are_told_from_the_first_on_and_who_forfeited() -> None:
    assert said(ev.MatchEnded("m", "m", [3, 5, 9], [2, 1, 3], [2]), seat=0).text == (
        "The match has ended. Place 1: Ann, 5, Place 2: you, 3, Place 3: さくら, 9. "
        "Forfeited: さくら."
    )


def test_a_window_is_named_in_the_words_of_the_game() -> None:
    window = ev.WindowOpened("w1", ("ron",), 0, 2000, 300, "deadline")
    assert said(window, "ko").text == "2초 동안 선언 가능: 론."
    listener = Listener("ko", NAMES)
    plain = event_sentence(window, listener)
    assert plain is not None
    assert plain.text == "2초 동안 선언 가능: ron."


def test_a_stall_that_nobody_notices_is_not_spoken() -> None:
    listener = Listener("en", NAMES)
    assert event_sentence(ev.Delayed(999), listener) is None
    assert event_sentence(ev.Delayed(999, resumed=True), listener) is not None


def test_an_event_of_the_game_is_not_the_tables() -> None:
    assert event_sentence(Exhausted(), Listener("en", NAMES), CHAMSAEJAK) is None
