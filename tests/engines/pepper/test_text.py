"""Sentences in three languages, from the listener's seat."""

from __future__ import annotations

import pytest

from engines.kit.text import Listener
from engines.pepper import GAME
from engines.pepper.messages import (
    AuctionWon,
    BidMade,
    HandScored,
    MakeBid,
    MatchEnded,
    NameTrump,
    Pass,
    PepperOptions,
    Play,
    Played,
    ThrownIn,
    TrickWon,
    TrumpNamed,
)
from engines.pepper.state import PepperState
from tests.engines.pepper.positions import act, deck, match

NAMES = ("Ann", "Bo", "Cleo", "Dan")
DECK = deck(
    ["9C", "10C", "JD", "QD", "9H", "10S"],
    ["JC", "QC", "9D", "10D", "JH", "AS"],
    ["KC", "AC", "KD", "AD", "KH", "KS"],
)
TEXT = GAME.text


def said(state: PepperState, event: object, locale: str = "en", seat: int | None = 0) -> str:
    who = Listener(locale, NAMES[: state.seats], seat)
    sentence = TEXT.event(event, who, GAME.view(state, seat))
    assert sentence is not None
    return sentence.text


def asked(state: PepperState, what: str, seat: int | None = 0, locale: str = "en") -> str:
    return TEXT.ask(what, GAME.view(state, seat), Listener(locale, NAMES[: state.seats], seat))


@pytest.mark.parametrize(
    ("event", "english", "korean", "japanese"),
    [
        (BidMade(1, 3, 2), "Bo: 3.", "Bo: 3.", "Bo、3。"),
        (
            AuctionWon(0, "small"),
            "Declarer: you, with small pepper.",
            "선언자: 나, 스몰 페퍼.",
            "宣言者はあなた、スモールペッパー。",
        ),
        (TrumpNamed(1, None), "Bo: no trump.", "Bo: 노 트럼프.", "Bo、ノートランプ。"),
        (
            TrumpNamed(0, "H"),
            "You: trump is hearts.",
            "나: 트럼프 하트.",
            "あなた、切り札はハート。",
        ),
        (
            TrickWon(2, "AC", (1, 0, 2, 1)),
            "Trick to Cleo, with the ace of clubs. Tricks: you and Cleo 3, Bo and Dan 1.",
            "트릭 승자: Cleo, 클로버 에이스. 트릭: 나 그리고 Cleo 3, Bo 그리고 Dan 1.",
            "トリックはCleo、クラブのエース。トリック数はあなたとCleo 3、BoとDan 1。",
        ),
        (
            HandScored(1, 4, False, 3, (3, -6, 3, -6), (9, 2, 9, 2)),
            "Contract 4 of Bo failed, tricks 3. Points: you and Cleo 3, Bo and Dan -6. "
            "Score: you and Cleo 9, Bo and Dan 2.",
            "계약 실패: Bo, 4, 트릭 3개. 이번 점수: 나 그리고 Cleo 3, Bo 그리고 Dan -6. "
            "총점: 나 그리고 Cleo 9, Bo 그리고 Dan 2.",
            "Boの4は失敗、3トリック。今回の得点はあなたとCleo 3、BoとDan -6。"
            "合計はあなたとCleo 9、BoとDan 2。",
        ),
        (
            ThrownIn(),
            "Everybody has passed, the hand is thrown in.",
            "모두 패스했습니다. 이번 판은 무효입니다.",
            "全員がパスしました。このハンドは流れます。",
        ),
    ],
)
def test_events(event: object, english: str, korean: str, japanese: str) -> None:
    state, _ = match(DECK)
    assert said(state, event, "en") == english
    assert said(state, event, "ko") == korean
    assert said(state, event, "ja") == japanese


def test_bowers_are_named() -> None:
    state, dealer = match(DECK)
    act(state, dealer, "big", "H")
    assert said(state, Played(0, "JD")) == "You: jack of diamonds, the left bower."
    assert said(state, Played(1, "JH")) == "Bo: jack of hearts, the right bower."
    assert said(state, Played(1, "JC")) == "Bo: jack of clubs."


