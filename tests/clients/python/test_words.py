"""What typed lines mean."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpan import Client, IllegalAction, Table, connect
from hanpan._messages import RequestInfo, Snapshot, TableInfo
from hanpan.testing import FakeServer, FakeTable, Message, Refuse
from hanpan.words import Choice, Do, Question, Unclear, Words, matching, read, understand

WORDS = {
    "en": {"pass": "pass", "mine": "mine", "play": "play", "no": "decline", "x": "X", "pair": "pair",
           "straight": "straight", "red 1": "1r", "return": "return", "left over": "counts"},
    "ko": {"패스": "pass", "마인": "mine", "손패": "hand", "스트레이트": "straight"},
}  # fmt: skip
ENGLISH = Words(WORDS)
KOREAN = Words(WORDS, "ko")
PLAYS: list[dict[str, Any]] = [
    {"type": "play", "tiles": ["5"]},
    {"type": "play", "tiles": ["1r"]},
    {"type": "play", "tiles": ["5", "5"], "as": "pair", "low": 5},
    {"type": "play", "tiles": ["3", "4", "X"], "as": "straight", "low": 3},
    {"type": "play", "tiles": ["3", "4", "X"], "as": "straight", "low": 2},
    {"type": "pass"},
]
HAND = ["1r", "3", "4", "5", "5", "X"]
MINE: list[dict[str, Any]] = [
    {"type": "mine", "tiles": ["5", "X"]},
    {"type": "mine", "tiles": ["5", "5"]},
    {"type": "decline"},
]


async def table(*requests: RequestInfo, hand: list[str] | None = None, more: bool = False) -> Table:
    found = Table(Client("token"), "t_1")
    info = TableInfo(
        table="t_1", game="peeper", ruleset="standard", options={}, speed="standard", seats=[],
        phase="running", visibility="public",
    )  # fmt: skip
    found.receive_snapshot(
        Snapshot(
            table="t_1",
            stream="seat:0",
            epoch="e",
            seq=1,
            info=info,
            seats=[],
            view={"hand": HAND if hand is None else hand},
            requests=list(requests),
        )
    )
    return found


def turn(legal: list[dict[str, Any]] = PLAYS, more: bool = False) -> RequestInfo:
    return RequestInfo(request="r1", kind="turn", legal=legal, default=legal[-1], more=more)


def claim(legal: list[dict[str, Any]] = MINE) -> RequestInfo:
    return RequestInfo(request="r2", kind="claim", legal=legal, default=legal[-1])


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("5", PLAYS[0]),
        ("5 5", PLAYS[2]),
        ("5,5", PLAYS[2]),
        ("５ ５", PLAYS[2]),
        ("play 5 5", PLAYS[2]),
        ("pair 5 5", PLAYS[2]),
        ("5 5 pair", PLAYS[2]),
        ("red 1", PLAYS[1]),
        ("1", PLAYS[1]),
        ("1R", PLAYS[1]),
        ("PASS", PLAYS[5]),
        ("패스", PLAYS[5]),
        ("3 4 x 2", PLAYS[4]),
    ],
)
async def test_a_line_in_turn(line: str, action: dict[str, Any]) -> None:
    reading = read(line, await table(turn()), KOREAN)
    assert isinstance(reading, Do)
    assert reading.action == action
    assert reading.request.id == "r1"


async def test_pieces_come_in_any_order_and_two_readings_are_a_choice() -> None:
    reading = read("x 4 3", await table(turn()), ENGLISH)
    assert isinstance(reading, Choice)
    assert reading.actions == [PLAYS[3], PLAYS[4]]
    second = reading.pick("2", ENGLISH)
    assert second is not None
    assert second.action == PLAYS[4], "2 is a number that one reading has as its lowest"
    assert reading.pick("4", ENGLISH) is None
    assert reading.pick("", ENGLISH) is None
    assert reading.pick("pair", ENGLISH) is None


async def test_a_choice_between_kinds_is_made_by_a_word() -> None:
    straight = {"type": "play", "tiles": ["5", "X"], "as": "straight"}
    pair = {"type": "play", "tiles": ["5", "X"], "as": "pair"}
    reading = read("5 x", await table(turn([straight, pair])), KOREAN)
    assert isinstance(reading, Choice)
    picked = [reading.pick(line, KOREAN) for line in ("스트레이트", "pair", "1", "2", "3")]
    assert [p.action if p else None for p in picked] == [straight, pair, straight, pair, None]


async def test_two_tiles_are_not_a_single_whose_lowest_is_named() -> None:
    single = {"type": "play", "tiles": ["5"], "as": "single", "low": 5}
    six = {"type": "play", "tiles": ["6"], "as": "single", "low": 6}
    assert read("5 5", await table(turn([single, six])), ENGLISH) == Unclear("action")


@pytest.mark.parametrize("line", ["mine", "마인", "mine 5 5", "5 mine 5"])
async def test_a_claim_is_named_and_takes_what_the_hand_holds(line: str) -> None:
    reading = read(line, await table(claim(), hand=["5", "5", "9"]), KOREAN)
    assert isinstance(reading, Do)
    assert (reading.request.id, reading.action) == ("r2", MINE[1])


async def test_tiles_alone_are_never_a_claim() -> None:
    assert read("5 5", await table(claim()), ENGLISH) == Unclear("turn")


async def test_beside_a_window_tiles_are_the_turn_and_words_the_claim() -> None:
    both = await table(claim(), turn())
    by_tiles, by_word, away = (read(line, both, ENGLISH) for line in ("5 5", "mine", "no"))
    assert isinstance(by_tiles, Do)
    assert isinstance(by_word, Do)
    assert isinstance(away, Do)
    assert (by_tiles.request.id, by_word.request.id) == ("r1", "r2")
    assert (away.request.id, away.action) == ("r2", {"type": "decline"})


@pytest.mark.parametrize(
    ("line", "what"),
    [("hand", "hand"), ("손패", "hand"), ("바닥", "table"), ("Who", "turn"), ("시간", "clock"),
     ("left over", "counts"), ("legal", "legal")],
)  # fmt: skip
async def test_a_topic_is_a_question_at_any_time(line: str, what: str) -> None:
    reading = read(line, await table(), KOREAN)
    assert isinstance(reading, Question)
    assert reading.what == what


async def test_what_is_unclear_says_why() -> None:
    with_turn = await table(turn())
    assert read("  ", with_turn, ENGLISH) == Unclear("empty")
    assert read("sesame", with_turn, ENGLISH) == Unclear("word", "sesame")
    assert read("9 9", with_turn, ENGLISH) == Unclear("action")
    assert read("play", with_turn, ENGLISH) == Unclear("action")
    assert read("9 9", await table(), ENGLISH) == Unclear("turn")


def test_order_tells_a_claimed_card_from_a_laid_one() -> None:
    attacks = [
        {"type": "attack", "claim": "fly", "cards": ["rat", "rat"]},
        {"type": "attack", "claim": "rat", "cards": ["fly", "rat"]},
        {"type": "attack", "claim": "rat", "cards": ["rat", "rat"]},
    ]
    assert matching(["attack", "rat", "rat", "fly"], attacks) == [attacks[1]]
    assert matching(["fly", "rat", "rat"], attacks) == [attacks[0]]


def test_null_numbers_and_bare_values_are_named() -> None:
    suits: list[Any] = [{"type": "trump", "suit": "H"}, {"type": "trump", "suit": None}]
    bids: list[Any] = [{"type": "bid", "bid": 3}, {"type": "bid", "bid": "small"}, {"type": "pass"}]
    assert matching(["null"], suits) == [suits[1]]
    assert matching(["3"], bids) == [bids[0]]
    assert matching(["bid", "small"], bids) == [bids[1]]


async def test_an_action_is_spelt_in_the_listeners_words() -> None:
    assert KOREAN.spell(PLAYS[3]) == "스트레이트 3: 3 4 X"
    assert KOREAN.spell({"type": "pass"}) == "패스"
    assert ENGLISH.spell(PLAYS[0]) == "play: 5"


async def understood(line: str, answer: Any, hand: list[str]) -> tuple[Any, list[Message]]:
    fake = FakeTable(hand=hand)
    fake.ask("r1", {"type": "play", "tiles": ["3"]}, {"type": "pass"}, more=True)

    async with FakeServer(fake) as server:
        server.answers["legal"] = answer
        async with connect(server.url, token="t") as client:
            joined = await client.join("t_1")
            reading = await understand(line, joined, ENGLISH)
            return reading, [m for m in server.received if m["type"] == "legal"]


async def test_what_is_not_among_the_first_is_asked_for() -> None:
    action = {"type": "play", "tiles": ["9", "9"]}
    reading, asked = await understood(
        "pair 9 9", lambda m: {"legal": [{**action, "as": "pair"}]}, ["9", "9", "3"]
    )
    assert isinstance(reading, Do)
    assert reading.action == {**action, "as": "pair"}
    assert [m["tiles"] for m in asked] == [["9", "9"]]


async def test_a_piece_that_is_not_held_is_not_left_out_silently() -> None:
    reading, asked = await understood(
        "9 x", lambda m: {"legal": [{"type": "play", "tiles": ["9"]}]}, ["9", "3"]
    )
    assert [m["tiles"] for m in asked] == [["9", "X"]]
    assert reading == Unclear("action"), "even if the server took fewer pieces"


async def test_a_short_piece_is_found_in_the_hand() -> None:
    _, asked = await understood("1 9", lambda m: {"legal": []}, ["1r", "9"])
    assert [m["tiles"] for m in asked] == [["1r", "9"]]


async def test_a_forbidden_action_is_refused_with_the_rule() -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("illegal_action", "9 does not beat 10")

    with pytest.raises(IllegalAction, match="9 does not beat 10"):
        await understood("9", refuse, ["9"])


@given(st.text(max_size=40))
def test_any_line_can_be_cut(line: str) -> None:
    tokens = KOREAN.tokens(line, PLAYS)
    assert all(tokens)
    assert not any(c.isspace() for token in tokens for c in token if token.isascii())
