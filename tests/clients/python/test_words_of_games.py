"""Typed lines at every registered game: what is legal can be typed, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engines.kit.dealer import Dealer
from engines.kit.playout import random_step, take
from engines.kit.registry import load
from engines.kit.stream import Stream
from engines.kit.text import LOCALES
from hanpan.requests import pieces
from hanpan.words import TOPICS, Words, flat, matching

GAMES = load()
STEPS = 120


def turns(name: str) -> Iterator[tuple[list[dict[str, Any]], list[str]]]:
    """Legal actions and the hand of the seat to act, along one random playout."""
    game = GAMES[name]
    dealer = Dealer(key=b"w" * 32)
    state, _ = game.start(game.options(), min(4, game.max_seats), dealer)
    stream = Stream(b"x" * 32, "words")
    for _ in range(STEPS):
        seat = game.turn(state)
        if seat is not None and game.offer(state) is None:
            legal = msgspec.json.decode(msgspec.json.encode(game.legal(state, seat).actions))
            yield legal, game.view(state, seat).hand
        if game.outcome(state).finished:
            return
        take(game, state, dealer, random_step(game, state, stream))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_legal_action_can_be_typed_as_its_values(name: str, locale: str) -> None:
    words = Words(GAMES[name].text.words, locale)
    seen = 0
    for legal, hand in turns(name):
        for action in legal:
            tokens = words.tokens(" ".join(flat(action)).upper(), legal, hand)
            assert tokens == flat(action)
            # A lowest number that is a tile's name as well is read as a tile; the reading that the rules
            # take by themselves, the highest, needs none.
            if action.get("low") is None:
                assert matching(tokens, legal) == [action]
            seen += 1
    assert seen > 50


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"cockroach_duel"}))
def test_pieces_alone_name_an_action_or_its_readings(name: str) -> None:
    words = Words(GAMES[name].text.words, "ko")
    for legal, hand in turns(name):
        for action in legal:
            laid = pieces(action)
            if not laid:
                continue
            found = matching(words.tokens(" ".join(reversed(laid)), legal, hand), legal)
            assert found
            assert all(sorted(pieces(other)) == sorted(laid) for other in found), (laid, found)
            assert action in found or action.get("low") is not None


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_topic_has_a_word_of_the_language(name: str, locale: str) -> None:
    words = Words(GAMES[name].text.words, locale)
    for topic in TOPICS:
        assert topic in words.tokens(topic)
    own = GAMES[name].text.words[locale]
    assert {token for token in own.values() if token in TOPICS} >= {"hand", "table", "turn"}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_word_has_a_space_too_many_or_two_meanings_when_typed(name: str, locale: str) -> None:
    words = Words(GAMES[name].text.words, locale)
    for word, token in GAMES[name].text.words[locale].items():
        assert words.tokens(f"  {word.upper()} ") == [token]
