"""What is read out."""

from __future__ import annotations

from typing import Any

import pytest

from hanpan import Frame, Say
from hanpan_terminal.voice import REMEMBERED, Voice
from tests.clients.terminal.conftest import TestScreen


def frame(*say: tuple[str, str], replay: bool = False) -> Frame:
    return Frame(1, [], [Say(text=text, priority=priority) for text, priority in say], replay)


@pytest.mark.parametrize(
    ("hear", "shown"),
    [("low", ["a", "b", "c", "d"]), ("normal", ["b", "c", "d"]), ("high", ["c"])],
)
def test_by_priority(screen: TestScreen, hear: Any, shown: list[str]) -> None:
    voice = Voice(screen, hear)
    voice.frame(frame(("a", "low"), ("b", "normal"), ("c", "high"), ("d", "of tomorrow")))
    assert screen.shown == shown
    assert screen.urgent == ["c"]
    assert voice.again() == ["a", "b", "c", "d"]


def test_the_replay_is_remembered_and_not_read_out(screen: TestScreen) -> None:
    voice = Voice(screen)
    voice.frame(frame(*((str(n), "high") for n in range(20)), replay=True))
    assert screen.shown == []
    assert voice.again() == [str(n) for n in range(20 - REMEMBERED, 20)]


def test_answers_are_read_out_whatever_their_priority(screen: TestScreen) -> None:
    voice = Voice(screen, "high")
    assert voice.answers([Say(text="a", priority="low")])
    assert not voice.answers(None)
    assert screen.shown == ["a"]
