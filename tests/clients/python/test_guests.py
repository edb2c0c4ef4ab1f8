"""Guests over HTTP."""

from __future__ import annotations

import pytest

from hanpan import BadToken, Disconnected, GuestRefused, connect, end_token, guest
from hanpan.testing import FakeServer, Message, Refuse
from tests.support.hanpan_server import HanpanServer


async def test_a_guest_is_made_with_a_name(server: FakeServer) -> None:
    found = await guest(server.url, "민지")
    assert found.token == "secret"
    assert found.player["name"] == "민지"


async def test_without_a_token_connect_makes_a_guest(server: FakeServer) -> None:
    async with connect(server.url, name="민지") as client:
        assert client.token == "secret"
    assert server.received[0]["token"] == "secret"


async def test_a_bad_name_is_refused_with_a_sentence(server: FakeServer) -> None:
    def refuse(body: Message) -> Message:
        raise Refuse("bad_name", "use at least two letters")

    server.answers["guests"] = refuse
    with pytest.raises(GuestRefused, match="two letters") as refused:
        await guest(server.url, "x")
    assert refused.value.status == 422


async def test_nobody_there() -> None:
    with pytest.raises(Disconnected):
        await guest("http://127.0.0.1:9")
    with pytest.raises(Disconnected):
        await end_token("http://127.0.0.1:9", "secret")


async def test_an_ended_token_holds_no_more(live: HanpanServer) -> None:
    token = (await guest(live.url)).token
    async with connect(live.url, token=token):
        await end_token(live.url, token)
    with pytest.raises(BadToken):
        await connect(live.url, token=token)
    with pytest.raises(GuestRefused) as refused:
        await end_token(live.url, token)
    assert refused.value.status == 401