def test_the_end_names_all_winners() -> None:
    state, _ = match(DECK, seats=3)
    told = said(state, MatchEnded((0, 2), (31, 12, 31)), seat=None)
    assert told == "The match is over. Winner: Ann, Cleo. Score: Ann 31, Bo 12, Cleo 31."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "Your turn: bid or pass."),
        ([2], "Your turn: bid more than 2, or pass."),
        (["small"], "Your turn: bid more than small pepper, or pass."),
        (["big"], "Your turn: name a trump suit or no trump."),
        (["big", "H"], "Your turn: lead a card."),
        (["big", "D", "JH"], "Your turn: diamonds led."),
    ],
)
def test_requests(words: list[int | str], text: str) -> None:
    state, dealer = match(DECK)
    act(state, dealer, *words)
    turn = GAME.turn(state)
    sentence = TEXT.request("turn", None, GAME.view(state, turn), Listener("en", NAMES, turn))
    assert sentence is not None
    assert (sentence.text, sentence.priority) == (text, "high")


def test_a_stuck_dealer_is_told() -> None:
    state, dealer = match(DECK, options=PepperOptions(all_pass="stick_dealer"))
    act(state, dealer, "pass", "pass", "pass")
    sentence = TEXT.request("turn", None, GAME.view(state, 0), Listener("en", NAMES, 0))
    assert sentence is not None
    assert sentence.text.endswith("you must bid.")


def test_there_are_no_claims_to_ask_for() -> None:
    state, _ = match(DECK)
    assert TEXT.request("claim", True, GAME.view(state, 1), Listener("en", NAMES, 1)) is None


def test_answers_in_the_auction() -> None:
    state, dealer = match(DECK)
    assert asked(state, "table") == "Dealer: you. No calls yet."
    assert asked(state, "hand").startswith("Your hand, 6: 9 of clubs, 10 of clubs, ")
    act(state, dealer, 2, "pass")
    assert asked(state, "table") == "Dealer: you. Calls: Bo 2, Cleo pass."
    assert asked(state, "last") == "Cleo: pass."
    assert asked(state, "turn") == "To bid: Dan."


def test_answers_in_play() -> None:
    state, dealer = match(DECK)
    act(state, dealer, "big", "D", "JH")
    assert asked(state, "table", 2) == (
        "Dealer: Ann. Declarer: Bo, with big pepper. Trump: diamonds. "
        "On the table: Bo jack of hearts. Tricks: Ann and you 0, Bo and Dan 0."
    )
    assert asked(state, "hand", 0).endswith(
        "Trumps among them: jack of diamonds, queen of diamonds."
    )
    assert asked(state, "counts", 2) == "Cards in hand: Ann 6, Bo 5, you 6, Dan 6."
    assert asked(state, "score", None) == (
        "Hand 1. Score: Ann and Cleo 0, Bo and Dan 0. The match goes to 30."
    )
    act(state, dealer, "KD", "AH", "JD")
    assert asked(state, "table", 2).endswith(
        "No card is on the table. The last trick: Bo jack of hearts, you king of diamonds, "
        "Dan ace of hearts, Ann jack of diamonds. Tricks: Ann and you 1, Bo and Dan 0."
    )
    with pytest.raises(KeyError):
        asked(state, "clock")


def test_answers_without_a_hand() -> None:
    state, _ = match(DECK)
    assert asked(state, "hand", None) == "You are watching and have no hand."
    state.hand.hands[0] = []
    assert asked(state, "hand", 0, "ja") == "手札はありません。"


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (MakeBid("big"), "bid big pepper"),
        (Pass(), "pass"),
        (NameTrump("S"), "trump spades"),
        (NameTrump(None), "no trump"),
        (Play("10H"), "play the 10 of hearts"),
    ],
)
def test_actions_in_words(action: object, text: str) -> None:
    assert TEXT.action(action, "en") == text


@pytest.mark.parametrize(
    ("rule", "params", "text"),
    [
        (
            "follow_suit",
            {"card": "9C", "suit": "H"},
            "You must follow suit: hearts.",
        ),
        ("not_in_hand", {"card": "JD"}, "You do not hold the jack of diamonds."),
        (
            "not_higher",
            {"bid": 2, "best": "small"},
            "A bid must be higher than the last one, small pepper.",
        ),
        (
            "no_such_bid",
            {"bid": 9, "most": 5},
            "There is no bid of 9; bids go from 1 to 5, then small and big pepper.",
        ),
    ],
)
def test_refusals_name_the_rule(rule: str, params: dict[str, object], text: str) -> None:
    assert TEXT.refusal(rule, params, "en") == text


@pytest.mark.parametrize("locale", ["en", "ko", "ja"])
def test_everything_can_be_typed(locale: str) -> None:
    typed = set(TEXT.words[locale].values())
    topics = {"hand", "table", "turn", "counts", "last", "clock", "legal", "score"}
    values = {"bid", "pass", "trump", "play", "small", "big", "null", *"CDHS"}
    assert typed == topics | values | set(GAME.pieces(GAME.options()))
