"""The connection's side: requests until they are answered, streams in their order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from protocol.client import Ready, Unwatch, Watch
from protocol.codec import decode, encode
from protocol.server import Ok
from server.core.refusals import Denied
from server.runtime.cluster.gateway import NOWHERE, Gateway
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import (
    Deliver,
    Forward,
    Gone,
    Present,
    Reattach,
    Shared,
    Stand,
    Tables,
)
from server.runtime.cluster.requests import GIVE_UP_MS, LOST_MS, REPEAT_MS, UNKNOWN_MS
from server.runtime.cluster.shared import SharedTables
from server.runtime.connection import Connection
from server.runtime.hub import Hub
from tests.server.runtime.cluster.fakes import Network, connection, fake_hub, sent, table_info


class Scene:
    """A gateway, a connection at it, and all that it sends to owners."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hub: Hub = fake_hub(Network(), "a")
        link = Link(self.hub.bus, "a")
        self.tables = SharedTables(self.hub, link)
        self.gateway = Gateway(self.hub, link, self.tables)
        self.out: list[tuple[str, Any]] = []
        monkeypatch.setattr(link, "send", lambda node, item: self.out.append((node, item)))
        monkeypatch.setattr(link, "tell_all", lambda item: self.out.append(("*", item)))
        self.refused: list[str] = []
        monkeypatch.setattr(Connection, "refuse", self._refuse)
        self.one = connection(self.hub)
        self.told("b", fence=1)

    def _refuse(self, message: Any, denied: Denied) -> None:
        self.refused.append(denied.code)

    def told(self, node: str, fence: int) -> None:
        moved = self.tables.heard(node, Tables([Shared(table_info("t_1"), fence)], []))
        self.gateway.moved(moved)

    def pass_ms(self, ms: int) -> None:
        cast("Any", self.hub.wall).ms += ms
        self.gateway.sweep()

    def take(self, kind: type[Any]) -> list[tuple[str, Any]]:
        found = [(node, item) for node, item in self.out if isinstance(item, kind)]
        self.out = [pair for pair in self.out if pair not in found]
        return found

    def deliver(self, kind: str, seq: int = 0, payload: bytes = b"", fence: int = 1) -> None:
        item = Deliver([1], payload or b"%s %d" % (kind.encode(), seq), 0, cast("Any", kind))
        item.table, item.stream, item.epoch, item.seq, item.fence = "t_1", "public", "e", seq, fence
        self.gateway.deliver("b", item)

    def answer(self, request: int, payload: bytes, fence: int = 1) -> None:
        self.gateway.deliver("b", Deliver([1], payload, request, table="t_1", fence=fence))

    def begin(self, stream: str = "public", fence: int = 1) -> None:
        """The answer to a request that a stream begins with; without its present, which is lost."""
        request = ask(self, Watch(table="t_1", id="mine")).request
        item = Deliver([1], encode(Ok(re=request, table="t_1")), request, table="t_1", fence=fence)
        item.stream = stream
        self.gateway.deliver("b", item)


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(monkeypatch)


def ask(scene: Scene, message: Any = None) -> Forward:
    """Ask process b; `ask_any` asks whoever has the table."""
    message = Ready(table="t_1", id="mine") if message is None else message
    scene.gateway.forward(scene.one, message, scene.hub.wall.now())
    ((node, item),) = scene.take(Forward)
    assert node == "b"
    forwarded: Forward = item
    return forwarded


def ask_any(scene: Scene, message: Any) -> int:
    scene.gateway.forward(scene.one, message, scene.hub.wall.now())
    ((_, item),) = scene.take(Forward)
    request: int = item.request
    return request


def test_a_request_gets_its_own_id_back(scene: Scene) -> None:
    item = ask(scene)
    assert cast("Any", decode(item.payload)).id == item.request
    scene.answer(item.request, encode(Ok(re=item.request)))
    (payload,) = sent(scene.one)
    assert msgspec.json.decode(payload)["re"] == "mine"
    scene.pass_ms(REPEAT_MS)
    assert scene.take(Forward) == []


