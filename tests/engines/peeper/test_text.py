from __future__ import annotations

import re

import pytest

from engines.kit.contract import Action, Event
from engines.kit.dealer import Dealer
from engines.kit.text import LOCALES, Listener
from engines.peeper import GAME
from engines.peeper.messages import (
    CountAnnounced,
    Events,
    Flip,
    Mine,
    Mined,
    Pass,
    Passed,
    Play,
    Played,
    Return,
    Returned,
    RoundEnded,
    StarterFound,
    TrickWon,
)
from engines.peeper.text import en, ja, ko
from tests.engines.peeper.tables import table, tiles

NAMES = ("민지", "철수", "Bo")


def said(event: Event, locale: str = "ko", seat: int | None = None, announce_at: int = 5) -> str:
    view = GAME.view(table(["5 9", "6 7", "8 8"], announce_at=announce_at), seat)
    assert isinstance(event, Events)
    sentence = GAME.text.event(event, Listener(locale, NAMES, seat), view)
    assert sentence is not None
    return sentence.text


# -- calls ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "kind", "low", "left", "call"),
    [
        ("5", "single", 5, 4, "민지: 5 싱글. 4개 남음."),
        ("X", "single", 16, 9, "민지: X 싱글."),
        ("5 5", "pair", 5, 5, "민지: 5 페어. 5개 남음."),
        ("5 X", "pair", 5, 6, "민지: 5 페어, X 포함."),
        ("3 4 5", "straight", 3, 6, "민지: 3부터 5까지 스트레이트."),
        ("3 X 5", "straight", 3, 6, "민지: 3부터 5까지 스트레이트, X 자리 4."),
        ("14 15 X", "straight", 14, 6, "민지: 14부터 16까지 스트레이트, X 자리 16."),
        ("7 7 7", "bomb1", 7, 6, "민지: 7 밤원."),
        ("X X X X", "bomb2", 16, 0, "민지: X 밤투. 패를 다 털었습니다!"),
    ],
)
def test_a_play_is_called_with_number_combination_and_what_is_left(
    text: str, kind: str, low: int, left: int, call: str
) -> None:
    event = Played(0, tiles(text), kind, low, left)  # type: ignore[arg-type]  # a parametrised kind
    assert said(event) == call


def test_a_pair_straight_names_what_each_x_stands_for() -> None:
    event = Played(1, tiles("6 6 7 7 8 X 9 9"), "pair_straight", 6, None)
    assert said(event, "en") == "철수: 6 to 9 pair straight, X for 8."
    event = Played(1, tiles("6 6 7 7 X X"), "pair_straight", 6, None)
    assert said(event, "ja") == "철수: 6から8のペアストレート、Xは8、8。"


def test_counts_above_the_threshold_are_not_called() -> None:
    event = Played(0, ["5"], "single", 5, 5)
    assert said(event, announce_at=4) == "민지: 5 싱글."
    assert said(event, announce_at=5) == "민지: 5 싱글. 5개 남음."


def test_the_listener_hears_himself_as_you() -> None:
    assert said(Passed(1), "en", seat=1) == "You: pass."
    assert said(TrickWon(1), "en", seat=1) == "All others passed. You lead."
    assert said(TrickWon(1), "en", seat=0) == "All others passed. 철수 leads."
    assert said(CountAnnounced(1, 3), "ja", seat=1) == "あなた: 残り3枚。"


def test_mine_and_return_are_called() -> None:
    assert said(Mined(2, tiles("1r 1"), 3), "en") == "Bo: Mine! red 1, 1. 3 left."
    assert said(Mined(2, tiles("7 7"), 8)) == "Bo: 마인! 7, 7."
    assert said(Returned(2, ["7"], 0), "ja") == "Bo: リターン! 7。あがり!"


@pytest.mark.parametrize(
    ("found", "call"),
    [
        (StarterFound(0, "red_one"), "민지 holds the red 1 and starts."),
        (
            StarterFound(0, "only_one"),
            "The red 1 is not dealt. 민지 alone holds a 1 and starts.",
        ),
        (
            StarterFound(1, "flips", [Flip(0, "5"), Flip(1, "X")]),
            "Tiles flipped for the start: 민지 5, You X. You start.",
        ),
        (
            StarterFound(0, "lots", [Flip(0, "5"), Flip(1, "5")], [0, 1]),
            "Tiles flipped for the start: 민지 5, You 5. Lots among 민지, You: 민지 starts.",
        ),
        (StarterFound(1, "lots", [], [0, 1]), "Lots for the start among 민지, You. You start."),
    ],
)
def test_how_the_starter_was_found_is_told(found: StarterFound, call: str) -> None:
    assert said(found, "en", seat=1) == call


def test_the_end_of_a_round_is_told_by_place() -> None:
    event = RoundEnded(1, 2, [2, 3, 1], [2, 1, 3], [2, 4, 0], [2, 1, 3], sums=[9, 30, 0])
    assert said(event, "en") == (
        "Bo wins round 1. Bo: place 1, 0 left with sum 0, points 3; "
        "민지: place 2, 2 left with sum 9, points 2; 철수: place 3, 4 left with sum 30, points 1."
    )


def test_korean_has_no_particle_after_a_name() -> None:
    particles = re.compile(r"\{(who|seats|flips|results)\}[가-힣]")
    assert [key for key, text in ko.SENTENCES.items() if particles.search(text)] == []


