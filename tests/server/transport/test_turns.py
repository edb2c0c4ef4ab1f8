"""Work that waits for its turn; handshakes are such work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest

from server.transport.turns import SLICE, Turns, turns_of
from tests.server.transport.harness import FAST, Kind, serving
from tests.server.transport.raw import HANDSHAKE, masked, opened


def busy(log: list[int], number: int, seconds: float = 0.0) -> Callable[[], None]:
    """A piece of work that takes so long and is noted."""

    def work() -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
        log.append(number)

    return work


async def test_what_waits_is_done_in_order_and_what_comes_later_too() -> None:
    turns, log = Turns(), list[int]()
    for number in range(20):
        turns.add(busy(log, number))
    assert log == []
    for _ in range(20):  # a slow machine does fewer a turn
        await asyncio.sleep(0)
    assert log == list(range(20))
    turns.add(busy(log, 20))
    await asyncio.sleep(0)
    assert log[-1] == 20


async def test_much_leaves_room_in_between_and_one_piece_is_done_in_any_case() -> None:
    turns, log = Turns(), list[int]()
    for number in range(4):
        turns.add(busy(log, number, 1.5 * SLICE))
    for done in range(1, 5):
        await asyncio.sleep(0)
        assert log == list(range(done))


async def test_a_piece_that_fails_is_logged_and_the_others_are_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise LookupError("on purpose")

    turns, log = Turns(), list[int]()
    turns.add(fail)
    turns.add(busy(log, 1))
    for _ in range(2):  # to log it may take a whole slice
        await asyncio.sleep(0)
    assert log == [1]
    assert "on purpose" in caplog.text


async def test_one_for_a_loop() -> None:
    loop = asyncio.get_running_loop()
    assert turns_of(loop) is turns_of(loop)


@pytest.mark.parametrize("kind", FAST)
async def test_handshakes_that_come_at_once_are_all_answered_and_some_may_go_before(
    kind: Kind,
) -> None:
    with serving(kind) as running:
        async with AsyncExitStack() as lines:
            raws = [await lines.enter_async_context(opened(running.port)) for _ in range(60)]
            for raw in raws:
                raw.send((HANDSHAKE + "\r\n").encode())
            for raw in raws[::3]:
                raw.reset()
            for place, raw in enumerate(raws):
                if place % 3:
                    answer = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), 10)
                    assert answer.startswith(b"HTTP/1.1 101")
                    raw.send(masked(1, b"x"))
                    assert await raw.frame() == (1, b"x")
