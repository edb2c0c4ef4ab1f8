"""The journal's thread: in order, with what it returned or raised."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from server.journal.worker import Worker


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("test")
    yield worker
    worker.end()


async def test_everything_is_done_in_order_in_one_other_thread(worker: Worker) -> None:
    done: list[tuple[int, int]] = []

    def note(number: int) -> None:
        done.append((number, threading.get_ident()))

    for number in range(50):
        worker.do(partial(note, number))
    assert await worker.call(lambda: len(done)) == 50
    assert [number for number, _ in done] == list(range(50))
    assert len({thread for _, thread in done} - {threading.get_ident()}) == 1


async def test_what_work_raises_comes_out_of_the_call(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        await worker.call(lambda: 1 // 0)
    assert await worker.call(lambda: "still there") == "still there"


async def test_a_cancelled_call_holds_up_nothing(worker: Worker) -> None:
    held = threading.Event()
    waiting = asyncio.create_task(worker.call(lambda: held.wait(10)))
    await asyncio.sleep(0)
    waiting.cancel()
    held.set()
    assert await worker.call(lambda: 7) == 7
    with pytest.raises(asyncio.CancelledError):
        await waiting


def test_the_end_waits_for_what_was_given_before() -> None:
    worker = Worker("test")
    done: list[int] = []
    worker.do(lambda: done.append(1))
    worker.end()
    assert done == [1]
