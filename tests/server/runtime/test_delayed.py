"""The delayed stream: the public one again, later, in the order of its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from server.core.frames import Frame
from server.runtime import delayed as module
from server.runtime.channel import Subscription
from server.runtime.delayed import Delayed
from server.runtime.parts import Sayer

DELAY_MS = 1_500


class Loop:
    """A loop whose time is set. Of timers at one time it calls the last one first, as loops may."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[..., None], tuple[Any, ...]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, work: Callable[..., None], *given: Any) -> None:
        self.timers.append((when, work, given))

    def call_later(self, delay: float, work: Callable[..., None], *given: Any) -> None:
        self.call_at(self.now + delay, work, *given)

    def run(self, until: float, early: float = 0.0) -> None:
        """Let the time come. early: by how much timers fire too soon."""
        while due := [timer for timer in self.timers if timer[0] - early <= until]:
            first = min(timer[0] for timer in due)
            timer = [timer for timer in due if timer[0] == first][-1]
            self.timers.remove(timer)
            self.now = max(self.now, min(until, first - early))
            timer[1](*timer[2])
            early = 0.0
        self.now = until


class Listener:
    """A spectator; got: the numbers that it was shown, with the time."""

    def __init__(self, loop: Loop) -> None:
        self.got: list[tuple[float, bytes]] = []
        self.language = None
        self.socket = self
        self._loop = loop

    def send(self, message: Any, bulk: bool = False) -> None:
        self.got.append((self._loop.now, message.payload))


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    made = Loop()
    monkeypatch.setattr(module.asyncio, "get_running_loop", lambda: made)  # type: ignore[attr-defined]
    return made


def frame(seq: int) -> Frame:
    """A public frame whose view is its number."""
    made = Frame(2, "public", seq, 0)
    made.rendered = True
    made.view = cast("Any", {"n": seq})
    return made


def delayed_to(listener: Listener) -> Delayed:
    delayed = Delayed("t_1", DELAY_MS)
    any_one = cast("Any", listener)
    delayed.channel.listeners[any_one] = Subscription(any_one, True, 0)
    return delayed


SAYER = cast("Sayer", lambda frame, language: [])


def numbers(listener: Listener) -> list[tuple[float, int]]:
    return [(at, int(payload.split(b'"seq":')[1].split(b",")[0])) for at, payload in listener.got]


def test_frames_of_one_moment_keep_their_order(loop: Loop) -> None:
    listener = Listener(loop)
    delayed = delayed_to(listener)
    for seq in (1, 2, 3):
        delayed.later(frame(seq), SAYER)
    loop.run(1.499)
    assert listener.got == []
    loop.run(1.5)
    assert numbers(listener) == [(1.5, 1), (1.5, 2), (1.5, 3)]
    assert delayed.number == 3
    assert bytes(cast("Any", delayed.view)) == b'{"n":3}'


def test_each_is_shown_when_its_own_time_has_come(loop: Loop) -> None:
    listener = Listener(loop)
    delayed = delayed_to(listener)
    delayed.later(frame(1), SAYER)
    loop.run(1.0)
    delayed.later(frame(2), SAYER)
    loop.run(2.0)
    delayed.later(frame(3), SAYER)
    loop.run(5.0)
    assert numbers(listener) == [(1.5, 1), (2.5, 2), (3.5, 3)]


def test_a_timer_that_fires_early_shows_nothing_early(loop: Loop) -> None:
    listener = Listener(loop)
    delayed = delayed_to(listener)
    delayed.later(frame(1), SAYER)
    loop.run(1.4999, early=0.0005)
    assert listener.got == []
    loop.run(1.5)
    assert numbers(listener) == [(1.5, 1)]
