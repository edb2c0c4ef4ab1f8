"""The owner's side: requests carried out once, answers given again."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.client import Ready
from protocol.codec import encoder
from protocol.server import Audience, Unseated
from server.core.refusals import Denied
from server.runtime.cluster.guests import KEEP_MS, Answers, Guests
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Deliver, Forward, Reattach, Stand, Tables, Who
from server.runtime.handlers import places
from server.runtime.session import Place, Session
from tests.server.runtime.cluster.fakes import Network, fake_hub

WHO = Who(7, "p_1", "Kim", True, "ko", None)


class Scene:
    """An owner with one table, whose handler does what the test says."""

    def __init__(self) -> None:
        self.hub = fake_hub(Network(), "b")
        link = Link(self.hub.bus, "b")
        self.out: list[Any] = []
        self.restarted: list[str] = []
        any_link = cast("Any", link)
        any_link.send = lambda node, item: self.out.append(item)
        any_link.deliver = lambda node, number, message, item: self.out.append(item)
        any_link.restart = self.restarted.append
        self.left: list[str] = []
        self.done: list[Session] = []
        self.do: Callable[[Session, Any], None] = lambda session, message: session.ok(message)
        hub = cast("Any", self.hub)
        own = SimpleNamespace(fence=3)
        hub.directory.hosts["t_1"] = SimpleNamespace(id="t_1", own=own, channels=[])
        hub.handlers = {Ready: self._handle}
        hub.leave_place = lambda session, table: self.left.append(table)
        hub.sentences = SimpleNamespace(refusal=lambda *_: "No.")
        self.guests = Guests(self.hub, link)

    def _handle(self, session: Session, message: Any, at: int) -> None:
        self.done.append(session)
        self.at = at
        self.do(session, message)

    def forward(self, request: int, table: str = "t_1", age: int = 40) -> list[Any]:
        payload = encoder.encode(Ready(table=table, id=request))
        self.guests.forward("a", Forward(WHO, request, age, payload))
        found, self.out = self.out, []
        return found


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_request_is_done_once_and_answered_again(scene: Scene) -> None:
    (first,) = scene.forward(1)
    (again,) = scene.forward(1)
    assert first == again
    assert first.request == 1
    assert len(scene.done) == 1
    assert scene.at == scene.hub.wall.now() - 40
    scene.forward(2)
    assert scene.done[0] is scene.done[1]


def test_while_it_is_carried_out_a_repeat_waits(scene: Scene) -> None:
    waiting: list[Any] = []
    scene.do = lambda session, message: waiting.append((session, message))
    assert scene.forward(1) == []
    assert scene.forward(1) == []
    ((session, message),) = waiting
    session.ok(message)
    assert len(scene.out) == 1


def test_moving_is_no_answer_and_the_repeat_is_carried_out(scene: Scene) -> None:
    def moving(session: Session, message: Any) -> None:
        raise Denied("moving")

    scene.do = moving
    assert scene.forward(1) == []
    assert scene.forward(1) == []
    assert len(scene.done) == 2


def test_a_refusal_and_a_fault_are_answers(scene: Scene) -> None:
    def refuse(session: Session, message: Any) -> None:
        raise Denied("not_seated")

    def fail(session: Session, message: Any) -> None:
        raise RuntimeError("planted")

    scene.do = refuse
    (answer,) = scene.forward(1)
    assert b"not_seated" in answer.payload
    scene.do = fail
    (answer,) = scene.forward(2)
    assert b"internal" in answer.payload


def test_a_table_that_is_not_here_is_said_so(scene: Scene) -> None:
    assert scene.forward(1, table="t_2") == [Tables([], ["t_2"])]
    assert scene.done == []


def test_what_is_about_a_table_carries_its_fence(scene: Scene) -> None:
    scene.forward(1)
    scene.done[0].send(Audience(table="t_1", count=2))
    (item,) = scene.out
    assert isinstance(item, Deliver)
    assert (item.kind, item.table, item.fence, item.connections) == ("plain", "t_1", 3, [7])


def test_an_answer_that_a_stream_begins_with_names_it_each_time(scene: Scene) -> None:
    host = cast("Any", scene.hub.directory.hosts["t_1"])
    host.channels = [SimpleNamespace(name="seat:0"), SimpleNamespace(name="public")]
    subscription = cast("Any", SimpleNamespace(view=False))

    def listen(session: Session, message: Any) -> None:
        session.places["t_1"] = Place(host, 1, None, subscription)
        session.ok(message, table="t_1")

    scene.do = listen
    (first,) = scene.forward(1)
    (again,) = scene.forward(1)
    assert first == again
    assert (first.table, first.stream, first.view, first.fence) == ("t_1", "public", False, 3)
    # Any other answer has nothing to do with a stream, also of who listens.
    scene.do = lambda session, message: session.ok(message)
    (other,) = scene.forward(2)
    assert (other.table, other.stream) == ("", "")


def test_a_repair_takes_no_seat_from_a_newer_connection(scene: Scene) -> None:
    """Told of it once more, since what said so may be what was lost; and again at every repeat."""
    scene.do = lambda session, message: session.send(Unseated(table="t_1", why="replaced"))
    scene.forward(1)
    stand = Stand("t_1", "seat:0", "e_1", 4, True, vouched=True)
    for _ in range(2):
        scene.out.clear()
        scene.guests.reattach("a", Reattach(WHO, 2, stand))
        told, answer = scene.out
        assert (b'"unseated"' in told.payload, b'"replaced"' in told.payload) == (True, True)
        assert answer.request == 2


@pytest.mark.parametrize("left", [False, True])
def test_who_took_a_place_again_is_repaired_there(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    """Also when the table was elsewhere since and the owner has forgotten the place."""
    host = cast("Any", scene.hub.directory.hosts["t_1"])
    host.channels, host.admitted, host.frozen = [SimpleNamespace(name="public")], set(), False
    subscription = cast("Any", SimpleNamespace(view=False))

    def listen_again(session: Session, message: Any) -> None:
        session.send(Unseated(table="t_1", why="replaced"))
        session.places["t_1"] = Place(host, 0, None, subscription)
        session.ok(message, table="t_1")

    scene.do = listen_again
    scene.forward(1)
    (session,) = scene.done
    if left:
        del session.places["t_1"]
    resumed: list[Session] = []
    monkeypatch.setattr(places, "resumable", lambda session, found: found)
    monkeypatch.setattr(places, "resume", lambda session, place: resumed.append(session))
    scene.guests.reattach("a", Reattach(WHO, 2, Stand("t_1", "public", "e_1", 4, True, True)))
    assert resumed == [session]
    assert [b"replaced" in item.payload for item in scene.out] == [False]


def test_sessions_that_are_not_present_any_more_leave(scene: Scene) -> None:
    scene.forward(1)
    cast("Any", scene.done[0]).places["t_1"] = None
    # What was said before the request was read does not count.
    scene.guests.present("a", [])
    assert scene.left == []
    scene.guests.present("a", [])
    assert scene.left == ["t_1"]
    assert scene.guests.nodes == set()
    assert not scene.done[0].socket.is_open


def test_a_present_session_that_was_forgotten_is_to_be_repaired(scene: Scene) -> None:
    scene.forward(1)
    scene.guests.present("a", [7])
    assert scene.restarted == []
    scene.guests.lost("a")
    scene.guests.present("a", [7])
    assert scene.restarted == ["a"]


def test_answers_are_kept_as_long_as_they_may_be_asked_for() -> None:
    hub = fake_hub(Network(), "b")
    link = cast("Any", Link(hub.bus, "b"))
    link.send = lambda node, item: None
    answers = Answers(link, hub.wall)
    for request in range(20_000):
        assert answers.is_new("a", request)
        answers.give("a", request, Deliver([1], b"ok", request))
    assert not answers.is_new("a", 0)
    cast("Any", hub.wall).ms += KEEP_MS + 1
    assert answers.is_new("a", 20_001)
    assert len(answers._given) == 1