def test_without_an_id_the_answer_has_none(scene: Scene) -> None:
    item = ask(scene, Ready(table="t_1"))
    scene.answer(item.request, encode(Ok(re=item.request)))
    (payload,) = sent(scene.one)
    assert "re" not in msgspec.json.decode(payload)


def test_a_request_is_repeated_with_its_age_then_moving(scene: Scene) -> None:
    item = ask(scene)
    scene.pass_ms(REPEAT_MS)
    ((_, again),) = scene.take(Forward)
    assert (again.request, again.age) == (item.request, REPEAT_MS)
    scene.pass_ms(GIVE_UP_MS)
    assert scene.refused == ["moving"]
    scene.answer(item.request, encode(Ok(re=item.request)))
    assert sent(scene.one) == []


def test_a_table_that_nobody_has_is_not_found_and_one_that_went_is_moving(scene: Scene) -> None:
    scene.gateway.forward(scene.one, Ready(table="t_2"), scene.hub.wall.now())
    scene.pass_ms(UNKNOWN_MS + 1)
    assert scene.refused == ["not_found"]
    scene.tables.heard("b", Tables([], ["t_1"]))
    scene.gateway.forward(scene.one, Ready(table="t_1"), scene.hub.wall.now())
    scene.pass_ms(UNKNOWN_MS + 1)
    assert scene.refused == ["not_found"]
    scene.pass_ms(GIVE_UP_MS)
    assert scene.refused == ["not_found", "moving"]


def test_a_new_owner_is_asked_at_once(scene: Scene) -> None:
    item = ask(scene)
    scene.told("c", fence=2)
    ((node, again),) = scene.take(Forward)
    assert (node, again.request) == ("c", item.request)


def attach(scene: Scene, seq: int = 5) -> None:
    ask(scene)
    scene.deliver("snapshot", seq)
    sent(scene.one)


def test_updates_pass_in_their_order_and_once(scene: Scene) -> None:
    attach(scene)
    for seq in (6, 6, 7, 5):
        scene.deliver("update", seq)
    assert sent(scene.one) == [b"update 6", b"update 7"]
    (top,) = scene.gateway.tops(scene.one)
    assert (top.table, top.stream, top.seq) == ("t_1", "public", 7)


def test_nothing_passes_behind_a_gap_until_it_is_repaired(scene: Scene) -> None:
    attach(scene)
    scene.deliver("update", 7)
    scene.deliver("update", 8)
    assert sent(scene.one) == []
    ((node, item),) = scene.take(Reattach)
    assert (node, item.stand.seq, item.stand.vouched) == ("b", 5, True)
    for seq in (6, 7, 8):
        scene.deliver("update", seq)
    assert sent(scene.one) == [b"update 6", b"update 7", b"update 8"]


def test_a_repair_is_repeated_until_it_is_answered(scene: Scene) -> None:
    attach(scene)
    scene.gateway.repair("b")
    ((_, first),) = scene.take(Reattach)
    scene.pass_ms(REPEAT_MS)
    ((_, second),) = scene.take(Reattach)
    assert first.request == second.request
    scene.answer(first.request, b"")
    scene.pass_ms(REPEAT_MS)
    assert scene.take(Reattach) == []
    scene.gateway.repair("c")
    assert scene.take(Reattach) == []


def test_another_loss_asks_anew_since_the_first_answer_may_be_behind_it(scene: Scene) -> None:
    attach(scene)
    scene.gateway.repair("b")
    scene.gateway.repair("b")
    (_, first), (_, second) = scene.take(Reattach)
    assert first.request != second.request
    scene.answer(first.request, b"")
    scene.pass_ms(REPEAT_MS)
    assert [item.request for _, item in scene.take(Reattach)] == [second.request]


