"""Work that waits for its turn; handshakes and bots are such work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest

from server.transport.turns import Turns, turns_of
from tests.server.transport.harness import FAST, Kind, serving
from tests.server.transport.raw import HANDSHAKE, masked, opened


def noted(log: list[int], number: int) -> Callable[[], None]:
    """A piece of work that is noted."""
    return lambda: log.append(number)


async def test_a_piece_a_turn_is_done_in_order_and_what_comes_later_too() -> None:
    turns, log = Turns(), list[int]()
    for number in range(20):
        turns.add(noted(log, number))
    for done in range(20):
        assert log == list(range(done))
        await asyncio.sleep(0)
    turns.add(noted(log, 20))
    await asyncio.sleep(0)
    assert log == list(range(21))


async def test_a_piece_may_lead_to_another_which_comes_after_those_that_wait() -> None:
    turns, log = Turns(), list[int]()
    turns.add(lambda: turns.add(noted(log, 2)))
    turns.add(noted(log, 1))
    for _ in range(3):
        await asyncio.sleep(0)
    assert log == [1, 2]


async def test_a_piece_that_fails_is_logged_and_the_others_are_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise LookupError("on purpose")

    turns, log = Turns(), list[int]()
    turns.add(fail)
    turns.add(noted(log, 1))
    for _ in range(2):
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
