"""A token that ends while somebody identifies with it opens nothing."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.client import Identify
from server.core.refusals import Denied
from server.runtime.hub import Hub
from server.store.models import Player
from tests.server.runtime.cluster.fakes import FakeSocket


async def identified(hub: Hub, token: str) -> FakeSocket:
    socket: Any = FakeSocket()
    await hub.identify(hub.connected(socket), Identify(token=token))
    return socket  # type: ignore[no-any-return]  # it stands for a Socket


async def test_an_ended_token_closes_its_players_sockets_and_no_others(hub: Hub) -> None:
    player, token = await hub.store.guest(None, "en")
    _, other = await hub.store.guest(None, "en")
    mine, theirs = await identified(hub, token), await identified(hub, other)
    assert await hub.revoke(token) == player.id
    assert (mine.code, theirs.code) == (4003, None)
    with pytest.raises(Denied, match="bad_token"):
        await identified(hub, token)


async def test_a_token_that_ends_while_it_is_looked_up(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = await hub.store.guest(None, "en")
    look_up = hub.store.identify

    async def slow(token: str) -> Player | None:
        found = await look_up(token)
        await hub.revoke(token)
        return found

    monkeypatch.setattr(hub.store, "identify", slow)
    with pytest.raises(Denied, match="bad_token"):
        await identified(hub, token)


async def test_what_ended_unheard_is_found_in_the_store(hub: Hub) -> None:
    _, token = await hub.store.guest(None, "en")
    _, other = await hub.store.guest(None, "en")
    mine, theirs = await identified(hub, token), await identified(hub, other)
    before = hub.wall.now() - 1_000
    await hub.store.revoke(token)
    await hub.close_revoked(before)
    assert (mine.code, theirs.code) == (4003, None)
