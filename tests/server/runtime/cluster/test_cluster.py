"""What comes over the links goes to whose it is; an outage is said, and its end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.client import Place
from server.journal.base import Own
from server.runtime.cluster.cluster import MISSED_MS, Cluster
from server.runtime.cluster.packets import Freed, Query, Stand, Tables
from tests.server.runtime.cluster.fakes import Network, connection, fake_hub


class Scene:
    """Process a with its cluster, in a network with others."""

    def __init__(self) -> None:
        self.network = Network()
        self.hub = fake_hub(self.network, "a")
        self.closed: list[str] = []
        self.looked: list[int] = []
        hub = cast("Any", self.hub)
        hub.close_sockets = self.closed.append
        hub.close_revoked = self.looked.append
        hub.spawn = lambda done: done
        self.cluster = Cluster(self.hub)
        self.cluster.link.start()
        self.said: list[str] = []
        host = SimpleNamespace(
            id="t_1",
            own=Own("a", 1, 0),
            stand_still=lambda: self.said.append("frozen"),
            move_again=lambda: self.said.append("thawed"),
        )
        cast("Any", self.hub.directory).hosts["t_1"] = host

    async def hear(self, sender: str, item: Any) -> None:
        other = Cluster(fake_hub(self.network, sender))
        other.link.tell_all(item)
        await self.network.run()


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_a_revoked_token_closes_the_players_sockets_in_every_process(scene: Scene) -> None:
    other = Cluster(fake_hub(scene.network, "b"))
    other.revoked("p_1")
    await scene.network.run()
    assert scene.closed == ["p_1"]


async def test_what_this_process_says_to_all_is_nothing_new_to_it(scene: Scene) -> None:
    scene.cluster.revoked("p_1")
    await scene.network.run()
    assert scene.closed == []


async def test_revocations_that_may_not_have_been_heard_are_looked_for(scene: Scene) -> None:
    wall, bus = cast("Any", scene.hub.wall), cast("Any", scene.hub.bus)
    scene.hub.directory.hosts.clear()
    scene.cluster._watch_bus()
    known = wall.ms
    for up in (False, False, True):
        wall.ms += 100_000
        bus.up = up
        scene.cluster._watch_bus()
    assert scene.looked == [known - MISSED_MS]
    # A new connection of the bus may have missed something too.
    bus.resets[0]()
    assert scene.looked[1:] == [wall.ms - MISSED_MS]


async def test_freed_tables_are_looked_for_at_once(scene: Scene) -> None:
    assert not scene.cluster.owners._wake.is_set()
    await scene.hear("b", Freed(["t_2"]))
    assert scene.cluster.owners._wake.is_set()


async def test_an_outage_is_said_at_every_table_and_so_is_its_end(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, bus = scene.cluster, cast("Any", scene.hub.bus)
    told: list[Any] = []
    monkeypatch.setattr(cluster.link, "tell_all", told.append)
    monkeypatch.setattr(cluster.tables, "tell_everything", lambda: told.append("everything"))
    for up in (True, False, False, True):
        bus.up = up
        cluster._watch_bus()
    assert scene.said == ["frozen", "thawed"]
    # Who moved what meanwhile is asked for, and said.
    assert told == [Query(), "everything"]


async def test_tables_of_others_are_kept(scene: Scene) -> None:
    await scene.hear("b", Tables([], []))
    assert scene.cluster.tables.owners() == set()


async def test_who_came_back_to_a_table_that_stood_still_follows_it_to_its_next_owner(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = connection(scene.hub)
    place = Place(table="t_1", stream="seat:0", epoch="e_1", seq=7, detail="events")
    host = cast("Any", scene.hub.directory.hosts["t_1"])
    host.channels, host.controllers, host.frozen = [], {}, True
    host.returning = {here: place}
    followed: list[Any] = []
    monkeypatch.setattr(
        scene.cluster.gateway, "went_away", lambda session, stand: followed.append((session, stand))
    )
    scene.cluster.left(host)
    assert followed == [(here, Stand("t_1", "seat:0", "e_1", 7, False, vouched=True, frozen=True))]
    assert host.returning == {}