def test_what_an_owner_of_old_says_is_not_passed_on(scene: Scene) -> None:
    attach(scene)
    scene.told("c", fence=2)
    ((_, item),) = scene.take(Reattach)
    for kind in ("update", "snapshot", "frozen", "plain", "gone"):
        scene.deliver(kind, 6)
    scene.answer(item.request, b"")
    assert sent(scene.one) == []
    scene.pass_ms(REPEAT_MS)
    assert len(scene.take(Reattach)) == 1
    scene.deliver("update", 6, fence=2)
    assert sent(scene.one) == [b"update 6"]


def test_what_an_owner_of_old_says_is_not_passed_on_where_the_table_is_now(scene: Scene) -> None:
    ask(scene)
    hosts = cast("Any", scene.hub.directory).hosts
    hosts["t_1"] = mine = SimpleNamespace(id="t_1", own=SimpleNamespace(fence=2))
    scene.tables.forget("t_1")
    for kind in ("snapshot", "update", "frozen", "plain", "gone"):
        scene.deliver(kind, 6, fence=1)
    assert sent(scene.one) == []
    # Nor when it went on to somebody who is not known yet.
    del hosts["t_1"]
    scene.tables.closed(cast("Any", mine))
    scene.deliver("snapshot", 6, fence=1)
    assert sent(scene.one) == []
    scene.deliver("snapshot", 6, fence=3)
    assert sent(scene.one) == [b"snapshot 6"]


def test_after_unwatching_nothing_is_followed(scene: Scene) -> None:
    attach(scene)
    item = ask(scene, Unwatch(table="t_1"))
    scene.gateway.repair("b")
    scene.answer(item.request, encode(Ok(re=item.request)))
    sent(scene.one)
    scene.take(Reattach)
    scene.pass_ms(REPEAT_MS)
    scene.told("c", fence=2)
    assert scene.take(Reattach) == []
    scene.deliver("update", 6, fence=2)
    assert sent(scene.one) == []


def test_what_a_stream_begins_with_is_asked_for_if_it_is_lost(scene: Scene) -> None:
    scene.begin()
    assert len(sent(scene.one)) == 1
    assert scene.gateway.tops(scene.one) == []
    for seq in (1, 2):  # nobody can fold these without their beginning
        scene.deliver("update", seq)
    assert sent(scene.one) == []
    scene.pass_ms(1)
    ((node, item),) = scene.take(Reattach)
    assert (node, item.stand.table, item.stand.stream) == ("b", "t_1", "public")
    assert (item.stand.epoch, item.stand.vouched) == (NOWHERE, True)
    scene.pass_ms(REPEAT_MS)
    assert [again.request for _, again in scene.take(Reattach)] == [item.request]
    scene.deliver("snapshot", 2)
    scene.deliver("update", 3)
    assert sent(scene.one) == [b"snapshot 2", b"update 3"]


def test_what_a_stream_begins_with_is_not_asked_for_when_it_came(scene: Scene) -> None:
    scene.begin()
    scene.deliver("snapshot", 5)
    scene.pass_ms(REPEAT_MS)
    assert scene.take(Reattach) == []


def test_no_stream_begins_for_whoever_is_gone(scene: Scene) -> None:
    item = ask(scene, Watch(table="t_1", id="mine"))
    cast("Any", scene.one.socket).is_open = False
    scene.gateway.gone(scene.one)
    begins = Deliver([1], encode(Ok(re=item.request, table="t_1")), item.request, table="t_1")
    begins.fence, begins.stream = 1, "seat:1"
    scene.gateway.deliver("b", begins)
    scene.pass_ms(REPEAT_MS)
    assert scene.take(Reattach) == []
    scene.gateway.repair(None)
    assert scene.take(Reattach) == []
    scene.take(Present)
    scene.gateway.tell_present()
    assert [found.connections for _, found in scene.take(Present)] == [[]]