def test_sentences_are_in_their_own_script() -> None:
    same = {"piece", "list", "did", "call", "call.run", "flip", "ask.count.hidden"}
    for key, text in en.SENTENCES.items():
        if re.sub(r"\{\w+\}", "", text).strip(" .,:"):
            assert ko.SENTENCES[key] != text, key
            assert ja.SENTENCES[key] != text, key
        else:
            assert key in same | {"call.wild"} | set(en.SENTENCES), key


# -- requests ------------------------------------------------------------------------------------------
def test_whose_turn_it_is_is_urgent_and_says_what_to_beat() -> None:
    state = table(["5 9", "6 7", "5 5"])
    text, listener = GAME.text, Listener("en", NAMES, 1)
    lead = text.request("turn", None, GAME.view(state, 0), Listener("en", NAMES, 0))
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    follow = text.request("turn", None, GAME.view(state, 1), listener)
    assert lead is not None
    assert (lead.text, lead.priority) == ("Your turn. Lead anything.", "high")
    assert follow is not None
    assert follow.text == "Your turn. To beat: 5 single."


def test_a_window_is_told_to_those_who_can_answer_it() -> None:
    state = table(["1r 9", "6 7", "1 1 5"])
    GAME.apply(state, 0, Play(["1r"]), Dealer(b"k"))
    view = GAME.view(state, 2)
    told = GAME.text.request("claim", True, view, Listener("ko", NAMES, 2))
    assert told is not None
    assert (told.text, told.priority) == ("1 마인을 할 수 있습니다.", "high")
    assert GAME.text.request("claim", False, view, Listener("ko", NAMES, 2)) is None
    GAME.settle(state, [(2, Mine(["1", "1"]))], Dealer(b"k"))
    told = GAME.text.request("claim", True, GAME.view(state, 0), Listener("en", NAMES, 0))
    assert told is not None
    assert told.text == "You can return 1."


# -- answers -------------------------------------------------------------------------------------------
def test_whatever_is_visible_can_be_asked_for() -> None:
    state = table(["1r 9", "6 7", "8 8 8"], show_counts="low", announce_at=2, rounds=2)
    listener = Listener("en", NAMES, 0)

    def asked(what: str) -> str:
        return GAME.text.ask(what, GAME.view(state, 0), listener)

    assert asked("hand") == "Your 2 tiles: red 1, 9."
    assert asked("table") == "Nothing to beat. You lead."
    assert asked("turn") == "It is your turn."
    assert asked("counts") == "Tiles left: You 2, 철수 not announced, Bo not announced."
    assert asked("last") == "Nothing has been played in this round."
    assert asked("score") == "Round 1 of 2. Points: You 0, 철수 0, Bo 0."
    GAME.apply(state, 0, Play(["1r"]), Dealer(b"k"))
    assert asked("table") == "On the table: 1 single, by you."
    assert asked("last") == "You: 1 single. 1 left."
    assert asked("turn") == "철수 to play."
    GAME.apply(state, 1, Pass(), Dealer(b"k"))
    assert asked("last") == "철수: pass."
    with pytest.raises(KeyError):
        asked("weather")


def test_a_spectator_has_no_hand() -> None:
    view = GAME.view(table(["5 9", "6 7"]), None)
    assert "watching" in GAME.text.ask("hand", view, Listener("en", NAMES))


def test_the_score_sheet_is_read_at_the_end() -> None:
    state = table(["5", "6 7", "8 8"], rounds=2)
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    state.hands = [tiles("5"), tiles("6 7"), tiles("8")]
    state.turn, state.top = 0, None
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    told = GAME.text.ask("score", GAME.view(state, None), Listener("en", NAMES))
    assert told == (
        "Final points: 민지 6, 철수 3, Bo 4. "
        "Round 1: 민지 3, 철수 2, Bo 2. Round 2: 민지 3, 철수 1, Bo 2."
    )
    assert "over" in GAME.text.ask("turn", GAME.view(state, None), Listener("en", NAMES))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Play(["5", "5"]), "5 pair"),
        (Play(["14", "15", "X"], low=13), "13 to 15 straight, X for 13"),
        (Play(["14", "15", "X"], low=14), "14 to 16 straight, X for 16"),
        (Play(["5", "6", "7", "X", "X", "X"], kind="pair_straight"), "5 to 7 pair straight, X for 5, 6, 7"),
        (Play(["5", "9"]), "5, 9"),
        (Pass(), "pass"),
        (Mine(["5", "5"]), "Mine 5, 5"),
        (Return(["1r"]), "Return red 1"),
    ],
)  # fmt: skip
def test_an_action_in_a_few_words(action: Action, words: str) -> None:
    assert GAME.text.action(action, "en") == words


def test_a_refusal_names_pieces_and_combinations_in_words() -> None:
    text = GAME.text
    assert text.refusal("not_held", {"tile": "1r"}, "ko") == "빨간 1 패가 그만큼 없습니다."
    high = text.refusal("not_higher", {"kind": "straight", "low": 3, "size": 4}, "en")
    assert high == "You must lay something higher than 3 to 6 straight, or a higher bomb."
    assert "ペア" in text.refusal("other_kind", {"kind": "pair"}, "ja")


def test_words_lead_to_what_the_game_knows() -> None:
    known = {"play", "pass", "mine", "return", "decline", "X", "1r"}
    known |= {"hand", "table", "turn", "counts", "last", "clock", "legal", "score"}
    known |= {"single", "pair", "straight", "pair_straight", "bomb1", "bomb2"}
    for locale in LOCALES:
        words = GAME.text.words[locale]
        assert set(words.values()) == known
        assert en.WORDS.items() <= words.items()
    assert (ko.WORDS["마인"], ko.WORDS["손패"], ko.WORDS["누구"]) == ("mine", "hand", "turn")
