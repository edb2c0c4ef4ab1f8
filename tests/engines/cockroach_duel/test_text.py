"""Sentences in three languages, from the listener's seat."""

from __future__ import annotations

import pytest

from engines.cockroach_duel import GAME
from engines.cockroach_duel.match import apply
from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Attacked,
    Battle,
    Block,
    Challenge,
    Challenged,
    Pass,
    RoundEnded,
)
from engines.kit.text import Listener
from tests.engines.cockroach_duel.positions import deck, match

NAMES = ("Ann", "Bo")
DECK = deck(["fly", "fly", "rat", "black"], ["toad", "toad", "bat", "roach"])
TEXT = GAME.text


def listener(locale: str, seat: int | None = 0) -> Listener:
    return Listener(locale, NAMES, seat)


def said(event: object, who: Listener) -> str:
    state, _ = match(DECK)
    sentence = TEXT.event(event, who, GAME.view(state, who.seat))
    assert sentence is not None
    return sentence.text


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Bo: attack, rat 2."),
        ("ko", "Bo: 공격, 쥐 2."),
        ("ja", "Bo、攻撃、ネズミ 2。"),
    ],
)
def test_an_attack(locale: str, text: str) -> None:
    assert said(Attacked(1, "rat", 2), listener(locale)) == text


def test_ones_own_attack_names_the_cards() -> None:
    own = said(Attacked(0, "rat", 2, ("fly", "rat")), listener("en"))
    assert own == "You attack, rat 2, with fly, rat."


def test_a_challenge_tells_cards_and_truth() -> None:
    event = Challenged(1, "attack", 0, "rat", ("rat", "fly"), False)
    assert said(event, listener("en")) == (
        "Bo: challenge! Turned up: rat, fly. The claim, rat 2, was a lie."
    )
    event = Challenged(0, "block", 1, "bat", ("bat",), True)
    assert said(event, listener("en")).startswith("You: challenge! Turned up: bat.")


def test_the_black_card_is_told_with_the_battle() -> None:
    told = said(Battle(0, 0, (3, 4), "block"), listener("en"))
    assert told.startswith("No health is taken. Health: you 3, Bo 4.")
    assert told.endswith("black card lay in the block of Bo.")


def test_the_end_of_a_round_gives_reason_and_score() -> None:
    event = RoundEnded(1, "hp0", (0, 7), (1, 2))
    assert said(event, listener("en", None)) == (
        "Round to Bo: no health left on the other side. Victory tokens: Ann 1, Bo 2."
    )


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ([], "Your turn: attack or pass."),
        ([Attack("rat", ("fly",))], "Your turn against rat 1: block with bat, challenge or pass."),
        (
            [Attack("fly", ("fly", "rat")), Block("toad", ("bat",))],
            "Your turn: accept or challenge the block, toad 1.",
        ),
        ([Pass()], "Your turn: attack or pass. A second pass in a row ends the round."),
    ],
)
def test_requests(actions: list[Attack | Block | Pass], text: str) -> None:
    state, dealer = match(DECK)
    for action in actions:
        turn = GAME.turn(state)
        assert turn is not None
        apply(state, turn, action, dealer)
    turn = GAME.turn(state)
    sentence = TEXT.request("turn", None, GAME.view(state, turn), listener("en", turn))
    assert sentence is not None
    assert (sentence.text, sentence.priority) == (text, "high")


def test_there_are_no_claims_to_ask_for() -> None:
    state, _ = match(DECK)
    assert TEXT.request("claim", True, GAME.view(state, 0), listener("en")) is None


def test_answers_from_the_view() -> None:
    state, dealer = match(DECK)
    apply(state, 0, Attack("fly", ("fly", "rat")), dealer)
    apply(state, 1, Block("toad", ("bat",)), dealer)
    answers = {
        what: TEXT.ask(what, GAME.view(state, 0), listener("en"))
        for what in ("hand", "table", "turn", "counts", "last", "score")
    }
    assert answers == {
        "hand": "Your hand, 2: fly, black card.",
        "table": "Attack of you: fly 2. Your cards in it: fly, rat. Block of Bo: toad 1. "
        "Health: you 3, Bo 4. Pile: 12. Face down from earlier battles: 0.",
        "turn": "To accept or challenge the block: you.",
        "counts": "Cards in hand: you 2, Bo 3. Pile: 12.",
        "last": "Bo: block, toad 1.",
        "score": "Round 1. Victory tokens: you 0, Bo 0. The match goes to 3.",
    }
    with pytest.raises(KeyError):
        TEXT.ask("clock", GAME.view(state, 0), listener("en"))


def test_answers_without_a_hand() -> None:
    state, _ = match(DECK)
    assert TEXT.ask("hand", GAME.view(state, None), listener("en", None)) == (
        "You are watching and have no hand."
    )
    state.round.hands[0] = []
    assert TEXT.ask("hand", GAME.view(state, 0), listener("ko")) == "손패가 없습니다."


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Attack("rat", ("fly", "rat")), "attack, rat 2: fly, rat"),
        (Block("bat", ("toad",)), "block, bat 1: toad"),
        (Pass(), "pass"),
        (Accept(), "accept the block"),
        (Challenge(), "challenge"),
    ],
)
def test_actions_in_words(action: object, text: str) -> None:
    assert TEXT.action(action, "en") == text


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Against rat block with bat, not with toad."),
        ("ko", "상대 공격 쥐: 박쥐 방어만 가능합니다. 선언: 두꺼비."),
        ("ja", "ネズミを防げるのはコウモリです。ヒキガエルでは防げません。"),
    ],
)
def test_refusals_name_the_rule(locale: str, text: str) -> None:
    params = {"claim": "toad", "attack": "rat", "blocker": "bat"}
    assert TEXT.refusal("wrong_blocker", params, locale) == text


@pytest.mark.parametrize("locale", ["en", "ko", "ja"])
def test_everything_can_be_typed(locale: str) -> None:
    typed = set(TEXT.words[locale].values())
    topics = {"hand", "table", "turn", "counts", "last", "clock", "legal", "score"}
    actions = {"attack", "block", "pass", "accept", "challenge"}
    assert typed == topics | actions | set(GAME.pieces(GAME.options()))
