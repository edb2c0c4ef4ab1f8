"""Tests of server/bus/listeners.py: who is first, who is last; delivery is in the contract."""

from __future__ import annotations

from server.bus.listeners import Listeners


def test_the_first_and_the_last_of_a_channel_are_told() -> None:
    def one(_: bytes) -> None: ...
    def two(_: bytes) -> None: ...

    listeners = Listeners()
    assert listeners.add("a", one)
    assert not listeners.add("a", two)
    assert not listeners.add("a", one)
    assert listeners.add("b", one)
    assert set(listeners.channels()) == {"a", "b"}
    assert not listeners.remove("a", one)
    assert not listeners.remove("a", one)
    assert listeners.remove("a", two)
    assert not listeners.remove("a", two)
    assert set(listeners.channels()) == {"b"}


def test_a_channel_without_listeners_delivers_to_nobody() -> None:
    Listeners().deliver("a", b"x")
