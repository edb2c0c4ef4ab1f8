"""One table: state, decisions, playing."""

from __future__ import annotations

import asyncio

import pytest

from hanpan import Client, IllegalAction, Request, StaleRequest, Unseated
from hanpan.testing import FakeServer, FakeTable, Message, Refuse

PASS = {"type": "pass"}
FIVE = {"type": "play", "tiles": ["5"]}
MINE = {"type": "mine", "tiles": ["5", "5"]}
DECLINE = {"type": "decline"}


async def test_what_is_known_after_joining(client: Client, table: FakeTable) -> None:
    table.seats = [{"seat": 0, "state": "here", "name": "a"}]
    seat = await client.join("t_1")
    assert seat.seat == 0
    assert seat.view == {"hand": ["5", "5", "9"]}
    assert seat.info is not None
    assert seat.info.game == "peeper"
    assert seat.seats[0].name == "a"


async def test_decisions_come_once_each(client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    table.ask("r1", FIVE, PASS)
    got: list[str] = []
    async for request in seat.decisions():
        got.append(request.id)
        if request.id == "r1":
            table.ask("r2", MINE, DECLINE, kind="claim", can=1)
            await request.act(PASS)
        else:
            await request.act(MINE)
            break
    assert got == ["r1", "r2"]
    assert table.acts == [PASS, MINE]
    assert seat.requests == []


async def test_an_action_finds_the_request_that_it_fits(client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    table.ask("r1", MINE, DECLINE, kind="claim")
    table.ask("r2", FIVE, PASS)
    while len(seat.requests) < 2:
        await seat.changed()
    await seat.act(PASS)
    await seat.act(DECLINE)
    assert table.answered == {"r2": PASS, "r1": DECLINE}
    with pytest.raises(StaleRequest):
        await seat.act(PASS)


async def test_a_held_turn_stays_open(server: FakeServer, client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    table.ask("r1", FIVE, PASS)
    while not seat.requests:
        await seat.changed()
    server.answers["act"] = lambda message: {"held": True}
    await seat.act(FIVE)
    held = seat.requests[0].held
    assert held == FIVE
    await seat.requests[0].withdraw()
    assert seat.requests[0].held is None
    server.answers["act"] = lambda message: {"sealed": True}
    await seat.act(PASS)
    assert seat.requests == []


async def test_a_refusal_brings_the_requests_that_stand(
    server: FakeServer, client: Client, table: FakeTable
) -> None:
    def refuse(message: Message) -> Message:
        standing = {"request": "r7", "kind": "turn", "legal": [PASS], "default": PASS}
        raise Refuse("illegal_action", requests=[standing])

    seat = await client.join("t_1")
    server.answers["act"] = refuse
    with pytest.raises(IllegalAction):
        await seat.act(FIVE)
    assert [request.id for request in seat.requests] == ["r7"]


def request_of(seat: object, kind: str, *legal: Message, can: int | None = None) -> Request:
    from hanpan._messages import RequestInfo

    info = RequestInfo(request="r", kind=kind, legal=list(legal), default=legal[-1], can=can,
                       left_ms=1000, bank_ms=500)  # fmt: skip
    return Request(seat, info, 10.0)  # type: ignore[arg-type]  # a table or what has its view


async def test_playable_is_what_the_hand_holds(client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    nines = {"type": "mine", "tiles": ["9", "9"]}
    assert request_of(seat, "claim", nines, MINE, DECLINE).playable == [MINE, DECLINE]
    seat.state.view = None
    assert request_of(seat, "claim", nines, DECLINE).playable == [DECLINE]
    assert request_of(seat, "turn", FIVE, PASS).playable == [FIVE, PASS]


async def test_time_left_runs_with_the_loop(client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    request = request_of(seat, "turn", PASS)
    assert [request.left_ms(now) for now in (10.0, 11.0, 20.0)] == [1500, 500, 0]
    assert request.can
    assert not request_of(seat, "claim", DECLINE, can=0).can
    assert request_of(seat, "claim", DECLINE, can=1).can


async def test_play_goes_on_to_the_end_of_the_match(client: Client, table: FakeTable) -> None:
    seat = await client.join("t_1")
    table.ask("r1", FIVE, PASS)

    async def choose(request: Request) -> Message:
        await asyncio.sleep(0)
        table.update({"type": "match_ended", "scores": [1, 2]})
        return PASS

    assert (await seat.play(choose))["scores"] == [1, 2]
    assert table.acts == [PASS]


async def test_play_passes_over_what_was_overtaken(
    server: FakeServer, client: Client, table: FakeTable
) -> None:
    def late(message: Message) -> Message:
        table.update({"type": "match_ended"})
        raise Refuse("claim_closed")

    server.answers["act"] = late
    seat = await client.join("t_1")
    table.ask("r1", MINE, DECLINE, kind="claim")
    assert (await seat.play(lambda request: DECLINE)).type == "match_ended"


async def test_play_does_not_hide_a_bots_mistake(
    server: FakeServer, client: Client, table: FakeTable
) -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("illegal_action")

    server.answers["act"] = refuse
    seat = await client.join("t_1")
    table.ask("r1", PASS)
    with pytest.raises(IllegalAction):
        await seat.play(lambda request: FIVE)


async def test_play_ends_with_the_table(server: FakeServer, client: Client) -> None:
    seat = await client.join("t_1")
    playing = asyncio.create_task(seat.play(lambda request: PASS))
    await asyncio.sleep(0)
    server.peers[0].send({"type": "unseated", "table": "t_1", "why": "left"})
    with pytest.raises(Unseated):
        await playing


async def test_a_match_that_ended_while_away_ends_the_play(
    server: FakeServer, client: Client, table: FakeTable
) -> None:
    seat = await client.join("t_1")
    playing = asyncio.create_task(seat.play(lambda request: PASS))
    table.epoch, table.phase = "e2", "ended"
    server.drop()
    assert (await playing).type == "snapshot"


async def test_sentences_chat_and_watchers(
    server: FakeServer, client: Client, table: FakeTable
) -> None:
    seat = await client.join("t_1")
    heard: list[str] = []
    seat.on_say.add(lambda told: heard.append(f"{told[0].text} {told[1]}"))
    seat.on_chat.add(lambda line: heard.append(f"{line.name}: {line.text}"))
    frames = seat.frames()
    table.update(say=[{"text": "hi", "priority": "high"}])
    server.peers[0].send(
        {"type": "chat", "table": "t_1", "player": "p", "name": "bob", "text": "yo", "at": 1}
    )
    server.peers[0].send({"type": "audience", "table": "t_1", "count": 3})
    server.peers[0].send({"type": "frozen", "table": "t_1"})
    await client.games()
    assert heard == ["hi False", "bob: yo"]
    assert (seat.watchers, seat.frozen) == (3, True)
    server.peers[0].send({"type": "thawed", "table": "t_1"})
    await client.games()
    assert not seat.frozen
    assert [(await anext(frames)).seq, (await anext(frames)).say[0].text] == [0, "hi"]


async def test_every_request_says_what_it_is(server: FakeServer, client: Client) -> None:
    seat = await client.join("t_1")
    await seat.chat("hello")
    await seat.standing({"ron": "auto"}, until="match")
    await seat.ask("hand")
    await seat.ready(False)
    await seat.start()
    await seat.rematch()
    await seat.add_bot(2, "random")
    await seat.remove_bot(2)
    await seat.leave()
    got = [{k: v for k, v in m.items() if k not in ("id", "table", "key")} for m in server.received]
    assert got[2:] == [
        {"type": "chat", "text": "hello"},
        {"type": "standing", "orders": {"ron": "auto"}, "until": "match"},
        {"type": "ask", "what": "hand"},
        {"type": "ready", "ready": False},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "add_bot", "seat": 2, "level": "random"},
        {"type": "remove_bot", "seat": 2},
        {"type": "leave_table"},
    ]
    with pytest.raises(StopAsyncIteration):
        await anext(seat.events())
    assert not client.tables
