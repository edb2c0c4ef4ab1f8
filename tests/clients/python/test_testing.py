"""The fakes that the SDK ships."""

from __future__ import annotations

import asyncio

import pytest

from hanpan import Client, NotFound, connect
from hanpan.testing import FakeServer, FakeTable, PeerGone, Refuse

PASS = {"type": "pass"}


def test_a_table_answers_a_request_once() -> None:
    table = FakeTable()
    table.ask("r1", PASS)
    first = table.act({"request": "r1", "action": PASS})
    assert table.act({"request": "r1", "action": PASS}) == first
    assert table.acts == [PASS]
    with pytest.raises(Refuse):
        table.act({"request": "r1", "action": {"type": "play"}})
    with pytest.raises(Refuse):
        table.act({"request": "r9", "action": PASS})


def test_a_tables_frames_are_numbered_and_kept() -> None:
    table = FakeTable(stream="public", hand=["5"])
    table.update({"type": "a"}, view={"hand": []})
    assert [frame["seq"] for frame in table.frames] == [1]
    assert (table.seat, table.view, table.top["seq"]) == (None, {"hand": []}, 1)


async def test_a_scripted_server_leaves_everything_to_the_test() -> None:
    async with FakeServer(scripted=True) as server:

        async def open_client() -> Client:
            return await connect(server.url, token="secret")

        opening = asyncio.create_task(open_client())
        peer = await server.accept()
        await peer.opened.wait()
        peer.send(server.hello)
        identify = await peer.expect("identify")
        peer.send({"type": "ok", "re": identify["id"], "player": {"id": "p", "name": "n"}})
        client = await opening
        asking = asyncio.create_task(client.games())
        with pytest.raises(AssertionError, match="where ready was expected"):
            await peer.expect("ready")
        await client.close()
        with pytest.raises(PeerGone):
            await peer.recv()
        await asyncio.gather(asking, return_exceptions=True)


async def test_an_answer_of_ones_own_and_an_unknown_table(server: FakeServer) -> None:
    server.answers["create_table"] = lambda message: {"table": "t_7", "invite": "1234"}
    async with connect(server.url, token="secret") as client:
        assert await client.create_table("g", 2) == ("t_7", "1234")
        with pytest.raises(NotFound):
            await client.join("t_7")


async def test_a_stopped_server_comes_back_on_its_port(server: FakeServer) -> None:
    url = server.url
    await server.stop()
    await server.start()
    assert server.url == url
    async with connect(url, token="secret") as client:
        assert client.player is not None
