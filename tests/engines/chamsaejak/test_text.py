"""Sentences in three languages, from the listener's seat."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DECLINE, DISCARDS, RON, TSUMO, Drew, Exhausted, Finished
from engines.chamsaejak.state import Match
from engines.chamsaejak.tiles import NAMES
from engines.kit.contract import Event, Refused, Viewer
from engines.kit.text import LOCALES, Listener, Sentence
from tests.engines.chamsaejak.situations import begin, discard, throw

TEXT = GAME.text
NAMED = ("민지", "Bo", "はな")
HANDS = ["1 1 1 F F", "4 6 8 8 8", "2 2 9 9 C"]


def _listener(locale: str, seat: Viewer = None) -> Listener:
    return Listener(locale, NAMED, seat)


def _said(state: Match, event: Event, locale: str, seat: Viewer = None) -> str:
    seen = GAME.redact(event, seat)
    sentence = TEXT.event(seen, _listener(locale, seat), GAME.view(state, seat))
    assert isinstance(sentence, Sentence)
    return sentence.text


def _request(state: Match, kind: str, can: bool | None, seat: int, locale: str = "en") -> str:
    sentence = TEXT.request(kind, can, GAME.view(state, seat), _listener(locale, seat))
    assert sentence is not None
    assert sentence.priority == "high"
    return sentence.text


def test_tiles_are_told_by_word_not_by_colour() -> None:
    assert [TEXT.piece(t, "en") for t in ("5", "5r", "F", "C")] == ["5", "red 5", "hatsu", "chun"]
    assert [TEXT.piece(t, "ko") for t in ("5", "5r", "F", "C")] == ["5", "빨간 5", "발", "중"]
    assert [TEXT.piece(t, "ja") for t in ("5", "5r", "F", "C")] == ["5", "赤5", "ハツ", "チュン"]
    for locale in LOCALES:
        assert len({TEXT.piece(tile, locale) for tile in NAMES}) == len(NAMES)


def test_actions() -> None:
    actions = (DISCARDS["3r"], TSUMO, RON, DECLINE)
    assert [TEXT.action(a, "en") for a in actions] == ["discard red 3", "tsumo", "ron", "decline"]
    assert [TEXT.action(a, "ko") for a in actions] == ["빨간 3 버리기", "쯔모", "론", "넘기기"]
    assert [TEXT.action(a, "ja") for a in actions] == ["赤3を捨てる", "ツモ", "ロン", "見送り"]


def test_a_deal_and_a_discard() -> None:
    state, dealer = begin(HANDS, "C", "5r")
    _, events = GAME.start(GAME.options(), 3, dealer)
    assert _said(state, events[0], "en").startswith("Hand 1 of 12. Dealer: 민지. Dora: ")
    assert "Your tiles: " in _said(state, events[0], "en", 0)
    assert "Dealer: you." in _said(state, events[0], "en", 0)
    (discarded,) = discard(state, dealer, "5r")
    assert _said(state, discarded, "en", 0) == "You discard red 5."
    assert _said(state, discarded, "en", 1) == "민지: red 5."
    assert _said(state, discarded, "ko", 1) == "민지: 빨간 5."
    assert _said(state, discarded, "ja") == "민지、赤5。"


def test_a_ron_is_told_from_each_seat() -> None:
    state, dealer = begin(HANDS, "C", "5r")
    discard(state, dealer, "5r")
    won = GAME.settle(state, [(1, RON)], dealer)[0]
    rest = "5 points: sets 3, red tiles 1, tanyao 1."
    assert _said(state, won, "en", 1).startswith("Ron! You win on red 5 from 민지: ")
    assert _said(state, won, "en", 0).startswith("Ron! Bo wins on your red 5: ")
    assert _said(state, won, "en", 2).startswith("Ron! Bo wins on red 5 from 민지: ")
    for seat in range(3):
        assert rest in _said(state, won, "en", seat)
    assert _said(state, won, "en", 1).endswith("Payments: 민지 pays 5, you gain 5.")
    assert _said(state, won, "ko", 0).endswith("점수 변동: 나 5점 냄, Bo 5점 받음.")
    assert _said(state, won, "ja").endswith("点数の動き: 민지は5点を払います、Boは5点を得ます。")


def test_a_dealers_tsumo_names_the_bonus() -> None:
    state, dealer = begin(["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C"], "8", "7")
    won = GAME.apply(state, 0, TSUMO, dealer)[0]
    assert "With the dealer's bonus 7." in _said(state, won, "en")
    assert "선 보너스 포함 7점." in _said(state, won, "ko")


def test_a_yakuman_is_named() -> None:
    state, dealer = begin(["3 4 F F F", "1 1 1 9 9", "5 5 7 7 C"], "C", "2")
    won = GAME.apply(state, 0, TSUMO, dealer)[0]
    assert "13 points: sets 3, all green 10." in _said(state, won, "en")


def test_nobody_pays_where_there_is_nothing() -> None:
    state, dealer = begin(HANDS, "C", "5r")
    state.scores[:] = [0, 60, 60]
    discard(state, dealer, "5r")
    won = GAME.settle(state, [(1, RON)], dealer)[0]
    assert _said(state, won, "en").endswith("Nobody pays.")


def test_a_false_win_says_why() -> None:
    state, dealer = begin(HANDS, "C", "5r", false_win="penalty")
    false = GAME.apply(state, 0, TSUMO, dealer)[0]
    said = _said(state, false, "en", 1)
    assert said.startswith("민지 declares a tsumo that is no win: 1, 1, 1, red 5, hatsu, hatsu. ")
    assert "The tiles are not complete." in said
    assert said.endswith("Payments: 민지 pays 4, you gain 2, はな gains 2.")
    discard(state, dealer, "5r")
    false = GAME.settle(state, [(2, RON)], dealer)[0]
    assert _said(state, false, "en", 2).startswith("Your ron on red 5 is no win: ")
    assert _said(state, false, "ko", 1).startswith("はな: 론 선언, 승리 아님. 버려진 패 빨간 5. ")


def test_draws_are_told_to_oneself_and_low_to_others() -> None:
    state, _ = begin(HANDS, "C", "5r")
    drew = Drew(seat=0, stock=27, tile="5r")
    assert _said(state, drew, "en", 0) == "You draw red 5."
    sentence = TEXT.event(GAME.redact(drew, 1), _listener("en", 1), GAME.view(state, 1))
    assert sentence == Sentence("민지 to play. Stock: 27.", "low", "drew")


def test_the_end() -> None:
    state, _ = begin(HANDS, "C")
    assert _said(state, Exhausted(), "en") == "The stock is empty. Nobody wins this hand."
    finished = Finished(scores=[30, 50, 40], places=[3, 1, 2])
    assert _said(state, finished, "en", 2) == (
        "The match is over. Bo: place 1, points 50. You: place 2, points 40. "
        "민지: place 3, points 30."
    )


def test_requests() -> None:
    state, dealer = begin(["5 5 5 7 7", *HANDS[1:]], "C", "7 4 5r", false_win="penalty")
    assert _request(state, "turn", None, 0) == "Your turn with 7. Tsumo is possible: 5 points."
    throw(state, dealer, "7")
    GAME.apply(state, 1, TSUMO, dealer)
    assert _request(state, "turn", None, 1).endswith("You can only discard.")
    throw(state, dealer, "4")
    assert _request(state, "turn", None, 2, "ko") == "내 차례입니다. 가져온 패: 빨간 5."
    discard(state, dealer, "5r")
    assert _request(state, "claim", True, 1) == "Ron is possible on red 5: 5 points."


def test_a_window_that_one_cannot_answer_is_silent() -> None:
    state, dealer = begin(HANDS, "C", "5r")
    discard(state, dealer, "5r")
    for can in (False, None):
        assert TEXT.request("claim", can, GAME.view(state, 2), _listener("en", 2)) is None


def test_answers() -> None:
    state, dealer = begin(HANDS, "C", "5r 9")

    def ask(what: str, seat: Viewer, locale: str = "en") -> str:
        return TEXT.ask(what, GAME.view(state, seat), _listener(locale, seat))

    assert ask("hand", 0) == "Your tiles: 1, 1, 1, red 5, hatsu, hatsu. Drawn: red 5."
    assert ask("hand", 1, "ko") == "내 패: 4, 6, 8, 8, 8."
    assert ask("hand", None) == "You have no tiles here."
    assert ask("turn", 0) == "It is your turn."
    assert ask("turn", 1) == "It is the turn of 민지."
    assert ask("last", 1) == "Nothing has been discarded yet."
    assert ask("counts", 1) == "Tiles in hand: 민지 6, you 5, はな 5. Stock: 27."
    discard(state, dealer, "5r")
    assert ask("table", 1) == "Dora: chun. Stock: 27. Discards of 민지: red 5."
    assert ask("turn", 0) == "Your red 5 can be claimed."
    assert ask("turn", 2, "ja") == "민지の赤5はロンできる状態です。"
    assert ask("last", 2) == "민지: red 5."
    assert ask("score", 2, "ko") == (
        "점수: 민지 40점, Bo 40점, 나 40점. 12판 중 1번째 판. 선: 민지."
    )
    GAME.settle(state, [(1, RON)], dealer)
    assert ask("last", 2).startswith("민지: red 5. Ron! Bo wins on red 5 from 민지: ")
    with pytest.raises(KeyError):
        ask("clock", 0)


def test_shown_tiles_can_be_asked_for() -> None:
    state, dealer = begin(HANDS, "C", "5r", false_win="penalty")
    GAME.apply(state, 0, TSUMO, dealer)
    answer = TEXT.ask("table", GAME.view(state, 1), _listener("en", 1))
    assert "민지 showed: 1, 1, 1, red 5, hatsu, hatsu." in answer


def test_refusals_speak_tiles() -> None:
    refused = Refused("not_in_hand", tile="5r")
    assert TEXT.refusal(refused.rule, refused.params, "en") == "You have no red 5 in hand."
    assert TEXT.refusal("no_such_tile", {"tile": "X"}, "en") == "There is no tile X."
    for locale in LOCALES:
        text = TEXT.refusal("too_few", {"points": 4, "enough": 5}, locale)
        assert "4" in text
        assert "5" in text


def test_words_lead_to_actions_topics_and_tiles() -> None:
    for locale in LOCALES:
        assert TEXT.words[locale]["ron"] == "ron"
        for tile in NAMES:
            assert tile in set(TEXT.words[locale].values()), tile
    assert TEXT.words["ko"]["론"] == "ron"
    assert TEXT.words["ko"]["쯔모"] == "tsumo"
    assert TEXT.words["ja"]["赤5"] == "5r"
    known = {"discard", "tsumo", "ron", "decline", *NAMES}
    known |= {"hand", "table", "turn", "counts", "last", "clock", "legal", "score"}
    assert set(chain.from_iterable(words.values() for words in TEXT.words.values())) <= known


def test_korean_puts_no_particle_after_a_name_or_tile() -> None:
    filled = re.compile(
        r"\{(who|dealer|discarder|tile|tiles)\}(은|는|이|가|을|를|와|과|으로|로)(?![가-힣])"
    )
    for key, template in TEXT.catalog.languages["ko"].items():
        assert not filled.search(template), key
