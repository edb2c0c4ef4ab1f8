from __future__ import annotations

import asyncio
import logging
import time

import pytest

from server.transport.flusher import SLICE, Flusher


class Writer:
    """Notes when it is flushed; each flush may take a while or fail."""

    def __init__(self, log: list[str], name: str, takes: float = 0.0) -> None:
        self.log = log
        self.name = name
        self.takes = takes
        self.aborted = False

    def flush(self) -> None:
        self.log.append(self.name)
        end = time.perf_counter() + self.takes
        while time.perf_counter() < end:
            pass
        if self.name == "fails":
            raise LookupError("on purpose")

    def abort(self) -> None:
        self.aborted = True


async def turn() -> None:
    await asyncio.sleep(0)


async def test_one_turn_writes_all_players_before_any_audience() -> None:
    log: list[str] = []
    flusher = Flusher()
    flusher.add(Writer(log, "b1"), True)
    flusher.add(Writer(log, "p1"), False)
    flusher.add(Writer(log, "b2"), True)
    flusher.add(Writer(log, "p2"), False)
    assert log == []
    await turn()
    assert log == ["p1", "p2", "b1", "b2"]
    flusher.add(Writer(log, "p3"), False)
    await turn()
    assert log[-1] == "p3"


async def test_players_can_be_written_in_this_very_turn_and_not_twice() -> None:
    log: list[str] = []
    flusher = Flusher()
    flusher.add(Writer(log, "b"), True)
    flusher.add(Writer(log, "p"), False)
    flusher.players_now()
    assert log == ["p"]
    await turn()
    assert log == ["p", "b"]
    flusher.add(Writer(log, "p2"), False)
    await turn()
    assert log[-1] == "p2"


async def test_players_beyond_a_slice_keep_their_places() -> None:
    log: list[str] = []
    flusher = Flusher()
    for number in range(40):
        flusher.add(Writer(log, str(number), takes=SLICE / 8), False)
    flusher.players_now()
    assert len(log) < 40
    for _ in range(40):
        await turn()
    assert log == [str(number) for number in range(40)]


async def test_a_long_audience_is_written_in_slices_with_players_between() -> None:
    log: list[str] = []
    flusher = Flusher()
    for _ in range(400):
        flusher.add(Writer(log, "b", takes=SLICE / 50), True)
    await turn()
    first = len(log)
    assert 16 <= first < 400
    flusher.add(Writer(log, "p"), False)
    await turn()
    assert log[first] == "p"
    turns = 2
    while len(log) < 401:
        await turn()
        turns += 1
        assert turns < 400
    assert turns >= 5


async def test_players_in_excess_leave_audiences_a_share() -> None:
    log: list[str] = []
    flusher = Flusher()
    for _ in range(200):
        flusher.add(Writer(log, "p", takes=SLICE / 8), False)
        flusher.add(Writer(log, "b"), True)
    await turn()
    assert log.count("p") < 200
    assert log.count("b") >= 16


async def test_a_socket_that_cannot_be_written_is_cut_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log: list[str] = []
    flusher = Flusher()
    broken = Writer(log, "fails")
    flusher.add(broken, False)
    flusher.add(Writer(log, "p"), False)
    with caplog.at_level(logging.ERROR):
        await turn()
        await turn()  # telling of it may have taken the slice
    assert log == ["fails", "p"]
    assert broken.aborted
    assert "on purpose" in caplog.text
