"""The lobby: what is listed and told, page by page, in a size that a line takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from protocol.client import ListTables
from protocol.server import TableInfo
from server.runtime.hub import Hub
from server.runtime.lobby import MOST, Lobby
from server.settings import Settings
from tests.server.runtime.cluster.fakes import table_info

Told = tuple[set[str], set[str]]


class Elsewhere:
    """Tables of other processes."""

    def __init__(self) -> None:
        self.infos: dict[str, TableInfo] = {}

    def names(self) -> list[str]:
        return list(self.infos)

    def info(self, table: str) -> TableInfo | None:
        return self.infos.get(table)


class Scene:
    """A lobby of tables that are elsewhere."""

    def __init__(self) -> None:
        self.elsewhere = Elsewhere()
        hub = SimpleNamespace(
            directory=SimpleNamespace(hosts={}), cluster=SimpleNamespace(tables=self.elsewhere)
        )
        self.lobby = Lobby(cast("Hub", hub))

    def put(self, name: str, **fields: Any) -> None:
        """A table is new or changed."""
        self.elsewhere.infos[name] = msgspec.structs.replace(table_info(name), **fields)
        self.lobby.note(name)

    def take(self, name: str) -> None:
        """A table is gone."""
        del self.elsewhere.infos[name]
        self.lobby.note(name)

    def listed(self, **wish: Any) -> list[str]:
        """The ids of a page, in its order."""
        page, _ = self.lobby.listed(ListTables(**wish))
        return [msgspec.json.decode(one)["table"] for one in page]

    def told(self) -> Told | None:
        """The ids in the next message: of tables shown, and of those that are gone."""
        message = self.lobby.take_message()
        if message is None:
            return None
        fields = msgspec.json.decode(message.payload)
        return {one["table"] for one in fields.get("tables", ())}, set(fields.get("gone", ()))


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ({}, {"a", "b", "c"}),
        ({"game": "pepper"}, {"b"}),
        ({"phase": "running"}, {"c"}),
        ({"open": True}, {"a", "b"}),
        ({"open": False}, {"c"}),
        ({"speed": "blitz", "game": "peeper"}, {"c"}),
        ({"ruleset": "other"}, set()),
    ],
)
def test_public_tables_that_match_every_filter(
    scene: Scene, wish: dict[str, Any], found: set[str]
) -> None:
    scene.put("a")
    scene.put("b", game="pepper")
    scene.put("c", phase="running", speed="blitz")
    scene.put("d", visibility="private")
    assert set(scene.listed(**wish)) == found


def test_a_table_is_listed_as_it_is_now(scene: Scene) -> None:
    scene.put("a")
    assert scene.listed(phase="running") == []
    scene.put("a", phase="running")
    assert scene.listed(phase="running") == ["a"]
    scene.take("a")
    assert scene.listed() == []


def test_pages_hold_every_table_once_those_with_an_open_seat_first(scene: Scene) -> None:
    names = [f"t_{number}" for number in range(2 * MOST + 1)]
    for number, name in enumerate(names):
        scene.put(name, phase="waiting" if number % 2 else "running")
    found: list[str] = []
    more = True
    while more:
        page, more = scene.lobby.listed(ListTables(skip=len(found)))
        assert len(page) <= MOST
        found += [msgspec.json.decode(one)["table"] for one in page]
    assert sorted(found) == sorted(names)
    assert set(found[:MOST]) == set(names[1::2])
    assert scene.listed(skip=len(names)) == []


def test_a_page_of_full_tables_is_less_than_what_a_line_may_hold_back(scene: Scene) -> None:
    seat = table_info("x").seats[0]
    full = msgspec.structs.replace(seat, player="p_" + "x" * 20, name="이름" * 6, state="here")
    options = {f"an_option_of_a_game_{number}": 1000 for number in range(8)}
    for number in range(MOST):
        scene.put(f"t_{number:020}", seats=[full] * 4, options=options)
    page, _ = scene.lobby.listed(ListTables())
    assert sum(map(len, page)) < Settings().max_unsent / 2


def test_changes_are_told_once_and_not_those_of_private_tables(scene: Scene) -> None:
    scene.put("a")
    scene.put("b", visibility="private")
    assert scene.told() == ({"a"}, set())
    assert scene.told() is None
    scene.put("a", audience=3)
    assert scene.told() == ({"a"}, set())
    scene.take("a")
    scene.take("b")
    assert scene.told() == (set(), {"a"})


def test_many_changes_are_told_in_turns_and_none_is_forgotten(scene: Scene) -> None:
    names = {f"t_{number}" for number in range(2 * MOST + 1)}
    for name in names:
        scene.put(name)
    seen: set[str] = set()
    for _ in range(3):
        scene.put("t_0", audience=len(seen))  # one that changes all the time takes nobody's turn
        told = scene.told()
        assert told is not None
        assert len(told[0]) <= MOST
        seen |= told[0]
    assert seen == names


def test_a_table_that_comes_here_from_elsewhere_is_one(scene: Scene) -> None:
    scene.put("a")
    assert scene.told() == ({"a"}, set())
    scene.put("a", phase="running")
    assert scene.listed() == ["a"]
    assert scene.told() == ({"a"}, set())


def test_what_nobody_was_told_is_forgotten_and_who_listens_then_misses_nothing(
    scene: Scene,
) -> None:
    scene.put("kept")
    scene.put("gone")
    assert scene.told() == ({"kept", "gone"}, set())
    scene.put("kept", phase="running")
    scene.take("gone")
    scene.lobby.forget_changes()
    assert scene.told() is None
    assert scene.listed() == ["kept"]  # whoever begins to listen
    scene.take("kept")
    assert scene.told() == (set(), {"kept"})


def test_of_a_table_that_came_and_went_unheard_nobody_is_told(scene: Scene) -> None:
    scene.put("a")
    scene.lobby.forget_changes()
    scene.take("a")
    assert scene.told() is None