def test_whoever_begins_anew_does_not_go_on_from_where_he_stood(scene: Scene) -> None:
    attach(scene)
    scene.gateway.bus_away()
    scene.gateway.repair("b")
    scene.take(Reattach)
    scene.begin("seat:1")
    for ms in (1, REPEAT_MS):
        scene.pass_ms(ms)
        ((_, item),) = scene.take(Reattach)
        assert (item.stand.stream, item.stand.epoch, item.stand.frozen) == ("seat:1", NOWHERE, True)


def test_a_stream_that_has_not_begun_is_asked_of_the_new_owner(scene: Scene) -> None:
    scene.begin()
    scene.told("c", fence=2)
    scene.pass_ms(1)
    ((node, item),) = scene.take(Reattach)
    assert (node, item.stand.epoch) == ("c", NOWHERE)


def test_no_stream_begins_with_what_an_owner_of_old_answers(scene: Scene) -> None:
    scene.told("c", fence=2)
    request = ask_any(scene, Watch(table="t_1", id="mine"))
    answer = Deliver([1], encode(Ok(re=request)), request, table="t_1", stream="public", fence=1)
    scene.gateway.deliver("b", answer)
    assert sent(scene.one) == []
    scene.pass_ms(REPEAT_MS)
    assert [item.request for _, item in scene.take(Forward)] == [request]


def test_whoever_leaves_what_has_not_begun_is_not_asked_for(scene: Scene) -> None:
    scene.begin()
    item = ask(scene, Unwatch(table="t_1"))
    scene.answer(item.request, encode(Ok(re=item.request)))
    scene.pass_ms(REPEAT_MS)
    assert scene.take(Reattach) == []


def test_frozen_is_said_once_and_kept_until_thawed(scene: Scene) -> None:
    attach(scene)
    scene.gateway.bus_away()
    scene.gateway.bus_away()
    (told,) = sent(scene.one)
    assert msgspec.json.decode(told)["type"] == "frozen"
    scene.deliver("frozen")
    assert sent(scene.one) == []
    scene.gateway.repair(None)
    ((_, item),) = scene.take(Reattach)
    assert item.stand.frozen
    scene.deliver("thawed")
    assert sent(scene.one) == [b"thawed 0"]


def test_a_snapshot_does_not_say_that_a_table_goes_on(scene: Scene) -> None:
    attach(scene)
    scene.gateway.bus_away()
    scene.deliver("snapshot", 9)
    sent(scene.one)
    scene.deliver("thawed")
    assert sent(scene.one) == [b"thawed 0"]


def test_a_stream_whose_table_nobody_has_is_given_up(scene: Scene) -> None:
    scene.gateway.resume(scene.one, [Stand("t_9", "public", "e", 3, True)])
    scene.pass_ms(LOST_MS - 1)
    assert sent(scene.one) == []
    cast("Any", scene.hub.bus).up = False
    scene.pass_ms(10)
    assert sent(scene.one) == []
    cast("Any", scene.hub.bus).up = True
    scene.pass_ms(10)
    (told,) = sent(scene.one)
    assert msgspec.json.decode(told)["type"] == "unseated"
    assert scene.gateway.tops(scene.one) == []


def test_owners_hear_who_is_here_and_who_went(scene: Scene) -> None:
    attach(scene)
    scene.gateway.tell_present()
    assert scene.take(Present) == [("b", Present([1]))]
    scene.gateway.gone(scene.one)
    cast("Any", scene.one.socket).is_open = False
    assert scene.take(Gone) == [("b", Gone(1))]
    scene.pass_ms(0)
    scene.gateway.tell_present()
    assert scene.take(Present) == [("b", Present([]))]
    scene.deliver("update", 6)
    assert scene.take(Gone) == [("b", Gone(1))]


def test_a_claimed_stand_is_not_vouched_for_until_an_owner_shows_it(scene: Scene) -> None:
    scene.gateway.resume(scene.one, [Stand("t_1", "public", "e", 5, True)])
    ((_, item),) = scene.take(Reattach)
    assert not item.stand.vouched
    scene.deliver("update", 6)
    scene.gateway.repair("b")
    ((_, item),) = scene.take(Reattach)
    assert item.stand.vouched
