"""What counts as a match that stands still: not one that takes long, and not one whose end all have heard."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tests.simulation.nodes.watching import STILL_S, NodesWatch
from tests.simulation.nodes.world import NodesWorld


class Scene:
    """A world with one table, as far as this is looked at."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.wrong: list[dict[str, Any]] = []
        self.state = SimpleNamespace(phase="running")
        host = SimpleNamespace(id="t_1", table=SimpleNamespace(state=self.state))
        table = SimpleNamespace(id="t_1")
        self.person = SimpleNamespace(id="p_0", done=True, table=table)
        self.world = SimpleNamespace(
            loop=SimpleNamespace(time=lambda: self.now),
            quiet_since=None,
            hosts=lambda: [host],
            met=["t_1"],
            people=[self.person, SimpleNamespace(id="p_1", done=False, table=None)],
            witness=SimpleNamespace(wrong=lambda what, **facts: self.wrong.append(facts)),
        )
        self.world.people[1].table = SimpleNamespace(id="t_2")
        self.watch = NodesWatch(cast("NodesWorld", self.world))

    def look(self, seconds: float, entry: bool = False) -> list[dict[str, Any]]:
        """Look after a while, in which perhaps something was written; what is wrong."""
        self.now += seconds
        if entry:
            self.watch._next["t_1"] = self.watch._next.get("t_1", 1) + 1
        self.watch._going_on()
        found, self.wrong = self.wrong, []
        return found


def test_a_match_that_goes_on_may_take_as_long_as_it_takes() -> None:
    scene = Scene()
    scene.world.quiet_since = scene.now
    for _ in range(20):
        assert scene.look(STILL_S - 1, entry=True) == []
    assert scene.look(STILL_S + 1) == [{"table": "t_1", "waiting": []}]


def test_while_faults_strike_it_may_stand_still() -> None:
    scene = Scene()
    assert scene.look(10 * STILL_S) == []
    scene.world.quiet_since = scene.now
    assert scene.look(STILL_S - 1) == []
    assert len(scene.look(2)) == 1


def test_everybody_hears_that_it_has_ended() -> None:
    scene = Scene()
    scene.world.quiet_since = scene.now
    assert scene.look(1, entry=True) == []
    scene.state.phase = "ended"
    assert scene.look(2 * STILL_S) == []
    scene.person.done = False
    assert scene.look(1) == [{"table": "t_1", "waiting": ["p_0"]}]
