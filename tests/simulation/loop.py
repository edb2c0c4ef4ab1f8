"""An event loop whose time jumps to the next timer, and in which a process can die between two callbacks."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any

STEP_S = 0.00001
"""What one turn of the loop takes: time never stands still, as under a real load."""

MOST_TURNS = 200_000


class Stuck(Exception):
    """Nothing will ever happen any more, or no end is in sight."""


class Life:
    """The callbacks that live and die together, as those of one process do.

    fuse: after so many further callbacks the life ends; on_death is told, outside of that life.
    """

    def __init__(self, name: str, on_death: Callable[[], None]) -> None:
        self.name = name
        self.alive = True
        self.fuse: int | None = None
        self.steps = 0
        self._on_death = on_death
        self.context = contextvars.copy_context()
        self.context.run(LIFE.set, self)

    def end(self) -> None:
        """Nothing of this life runs from now on."""
        if self.alive:
            self.alive = False
            self._on_death()

    def step(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        """Run one callback, unless the life is over."""
        if not self.alive:
            return
        if self.fuse is not None:
            self.fuse -= 1
            if self.fuse < 0:
                self.end()
                return
        self.steps += 1
        callback(*args)


LIFE: contextvars.ContextVar[Life | None] = contextvars.ContextVar("life", default=None)


class Loop(asyncio.BaseEventLoop):
    """Runs what is ready, in order, then jumps to the next timer. No thread, no file, no socket.

    lag_s: how long the next turn takes, as under a burst of work. failures: what nobody caught.
    """

    def __init__(self) -> None:
        super().__init__()
        self._now = 1_000.0
        self._clock_resolution = 1e-7
        self._selector: Any = self
        self._turns = 0
        self._over = False
        self._every: list[asyncio.Task[Any]] = []
        self.lag_s = 0.0
        self.failures: list[str] = []
        self.set_exception_handler(self._failed)
        self.set_task_factory(self._task)

    def time(self) -> float:
        return self._now

    # -- what the base class asks of a selector ---------------------------------------------------
    def select(self, timeout: float | None) -> list[Any]:
        """Let time pass instead of waiting."""
        self._turns += 1
        if timeout is None:
            raise Stuck("no callback and no timer is left")
        if self._turns > MOST_TURNS:
            raise Stuck(f"{MOST_TURNS} turns of the loop")
        self._now += max(0.0, timeout) + STEP_S + self.lag_s
        self.lag_s = 0.0
        return []

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """There is nobody to wake: everything runs in one thread."""

    # -- lives ---------------------------------------------------------------------------------------
    def call_soon(  # type: ignore[override]  # asyncio's own is looser at run time
        self,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        context = contextvars.copy_context() if context is None else context
        if self._over:
            return asyncio.Handle(callback, args, self, context)
        life = context.get(LIFE)
        if life is None:
            return super().call_soon(callback, *args, context=context)
        return super().call_soon(life.step, callback, args, context=context)

    def call_at(  # type: ignore[override]  # likewise
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        context = contextvars.copy_context() if context is None else context
        if self._over:
            return asyncio.TimerHandle(when, callback, args, self, context)
        life = context.get(LIFE)
        if life is None:
            return super().call_at(when, callback, *args, context=context)
        return super().call_at(when, life.step, callback, args, context=context)

    # -- ends ----------------------------------------------------------------------------------------
    def _task(self, loop: Any, coro: Any, **fields: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **fields)
        self._every.append(task)
        if len(self._every) > 4096:
            self._every = [one for one in self._every if not one.done()]
        return task

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.failures.append(f"{context.get('message')}: {error!r}")

    def finish(self) -> None:
        """Drop what still waits without running anything of it, and close."""
        self._over = True
        for waiting in ("_ready", "_scheduled"):
            getattr(self, waiting).clear()
        for task in self._every:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # its process died
                try:
                    task.get_coro().close()
                except (Exception, asyncio.CancelledError):
                    continue
        self._every.clear()
        self._selector = None
        self.close()
