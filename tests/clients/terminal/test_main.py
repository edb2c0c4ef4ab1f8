"""The terminal from its first line to its last, against the SDK's fake server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from hanpan.testing import FakeServer, FakeTable, Message, Refuse
from hanpan_terminal import Options, play
from tests.clients.terminal.conftest import TestScreen

GAME = {
    "game": "peeper", "version": "1", "seats": [2, 3, 4], "titles": {"en": "Peeper", "ko": "피퍼"},
    "rulesets": {}, "bots": ["steady"],
    "words": {"en": {"pass": "pass", "mine": "mine", "decline": "decline", "straight": "straight",
                     "pair": "pair"}, "ko": {"패스": "pass"}},
}  # fmt: skip
OTHER = {**GAME, "game": "pepper", "titles": {"en": "Pepper"}}
PASS = {"type": "pass"}
FIVE = {"type": "play", "tiles": ["5"]}


@pytest.fixture
async def table() -> FakeTable:
    made = FakeTable(hand=["5", "5", "X"])
    made.seats = [
        {"seat": 0, "state": "here", "name": "a"},
        {"seat": 1, "state": "bot", "name": "b"},
    ]
    return made


@pytest.fixture
async def server(table: FakeTable) -> AsyncIterator[FakeServer]:
    async with FakeServer(table) as made:
        made.answers["list_games"] = lambda message: {"games": [GAME, OTHER]}
        made.answers["ask"] = lambda message: {
            "what": message["what"],
            "say": [{"text": f"about {message['what']}", "priority": "normal"}],
        }
        yield made


def sentence(text: str, priority: str = "normal") -> dict[str, Any]:
    return {"text": text, "priority": priority}


def sent(server: FakeServer, kind: str) -> list[Message]:
    return [message for message in server.received if message["type"] == kind]


async def start(server: FakeServer, screen: TestScreen, **fields: Any) -> asyncio.Task[int]:
    fields.setdefault("game", "peeper")
    running = asyncio.create_task(play(server.url, Options(**fields), screen))
    await screen.until(lambda line: "help" in line or "도움말" in line or "watching" in line)
    return running


async def test_enter_alone_leads_to_a_table(server: FakeServer, screen: TestScreen) -> None:
    screen.type("")
    running = await start(server, screen, game=None, name="ann")
    assert sent(server, "create_table")[0]["seats"] == 4
    assert sent(server, "create_table")[0]["bots"] == 3
    assert sent(server, "join_table")[0]["table"] == "t_1"
    screen.type("hand")
    await screen.until("about hand")
    screen.type("quit")
    assert await running == 0
    assert sent(server, "leave_table")


async def test_the_menu_takes_a_number_and_asks_again(
    server: FakeServer, screen: TestScreen
) -> None:
    screen.type("nonsense", "2")
    running = await start(server, screen, game=None)
    assert sent(server, "create_table")[0]["game"] == "pepper"
    screen.type(None)
    assert await running == 0


async def test_the_menu_can_be_left(server: FakeServer, screen: TestScreen) -> None:
    screen.type("q")
    assert await play(server.url, Options(), screen) == 0
    assert not sent(server, "create_table")


async def test_an_open_table_can_be_watched(server: FakeServer, screen: TestScreen) -> None:
    screen.type("t", "w1")
    running = await start(server, screen, game=None)
    assert sent(server, "watch")[0]["table"] == "t_1"
    screen.type("quit", "q")
    assert await running == 0


async def test_watch_and_join_by_option(server: FakeServer, screen: TestScreen) -> None:
    running = await start(server, screen, table="t_1", watch=True, invite="abc")
    assert sent(server, "watch")[0]["invite"] == "abc"
    screen.type("quit")
    assert await running == 0
    running = await start(server, screen, table="t_1")
    assert sent(server, "join_table")
    screen.type("quit")
    assert await running == 0


async def test_moves_questions_and_claims(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen, locale="ko")
    table.ask("r1", FIVE, PASS)
    screen.type("바닥")
    await screen.until("about table")
    screen.type("5")
    screen.type("누구")
    await screen.until("about turn")
    table.ask("r2", {"type": "mine", "tiles": ["5", "5"]}, {"type": "decline"}, kind="claim")
    table.ask("r3", FIVE, PASS)
    screen.type("MINE", "패스", "시간")
    await screen.until("about clock")
    assert table.acts == [FIVE, {"type": "mine", "tiles": ["5", "5"]}, PASS]
    screen.type("나가기")
    assert await running == 0


async def test_several_readings_are_asked_for(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    straight = {"type": "play", "tiles": ["5", "X"], "as": "straight"}
    pair = {"type": "play", "tiles": ["5", "X"], "as": "pair"}
    table.ask("r1", straight, pair, PASS)
    await asyncio.sleep(0.05)
    screen.type("5 x")
    await screen.until("1: straight: 5 X")
    await screen.until("2: pair: 5 X")
    screen.type("hand")
    await screen.until("about hand")
    screen.type("5 x", "2", "hand")
    await screen.until("about hand")
    assert table.acts == [pair]
    screen.type("quit")
    await running


async def test_refusals_and_unclear_lines_are_urgent(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("illegal_action", "5 does not beat 9")

    running = await start(server, screen)
    screen.type("5")
    await screen.until("not your turn")
    screen.type("sesame street")
    await screen.until("sesame")
    table.ask("r1", FIVE, PASS)
    server.answers["act"] = refuse
    await asyncio.sleep(0.05)
    screen.type("5")
    await screen.until("5 does not beat 9")
    assert len(screen.urgent) == 3
    screen.type("quit")
    assert await running == 0


async def test_sentences_are_heard_by_priority(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.update(say=[sentence("soft", "low"), sentence("loud", "high")])
    await screen.until("soft")
    await screen.until("loud")
    assert screen.urgent == ["loud"]
    screen.type("hear", "hear high")
    await screen.until("hear high, hear normal")
    await screen.until("urgent")
    table.update(say=[sentence("unheard"), sentence("alarm", "high")])
    await screen.until(lambda line: line == "alarm" and "unheard" not in screen.shown)
    screen.type("again")
    await screen.until("unheard")
    screen.type("quit")
    await running


async def test_the_replay_is_not_read_aloud_after_a_resume(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.update(say=[sentence("before")])
    await screen.until("before")
    table.update(say=[sentence("missed")], send=False)
    server.drop()
    await screen.until("lost")
    await screen.until("Connected again")
    await screen.until("about turn")
    table.update(say=[sentence("after")])
    await screen.until("after")
    assert not [line for line in screen.shown if "missed" in line]
    screen.type("again")
    await screen.until("missed")
    screen.type("quit")
    await running


async def test_the_commands(server: FakeServer, table: FakeTable, screen: TestScreen) -> None:
    running = await start(server, screen)
    table.ask("r1", FIVE, PASS)
    screen.type("help", "chat hello there", "players", "auto ron auto", "auto mine 5 9", "auto off")
    screen.type("auto", "ready", "withdraw", "rematch", "start", "hand")
    await screen.until("Type what you play")
    await screen.until("1: a, here.")
    await screen.until("2: b, bot.")
    for line in ("order taken", "order taken", "taken back", "Type auto", "Taken back"):
        await screen.until(line)
    await screen.until("about hand")
    assert sent(server, "chat")[0]["text"] == "hello there"
    assert [m["orders"] for m in sent(server, "standing")] == [
        {"ron": "auto"}, {"mine": ["5", "9"]}, {},
    ]  # fmt: skip
    kinds = ("ready", "withdraw", "rematch", "start")
    assert [len(sent(server, kind)) for kind in kinds] == [1, 1, 1, 1]
    screen.type("quit")
    await running


async def test_held_and_sealed_answers_are_told(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.ask("r1", FIVE, PASS)
    table.ask("r2", {"type": "mine", "tiles": ["5", "5"]}, {"type": "decline"}, kind="claim")
    server.answers["act"] = lambda m: {"held": True} if m["request"] == "r1" else {"sealed": True}
    await asyncio.sleep(0.05)
    screen.type("5")
    await screen.until("Held until")
    screen.type("mine")
    await screen.until("claim is in")
    screen.type("quit")
    await running


async def test_chat_is_shown_without_control_characters_by_the_screen(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.listeners[0].send(
        {"type": "chat", "table": "t_1", "player": "p_2", "name": "bob", "text": "hi", "at": 1}
    )
    await screen.until("bob: hi")
    screen.type("quit")
    await running


async def test_the_end_of_a_match_says_what_is_possible(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.update({"type": "match_ended", "match": "m", "record": "r", "scores": [], "places": []})
    await screen.until("rematch: another one")
    screen.type("quit")
    await running


async def test_a_seat_taken_over_is_told(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.listeners[0].send({"type": "unseated", "table": "t_1", "why": "replaced"})
    await screen.until("taken over")
    assert await running == 0


async def test_a_seat_given_up_while_away_is_told(
    server: FakeServer, table: FakeTable, screen: TestScreen
) -> None:
    running = await start(server, screen)
    table.stream, table.epoch = "public", "later"
    server.drop()
    await screen.until("given up while you were away")
    screen.type("quit")
    assert await running == 0


async def test_a_seat_that_one_still_has_is_gone_back_to(
    server: FakeServer, screen: TestScreen
) -> None:
    server.answers["identify"] = lambda message: {
        "player": {"id": "p", "name": "n"},
        "tables": [{"table": "t_1", "seat": 0, "game": "peeper", "phase": "running"}],
        "at": [],
    }
    running = await start(server, screen, game=None, token="mine")
    assert sent(server, "watch")[0]["table"] == "t_1"
    screen.type("quit")
    screen.type("q")
    assert await running == 0


async def test_a_ban_ends_it_with_a_sentence(server: FakeServer, screen: TestScreen) -> None:
    running = await start(server, screen)
    server.drop(4011)
    assert await running == 1
    await screen.until("banned")


async def test_no_server_is_a_sentence(screen: TestScreen) -> None:
    assert await play("http://127.0.0.1:9", Options(locale="ja"), screen) == 1
    assert screen.shown[-1].startswith("接続が終わりました")
