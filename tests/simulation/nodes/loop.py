"""A loop whose processes can also be stopped for a while and continued, as by SIGSTOP and SIGCONT."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any

from tests.simulation.loop import LIFE, Life, Loop, Stuck

MOST_TURNS = 600_000


class Step:
    """One callback of a process: run now, or when the process is continued."""

    __slots__ = ("args", "callback", "context", "handle", "life")

    def __init__(
        self,
        life: ProcessLife,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: contextvars.Context,
    ) -> None:
        self.life = life
        self.callback = callback
        self.args = args
        self.context = context
        self.handle: asyncio.Handle | None = None

    def __call__(self) -> None:
        # What fell due while the process stood still may be taken back by what runs before it.
        if self.handle is not None and self.handle.cancelled():
            return
        if self.life.stopped:
            self.life.held.append(self)
        else:
            self.life.step(self.callback, self.args)


class ProcessLife(Life):
    """The callbacks of a process. held: what fell due while it is stopped; tasks: all that it began."""

    def __init__(self, name: str, on_death: Callable[[], None]) -> None:
        self.stopped = False
        self.held: list[Step] = []
        self.tasks: list[asyncio.Task[Any]] = []
        super().__init__(name, on_death)

    def end(self) -> None:
        """Nothing of this life runs from now on, also not what was held."""
        self.held.clear()
        super().end()

    def running(self) -> list[asyncio.Task[Any]]:
        """The tasks that have not ended."""
        self.tasks = [task for task in self.tasks if not task.done()]
        return self.tasks


class ProcessLoop(Loop):
    """The loop of the simulation, with processes that can be stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0

    def select(self, timeout: float | None) -> list[Any]:
        """As ever, with more turns: three processes take them."""
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise Stuck(f"{MOST_TURNS} turns of the loop")
        self._turns = 0
        return super().select(timeout)

    def call_soon(  # type: ignore[override]  # asyncio's own is looser at run time
        self,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        context = contextvars.copy_context() if context is None else context
        life = context.get(LIFE)
        if self._over or not isinstance(life, ProcessLife):
            return super().call_soon(callback, *args, context=context)
        step = Step(life, callback, args, context)
        step.handle = asyncio.BaseEventLoop.call_soon(self, step, context=context)
        return step.handle

    def call_at(  # type: ignore[override]  # likewise
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        context = contextvars.copy_context() if context is None else context
        life = context.get(LIFE)
        if self._over or not isinstance(life, ProcessLife):
            return super().call_at(when, callback, *args, context=context)
        step = Step(life, callback, args, context)
        handle = asyncio.BaseEventLoop.call_at(self, when, step, context=context)
        step.handle = handle
        return handle

    def go_on(self, life: ProcessLife) -> None:
        """Continue a process: everything that fell due runs now, in its order."""
        life.stopped = False
        held, life.held = life.held, []
        for step in held:
            asyncio.BaseEventLoop.call_soon(self, step, context=step.context)

    def _task(self, loop: Any, coro: Any, **fields: Any) -> asyncio.Task[Any]:
        task = super()._task(loop, coro, **fields)
        life = LIFE.get()
        if isinstance(life, ProcessLife):
            life.tasks.append(task)
            if len(life.tasks) > 2048:
                life.running()
        return task
