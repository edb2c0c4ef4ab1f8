"""Lost connections: nothing is lost, nothing comes twice, nothing is done twice."""

from __future__ import annotations

import asyncio
import random

import pytest

from hanpan import Backoff, Client, Disconnected, Event, NotFound, Table, Uncertain, Unseated
from hanpan.bots import default
from hanpan.testing import FakeServer, FakeTable, Message, Refuse
from tests.clients.python.conftest import Connect, until

PASS = {"type": "pass"}


async def back(client: Client, resumes: int = 1) -> None:
    await until(lambda: client.resumes >= resumes)


async def test_missed_events_come_once_and_are_marked(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    events = seat.events()
    table.update({"type": "a"})
    assert (await anext(events)).type == "a"
    table.update({"type": "b"}, send=False)
    server.drop()
    await back(client)
    table.update({"type": "c"})
    assert [(e.type, e.replay) for e in [await anext(events), await anext(events)]] == [
        ("b", True),
        ("c", False),
    ]
    place = server.received[-1]["at"][0]
    assert place == {"table": "t_1", "stream": "seat:0", "epoch": "e1", "seq": 1}


async def test_a_server_that_is_away_is_waited_for(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    told: list[str] = []
    client.on_status.add(told.append)
    await server.stop()
    table.update({"type": "a"})
    await asyncio.sleep(0.05)
    await server.start()
    assert (await anext(seat.events())).type == "a"
    assert told == ["lost", "connected"]


async def test_another_epoch_brings_the_whole_present(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    events = seat.events()
    table.epoch, table.seq, table.view = "e2", 7, {"hand": ["9"]}
    server.drop()
    event = await anext(events)
    assert (event.type, event.seq, event.replay) == ("snapshot", 7, True)
    assert seat.view == {"hand": ["9"]}


async def test_a_gap_asks_for_the_stream_again(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    table.update({"type": "lost"}, send=False)
    table.update({"type": "seen"})
    assert (await anext(seat.events())).type == "snapshot"
    assert server.received[-1]["type"] == "watch"
    assert seat.state.seq == 2


async def test_lost_last_frames_are_noticed_by_the_heartbeats(connecting: Connect) -> None:
    table = FakeTable()
    async with FakeServer(table, heartbeat_ms=40) as server:
        client = await connecting(server.url)
        seat = await client.join("t_1")
        table.update({"type": "lost"}, send=False)
        async with asyncio.timeout(3):
            assert (await anext(seat.events())).type == "snapshot"
        assert client.resumes == 0


async def test_an_action_that_was_carried_out_is_not_repeated(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    table.ask("r1", PASS)

    def act(message: Message) -> Message | None:
        fields = table.act(message)
        if len(table.acts) == 1 and not dropped:
            dropped.append(1)
            server.drop()
            return None
        return fields

    dropped: list[int] = []
    server.answers["act"] = act
    while not seat.requests:
        await seat.changed()
    ok = await seat.requests[0].act(PASS)
    assert ok.seq == table.seq
    assert table.acts == [PASS]
    assert len([m for m in server.received if m["type"] == "act"]) == 2


async def test_an_action_made_while_away_is_sent_when_back(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    table.ask("r1", PASS)
    while not seat.requests:
        await seat.changed()
    await server.stop()
    acting = asyncio.create_task(seat.act(PASS))
    await asyncio.sleep(0.03)
    await server.start()
    await acting
    assert table.acts == [PASS]


async def test_what_cannot_be_repeated_is_uncertain(server: FakeServer, client: Client) -> None:
    server.answers["add_bot"] = lambda message: None
    seat = await client.join("t_1")
    adding = asyncio.create_task(seat.add_bot())
    await until(lambda: server.received[-1]["type"] == "add_bot")
    server.drop()
    with pytest.raises(Uncertain):
        await adding


async def test_a_join_whose_answer_was_lost_is_finished(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    def join(message: Message) -> Message | None:
        if seen:
            raise Refuse("already_seated")
        seen.append(message)
        server.drop()
        return None

    seen: list[Message] = []
    server.answers["join_table"] = join
    seat = await client.join("t_1")
    assert seat.seat == 0
    assert server.received[-1]["type"] == "watch"


async def test_a_table_that_is_gone_ends(server: FakeServer, client: Client) -> None:
    seat = await client.join("t_1")
    events = seat.events()
    server.tables.clear()
    server.drop()
    with pytest.raises(NotFound):
        await anext(events)
    assert not client.tables


async def test_a_seat_taken_over_is_not_taken_back(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    server.peers[0].send({"type": "unseated", "table": "t_1", "why": "replaced"})
    with pytest.raises(Unseated, match="replaced"):
        await anext(seat.events())
    server.drop()
    await back(client)
    assert "at" not in server.received[-1]


@pytest.mark.parametrize("way", ["play", "decisions"])
async def test_whoever_lost_the_seat_while_away_is_told_and_may_sit_down_again(
    server: FakeServer, table: FakeTable, client: Client, way: str
) -> None:
    table.phase = "waiting"
    seat = await client.join("t_1")
    waiting = seat.play(default) if way == "play" else anext(seat.decisions())
    playing = asyncio.ensure_future(waiting)
    server.answers["identify"] = lambda message: {"player": {"id": "p", "name": "n"}, "at": []}
    table.stream = "public"
    server.drop()
    with pytest.raises(Unseated, match="left"):
        async with asyncio.timeout(5):
            await playing
    assert (seat.stood, seat.seat, seat.ended) == (True, None, False)
    table.stream = "seat:1"
    assert await client.join("t_1") is seat
    assert (seat.stood, seat.seat) == (False, 1)


async def test_a_spectator_has_lost_no_seat(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    table.stream = "public"
    seat = await client.watch("t_1")
    server.drop()
    await back(client)
    await client.games()
    assert not seat.stood


async def test_a_public_stream_that_does_not_go_on_is_watched_again_with_its_invite(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    table.stream = "public"
    server.answers["identify"] = lambda message: {"player": {"id": "p", "name": "n"}, "at": []}
    await client.watch("t_1", invite="abc", detail="events")
    server.drop()
    await back(client)
    await client.games()
    watches = [m for m in server.received if m["type"] == "watch"]
    assert [(m["invite"], m["detail"]) for m in watches] == [("abc", "events")] * 2


@pytest.mark.parametrize("known", [True, False])
async def test_a_spectator_whom_a_new_owner_does_not_know_shows_his_invite_again(
    server: FakeServer, table: FakeTable, client: Client, known: bool
) -> None:
    table.stream = "public"
    watched = await client.watch("t_1", invite="abc", detail="events")

    def refuse(message: Message) -> Message:
        raise Refuse("not_found")

    if not known:
        server.answers["watch"] = refuse
    table.update(send=False)
    server.peers[0].send({"type": "unseated", "table": "t_1", "why": "closed"})
    if known:
        assert (await anext(watched.events())).type == "snapshot"
    else:
        with pytest.raises(Unseated, match="closed"):
            await anext(watched.events())
    watches = [m for m in server.received if m["type"] == "watch"]
    assert [m["invite"] for m in watches] == ["abc"] * 2
    assert watched.ended is not known


async def test_a_busy_server_is_asked_again_later(
    server: FakeServer, table: FakeTable, client: Client
) -> None:
    seat = await client.join("t_1")
    refusals = iter([1, 2])

    def watch(message: Message) -> Message:
        for _ in refusals:
            raise Refuse("rate_limited", retry=True, after_ms=5)
        del server.answers["watch"]
        table.listen(server.peers[-1])
        return {}

    server.answers["watch"] = watch
    table.update(send=False)
    table.update({"type": "seen"})
    assert (await anext(seat.events())).type == "snapshot"


async def test_patience_ends(connecting: Connect) -> None:
    async with FakeServer(FakeTable()) as server:
        client = await connecting(server.url, patience_s=0.1)
        await server.stop()
        with pytest.raises(Disconnected, match=r"no connection for 0\.1 s"):
            async with asyncio.timeout(5):
                await client.closed()


@pytest.mark.parametrize("code", [0, 1001, 1012, 4001, 4003, 4007, 4009])
async def test_these_closes_are_come_back_from(
    server: FakeServer, client: Client, code: int
) -> None:
    if code == 4001:
        server.peers[0].send({"type": "draining", "in_ms": 30})
    started = asyncio.get_running_loop().time()
    server.drop(code)
    await back(client)
    assert asyncio.get_running_loop().time() - started >= (0.03 if code == 4001 else 0)


async def test_a_silent_server_is_left(connecting: Connect) -> None:
    async with FakeServer(FakeTable(), heartbeat_ms=40) as server:
        client = await connecting(server.url)
        server.answers["ping"] = lambda message: None
        await back(client)


async def test_a_token_that_ended_stops_the_client(server: FakeServer, client: Client) -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("bad_token")

    server.answers["identify"] = refuse
    server.drop(4003)
    with pytest.raises(Exception, match="bad_token"):
        await client.closed()


async def test_a_server_that_drains_at_once_is_tried_again(
    server: FakeServer, client: Client
) -> None:
    refusals = iter([1, 2])

    def identify(message: Message) -> Message:
        for _ in refusals:
            raise Refuse("draining", retry=True, after_ms=5)
        del server.answers["identify"]
        return {"player": {"id": "p", "name": "n"}}

    server.answers["identify"] = identify
    server.drop()
    await back(client)


async def test_a_hundred_cuts_at_random(connecting: Connect) -> None:
    """Every number once and in order, however the connection is cut."""
    table, chance = FakeTable(), random.Random(7)
    async with FakeServer(table) as server:
        client = await connecting(server.url, backoff=Backoff(0.001, 0.002))
        seat = await client.join("t_1")
        seen: list[Event] = []
        reading = asyncio.create_task(read(seat, seen, 400))
        for number in range(400):
            table.update({"type": "n", "n": number}, send=bool(table.listeners))
            if chance.random() < 0.25:
                server.drop(chance.choice([0, 0, 1012]))
                table.listeners = []
            if chance.random() < 0.5:
                await asyncio.sleep(0.002)
        async with asyncio.timeout(10):
            await reading
        assert [event["n"] for event in seen] == list(range(400))
        assert client.resumes > 20


async def read(seat: Table, seen: list[Event], count: int) -> None:
    async for event in seat.events():
        seen.append(event)
        if len(seen) == count:
            return
