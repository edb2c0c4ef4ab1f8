"""Requests with a key are carried out once."""

from __future__ import annotations

from server.runtime.once import KEEP_MS, Once
from server.runtime.wall import Wall


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def once() -> tuple[Once, Clock]:
    clock = Clock()
    return Once(Wall(clock, 0)), clock


def test_a_repeat_gets_the_first_answer() -> None:
    remembered, _ = once()
    remembered.put("p_1", "k", {"table": "t_1"})
    assert remembered.get("p_1", "k") == {"table": "t_1"}


def test_keys_are_a_players_own() -> None:
    remembered, _ = once()
    remembered.put("p_1", "k", {"table": "t_1"})
    assert remembered.get("p_2", "k") is None


def test_without_a_key_nothing_is_remembered() -> None:
    remembered, _ = once()
    remembered.put("p_1", None, {"table": "t_1"})
    assert remembered.get("p_1", None) is None


def test_answers_are_forgotten_after_ten_minutes() -> None:
    remembered, clock = once()
    remembered.put("p_1", "old", 1)
    clock.now = KEEP_MS
    remembered.put("p_1", "new", 2)
    remembered.sweep()
    assert remembered.get("p_1", "old") == 1
    clock.now = KEEP_MS + 1
    remembered.sweep()
    assert remembered.get("p_1", "old") is None
    assert remembered.get("p_1", "new") == 2
