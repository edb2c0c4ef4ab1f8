"""Who owns which table, as processes tell each other; the higher fence has it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Shared, Tables
from server.runtime.cluster.shared import LATELY_MS, SharedTables
from server.runtime.hub import Hub
from tests.server.runtime.cluster.fakes import Network, fake_hub, table_info


@pytest.fixture
def hub() -> Hub:
    return fake_hub(Network(), "a")


@pytest.fixture
def tables(hub: Hub) -> SharedTables:
    return SharedTables(hub, Link(hub.bus, "a"))


def told(*names: str, fence: int = 1, gone: tuple[str, ...] = (), all: bool = False) -> Tables:
    return Tables([Shared(table_info(name), fence) for name in names], list(gone), all)


def test_the_first_who_tells_is_the_owner(tables: SharedTables) -> None:
    assert tables.heard("b", told("t_1", "t_2")) == ["t_1", "t_2"]
    assert tables.owner("t_1") == "b"
    assert tables.heard("b", told("t_1")) == []
    assert tables.owners() == {"b"}


def test_a_higher_fence_moves_it_and_a_lower_one_does_not(tables: SharedTables) -> None:
    tables.heard("b", told("t_1", fence=2))
    assert tables.heard("c", told("t_1", fence=3)) == ["t_1"]
    assert tables.heard("b", told("t_1", fence=2)) == []
    assert (tables.owner("t_1"), tables.fence("t_1")) == ("c", 3)


def test_only_its_owner_can_take_it_away(tables: SharedTables) -> None:
    tables.heard("b", told("t_1"))
    tables.heard("c", told(gone=("t_1",)))
    assert tables.owner("t_1") == "b"
    tables.heard("b", told(gone=("t_1",)))
    assert tables.owner("t_1") is None


def test_a_full_list_takes_away_what_is_not_on_it(tables: SharedTables) -> None:
    tables.heard("b", told("t_1", "t_2"))
    tables.heard("c", told("t_3"))
    tables.heard("b", told("t_2", all=True))
    assert [tables.owner(name) for name in ("t_1", "t_2", "t_3")] == [None, "b", "c"]


def test_what_went_lately_may_be_somewhere(tables: SharedTables, hub: Hub) -> None:
    assert not tables.lately("t_1")
    tables.heard("b", told("t_1"))
    tables.forget("t_1")
    assert tables.lately("t_1")
    cast("Any", hub.wall).ms += LATELY_MS
    assert not tables.lately("t_1")


def test_a_private_table_is_found_by_its_code(tables: SharedTables) -> None:
    tables.heard("b", Tables([Shared(table_info("t_1"), 1, "123456")], []))
    assert tables.named("123456") == "t_1"
    assert tables.named("t_1") == "t_1"
    tables.forget("t_1")
    assert tables.named("123456") == "123456"


def host(fence: int) -> Any:
    made = SimpleNamespace(own=SimpleNamespace(fence=fence), fenced=0)

    def fence_off() -> None:
        made.fenced += 1

    made.fence_off = fence_off
    return made


def test_a_claim_to_a_table_that_is_here_is_settled_by_the_fence(
    tables: SharedTables, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Shared(table_info("t_1"), 5)
    monkeypatch.setattr("server.runtime.cluster.shared.share", lambda host: shared)
    answers: list[Any] = []
    monkeypatch.setattr(tables._link, "send", lambda node, item: answers.append((node, item)))
    mine = host(fence=5)
    cast("Any", hub.directory).hosts["t_1"] = mine
    assert tables.heard("b", told("t_1", fence=4)) == []
    assert mine.fenced == 0
    assert answers == [("b", Tables([shared], []))]
    tables.heard("b", told("t_1", fence=6))
    assert mine.fenced == 1


def test_the_highest_fence_stays_known_while_something_of_an_older_one_may_come(
    tables: SharedTables, hub: Hub
) -> None:
    hosts = cast("Any", hub.directory).hosts
    tables.heard("b", told("t_1", fence=1))
    hosts["t_1"] = mine = host(fence=2)  # taken from b
    tables.forget("t_1")
    assert tables.fence("t_1") == 2
    del hosts["t_1"]  # and taken by somebody else, who has not told yet
    mine.id = "t_1"
    tables.closed(mine)
    assert tables.fence("t_1") == 2
    assert tables.heard("b", told("t_1", fence=1)) == []
    assert tables.owner("t_1") is None
    tables.heard("c", told("t_1", fence=3))
    tables.heard("c", told(gone=("t_1",)))
    assert tables.fence("t_1") == 3
    cast("Any", hub.wall).ms += LATELY_MS
    tables.tell_everything()
    assert tables.fence("t_1") == 0


def test_the_lobby_finds_those_of_others(tables: SharedTables) -> None:
    tables.heard("b", told("t_1"))
    assert tables.names() == ["t_1"]
    info = tables.info("t_1")
    assert info is not None
    assert info.table == "t_1"
    assert tables.info("t_2") is None


def test_a_players_seats_elsewhere(tables: SharedTables) -> None:
    tables.heard("b", Tables([Shared(table_info("t_1", player="p_1"), 1)], []))
    assert [seat.table for seat in tables.seats_of("p_1")] == ["t_1"]
    assert tables.seats_of("p_2") == []
