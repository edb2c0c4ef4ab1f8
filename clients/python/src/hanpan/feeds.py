"""Values that arrive: feeds to iterate over, callbacks, and a bell to wait for."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")


class Feed(Generic[T]):
    """An async iterator that is filled from elsewhere; nothing is lost between two steps.

    limit: how many values are kept, the newest ones; None: all.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._items: deque[T] = deque(maxlen=limit)
        self._bell = Bell()
        self._ended = False
        self._error: BaseException | None = None

    def put(self, item: T) -> None:
        """One more value."""
        self._items.append(item)
        self._bell.ring()

    def end(self, error: BaseException | None = None) -> None:
        """No more values; after the last one the iteration stops, or raises the error."""
        self._ended = True
        self._error = error
        self._bell.ring()

    def keep_all(self) -> None:
        """From now on somebody reads: keep every value."""
        self._items = deque(self._items)

    def __aiter__(self) -> Feed[T]:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            if self._ended:
                if self._error is not None:
                    raise self._error
                raise StopAsyncIteration
            await self._bell.wait()
        return self._items.popleft()


class Fan(Generic[T]):
    """Hands every value to all of its feeds. The first feed also gets what came before it was opened.

    A feed that nobody holds any more is forgotten.

    backlog: how many values are kept for the first feed.
    """

    def __init__(self, backlog: int) -> None:
        self._first: Feed[T] | None = Feed(backlog)
        self._feeds = weakref.WeakSet([self._first])
        self._end: tuple[BaseException | None] | None = None

    def put(self, item: T) -> None:
        """One more value."""
        for feed in self._feeds:
            feed.put(item)

    def open(self) -> Feed[T]:
        """One more feed."""
        feed, self._first = self._first, None
        if feed is not None:
            feed.keep_all()
            return feed
        feed = Feed()
        self._feeds.add(feed)
        if self._end is not None:
            feed.end(*self._end)
        return feed

    def end(self, error: BaseException | None = None) -> None:
        """No more values."""
        self._end = (error,)
        for feed in self._feeds:
            feed.end(error)


class Flat(Generic[S, T]):
    """A feed of what each value of another feed is made of."""

    def __init__(self, feed: Feed[S], parts: Callable[[S], Iterable[T]]) -> None:
        self._feed = feed
        self._parts = parts
        self._left: deque[T] = deque()

    def __aiter__(self) -> Flat[S, T]:
        return self

    async def __anext__(self) -> T:
        while not self._left:
            self._left.extend(self._parts(await anext(self._feed)))
        return self._left.popleft()


class Bell:
    """Wakes everyone who waits at the moment when it rings, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}

    def ring(self) -> None:
        """Wake them."""
        waiting, self._waiting = self._waiting, {}
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait(self) -> None:
        """Until the next ring."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[future] = None
        try:
            await future
        finally:
            self._waiting.pop(future, None)


class Hook(Generic[T]):
    """Callbacks, called in the order in which they came."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[T], object]] = []

    def add(self, callback: Callable[[T], object]) -> Callable[[], None]:
        """Call this from now on; returns what takes it back."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def __call__(self, value: T) -> None:
        """Tell everyone."""
        for callback in list(self._callbacks):
            callback(value)
