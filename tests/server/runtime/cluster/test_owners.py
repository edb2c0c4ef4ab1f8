"""Which tables are taken, and when."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.journal.base import Fenced, Own
from server.runtime.cluster.link import Link
from server.runtime.cluster.owners import LIST_S, Owners
from server.runtime.cluster.packets import Freed, Shared, Tables
from server.runtime.cluster.shared import SharedTables
from tests.server.runtime.cluster.fakes import FakeDirectory, Network, fake_hub, table_info


class FakeJournal:
    """Who owns what, and who lives."""

    def __init__(self) -> None:
        self.owned: dict[str, Own] = {}
        self.living = {"a", "b"}
        self.lists = 0
        self.mine = True
        self.released: list[tuple[str, int]] = []

    def held(self, node: str) -> bool:
        """Whether the lease is held."""
        return self.mine

    async def alive(self, node: str) -> bool:
        """Whether it lives."""
        return node in self.living

    async def tables(self) -> list[tuple[str, Own]]:
        """All."""
        self.lists += 1
        return sorted(self.owned.items())

    async def release(self, table: str, fence: int) -> None:
        """Released; t_fenced is another's."""
        if table == "t_fenced":
            raise Fenced(table)
        self.released.append((table, fence))


class Scene:
    """The owners of process a."""

    def __init__(self) -> None:
        self.hub = fake_hub(Network(), "a")
        self.journal = FakeJournal()
        cast("Any", self.hub).journal = self.journal
        link = Link(self.hub.bus, "a")
        self.told: list[Any] = []
        cast("Any", link).tell_all = self.told.append
        self.tables = SharedTables(self.hub, link)
        self.owners = Owners(self.hub, link, self.tables)
        self.now = 100.0

    async def look(self, freed: bool = False) -> list[str]:
        self.directory.taken.clear()
        await self.owners._look(self.now, freed)
        return sorted(name for name, _ in self.directory.taken)

    @property
    def directory(self) -> FakeDirectory:
        return cast("FakeDirectory", self.hub.directory)


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_only_tables_of_the_dead_are_taken(scene: Scene) -> None:
    scene.journal.owned = {"t_b": Own("b", 1, 5), "t_x": Own("x", 1, 5), "t_free": Own("", 2, 5)}
    assert await scene.look() == ["t_free", "t_x"]


async def test_a_table_of_the_journal_is_expected_though_nobody_told_of_it(scene: Scene) -> None:
    scene.journal.owned = {"t_x": Own("x", 1, 5), "t_b": Own("b", 1, 5)}
    assert not scene.tables.lately("t_x")
    await scene.look()
    assert scene.tables.lately("t_x")
    assert scene.tables.lately("t_b")
    assert not scene.tables.lately("t_none")


async def test_between_lists_only_leases_are_asked_for(scene: Scene) -> None:
    scene.journal.owned = {"t_b": Own("b", 1, 5)}
    for _ in range(4):
        scene.now += LIST_S / 10
        await scene.look()
    assert scene.journal.lists == 1
    scene.journal.living.discard("b")
    assert await scene.look() == ["t_b"]
    assert scene.journal.lists == 2


async def test_what_was_let_go_is_taken_at_once(scene: Scene) -> None:
    await scene.look()
    scene.journal.owned = {"t_free": Own("", 2, 5)}
    assert await scene.look() == []
    assert await scene.look(freed=True) == ["t_free"]


async def test_after_an_outage_nobody_counts_as_gone_for_a_while(scene: Scene) -> None:
    scene.now = asyncio.get_running_loop().time()
    scene.journal.owned = {"t_x": Own("x", 1, 5), "t_free": Own("", 2, 5)}
    scene.journal.mine = False
    assert await scene.look() == ["t_free"]
    scene.journal.mine = True
    scene.now += scene.hub.settings.lease_ms / 1000
    assert await scene.look() == ["t_free"]
    scene.now += scene.hub.settings.lease_ms / 1000
    assert await scene.look() == ["t_free", "t_x"]


async def test_a_table_that_is_anothers_in_the_journal_is_given_up(scene: Scene) -> None:
    fenced: list[str] = []
    host = SimpleNamespace(own=Own("a", 1, 5), fence_off=lambda: fenced.append("t_1"))
    scene.directory.hosts["t_1"] = host
    scene.journal.owned = {"t_1": Own("a", 1, 5)}
    await scene.look()
    assert fenced == []
    scene.now += LIST_S
    scene.journal.owned = {"t_1": Own("b", 2, 5)}
    await scene.look()
    assert fenced == ["t_1"]


async def test_a_game_that_is_not_here_is_left_to_others(scene: Scene) -> None:
    scene.tables.heard("x", Tables([Shared(table_info("t_x", game="unknown"), 1)], []))
    scene.journal.owned = {"t_x": Own("x", 1, 5)}
    assert await scene.look() == []


async def test_all_tables_are_let_go_and_said_to_be_free(scene: Scene) -> None:
    stopped: list[str] = []
    for number, name in enumerate(["t_1", "t_2", "t_fenced"]):
        host = SimpleNamespace(id=name, own=Own("a", number, 5), stop=stopped.append)
        scene.directory.hosts[name] = host
    await scene.owners.hand_over()
    assert stopped == ["moving"] * 3
    assert sorted(scene.journal.released) == [("t_1", 0), ("t_2", 1)]
    assert sorted(scene.directory.let_go_of) == ["t_1", "t_2", "t_fenced"]
    assert scene.told == [Freed(["t_1", "t_2", "t_fenced"])]


async def test_a_table_that_comes_while_all_are_let_go_is_let_go_too(scene: Scene) -> None:
    async def take(name: str, own: Own) -> bool:
        cast("Any", scene.owners._hub).draining = True
        host = SimpleNamespace(id=name, own=Own("a", own.fence + 1, 5), stop=lambda why: None)
        scene.directory.hosts[name] = host
        return True

    cast("Any", scene.directory).take = take
    await scene.owners._take("t_1", Own("", 3, 5))
    assert scene.journal.released == [("t_1", 4)]
    assert scene.directory.hosts == {}
    # And nothing is taken any more.
    await scene.owners._take("t_2", Own("", 3, 5))
    assert scene.directory.hosts == {}
