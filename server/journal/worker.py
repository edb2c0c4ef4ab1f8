"""One thread that carries out what it is given, in order: for an append less than an executor's futures,
locks and weak references."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """A thread of its own, from the start on. It does not keep the process alive."""

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def do(self, work: Callable[[], None]) -> None:
        """Have something done that never raises; returns at once."""
        self._work.put(work)

    async def call(self, work: Callable[[], T]) -> T:
        """What the work returns or raises, once the thread has come to it."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()

        def answer(value: T | None, error: BaseException | None) -> None:
            if result.done():
                return  # whoever waited was cancelled
            if error is not None:
                result.set_exception(error)
            else:
                result.set_result(value)  # type: ignore[arg-type]  # None only where T has it

        def run() -> None:
            try:
                done = work()
            except BaseException as error:
                loop.call_soon_threadsafe(answer, None, error)
            else:
                loop.call_soon_threadsafe(answer, done, None)

        self._work.put(run)
        return await result

    def end(self) -> None:
        """End the thread after what it was given before, and wait for that."""
        self._work.put(None)
        self._thread.join()
