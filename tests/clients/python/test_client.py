"""Connecting, the lobby, requests, the end."""

from __future__ import annotations

import asyncio

import pytest

from hanpan import (
    BadToken,
    Banned,
    Client,
    Disconnected,
    NotFound,
    RateLimited,
    Unavailable,
    WrongVersion,
    connect,
)
from hanpan._messages import Ready
from hanpan.testing import FakeServer, FakeTable, Message, Refuse
from tests.clients.python.conftest import Connect, until


def sent(server: FakeServer, kind: str) -> list[Message]:
    return [message for message in server.received if message["type"] == kind]


async def test_connect_identifies(server: FakeServer) -> None:
    client = await connect(server.url, token="secret", locale="ko", want=["say"])
    assert client.player is not None
    assert client.player.name == "fake"
    identify = server.received[0]
    assert (identify["token"], identify["locale"], identify["want"]) == ("secret", "ko", ["say"])
    assert "at" not in identify
    await client.close()
    with pytest.raises(Disconnected):
        await client.games()


async def test_a_bad_token_is_told_at_once(server: FakeServer) -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("bad_token")

    server.answers["identify"] = refuse
    with pytest.raises(BadToken):
        await connect(server.url, token="nobody")


async def test_a_server_of_another_version_is_told_at_once() -> None:
    async with FakeServer(scripted=True) as server:
        opening = asyncio.create_task(_connect(server.url))
        peer = await server.accept()
        await peer.opened.wait()
        peer.close(4006)
        with pytest.raises(WrongVersion):
            await opening


async def _connect(url: str) -> Client:
    return await connect(url, token="secret")


async def test_nobody_there() -> None:
    with pytest.raises(Disconnected, match=r"no connection to ws://127\.0\.0\.1:9/v1/ws"):
        await connect("http://127.0.0.1:9", token="secret")


async def test_games_and_tables(server: FakeServer, client: Client) -> None:
    server.answers["list_games"] = lambda message: {
        "games": [
            {"game": "g", "version": "1", "seats": [2], "titles": {}, "rulesets": {}, "bots": []}
        ]
    }
    assert [game.game for game in await client.games()] == ["g"]
    assert [t.table for t in await client.list_tables(game="peeper", open=True)] == ["t_1"]
    assert sent(server, "list_tables")[0]["game"] == "peeper"


async def test_tables_of_all_pages_are_listed(server: FakeServer, client: Client) -> None:
    server.tables |= {name: FakeTable(name) for name in ("t_2", "t_3")}
    server.page = 2
    assert [t.table for t in await client.list_tables()] == ["t_1", "t_2", "t_3"]
    assert [message.get("skip", 0) for message in sent(server, "list_tables")] == [0, 2]


async def test_the_lobby_changes_and_is_asked_for_again(server: FakeServer, client: Client) -> None:
    changes = await client.watch_lobby()
    assert list(client.lobby) == ["t_1"]
    server.tables["t_2"] = FakeTable("t_2")
    info = server.tables["t_2"].snapshot()["info"]
    server.peers[0].send({"type": "lobby", "tables": [info], "gone": ["t_1"]})
    assert (await anext(changes)).gone == ["t_1"]
    assert list(client.lobby) == ["t_2"]
    server.drop()
    await until(lambda: len(sent(server, "watch_lobby")) == 2)
    await client.games()
    assert sorted(client.lobby) == ["t_1", "t_2"]
    await client.unwatch_lobby()
    with pytest.raises(StopAsyncIteration):
        await anext(changes)


async def test_a_refused_join_leaves_no_table(server: FakeServer, client: Client) -> None:
    with pytest.raises(NotFound):
        await client.join("t_9")
    assert not client.tables


async def test_play_makes_joins_and_is_ready(server: FakeServer, client: Client) -> None:
    table = await client.play("peeper", 4, speed="instant")
    create = sent(server, "create_table")[0]
    assert (create["bots"], create["speed"], create["seats"]) == (3, "instant", 4)
    assert create["key"]
    assert table.seat == 0
    assert [m["type"] for m in server.received[-2:]] == ["join_table", "ready"]


async def test_what_moves_is_repeated_by_itself(server: FakeServer, client: Client) -> None:
    refusals = iter(["moving", "moving"])

    def moving(message: Message) -> Message:
        for code in refusals:
            raise Refuse(code, after_ms=1)
        return {}

    server.answers["ready"] = moving
    await client.request(Ready(table="t_1"))
    assert len(sent(server, "ready")) == 3


async def test_other_passing_faults_are_the_callers(server: FakeServer, client: Client) -> None:
    def refuse(message: Message) -> Message:
        raise Refuse("rate_limited" if message["ready"] else "unavailable", after_ms=70, retry=True)

    server.answers["ready"] = lambda m: refuse({"ready": m.get("ready", True)})
    with pytest.raises(RateLimited) as limited:
        await client.request(Ready(table="t_1"))
    assert limited.value.after_ms == 70
    with pytest.raises(Unavailable):
        await client.request(Ready(table="t_1", ready=False))


async def test_a_ban_stops_everything(server: FakeServer, client: Client) -> None:
    table = await client.join("t_1")
    server.answers["ready"] = lambda message: None
    waiting = asyncio.create_task(table.ready())
    events = table.events()
    told: list[str] = []
    client.on_status.add(told.append)
    await asyncio.sleep(0.02)
    server.drop(4011)
    with pytest.raises(Banned):
        await waiting
    with pytest.raises(Banned):
        await anext(events)
    with pytest.raises(Banned):
        await client.closed()
    with pytest.raises(Banned):
        await client.games()
    assert told == ["stopped"]


async def test_a_cancelled_request_is_forgotten(server: FakeServer, client: Client) -> None:
    server.answers["ready"] = lambda message: None
    waiting = asyncio.create_task(client.request(Ready(table="t_1")))
    await asyncio.sleep(0.02)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    server.drop()
    await client.games()
    assert len(sent(server, "ready")) == 1


async def test_the_client_keeps_below_the_servers_limit(connecting: Connect) -> None:
    limits = {"max_frame": 1, "frames": 50, "burst": 10, "chat": 1, "chat_ms": 1, "connections": 1}
    async with FakeServer(FakeTable(), limits=limits) as server:
        client = await connecting(server.url)
        started = asyncio.get_running_loop().time()
        await asyncio.gather(*(client.games() for _ in range(18)))
        assert asyncio.get_running_loop().time() - started >= (18 - 10) / 50
