"""Feeds, fans, hooks."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from hanpan.feeds import Fan, Feed, Flat, Hook


async def test_a_feed_gives_everything_in_order_and_ends() -> None:
    feed: Feed[int] = Feed()
    feed.put(1)
    reading = asyncio.create_task(collect(feed))
    await asyncio.sleep(0)
    feed.put(2)
    feed.end()
    assert await reading == [1, 2]


async def test_a_feed_raises_its_error_after_the_last_value() -> None:
    feed: Feed[int] = Feed()
    feed.put(1)
    feed.end(ValueError("over"))
    assert await anext(feed) == 1
    with pytest.raises(ValueError, match="over"):
        await anext(feed)


async def test_the_first_of_a_fan_gets_what_came_before() -> None:
    fan: Fan[int] = Fan(2)
    for value in (1, 2, 3):
        fan.put(value)
    first, second = fan.open(), fan.open()
    for value in (4, 5, 6):
        fan.put(value)
    fan.end()
    assert await collect(first) == [2, 3, 4, 5, 6], "bounded only while nobody reads"
    assert await collect(second) == [4, 5, 6]
    assert await collect(fan.open()) == []


async def test_a_feed_that_nobody_holds_is_forgotten() -> None:
    fan: Fan[int] = Fan(2)
    fan.open()
    feed = fan.open()
    gone = weakref.ref(feed)
    fan.put(1)
    del feed
    gc.collect()
    assert gone() is None


async def test_a_flat_feed_gives_the_parts_and_the_end() -> None:
    feed: Feed[str] = Feed()
    for value in ("ab", "", "c"):
        feed.put(value)
    feed.end(ValueError("over"))
    flat = Flat(feed, list)
    assert [await anext(flat) for _ in range(3)] == ["a", "b", "c"]
    with pytest.raises(ValueError, match="over"):
        await anext(flat)


async def test_a_cancelled_reader_takes_nothing_away() -> None:
    feed: Feed[int] = Feed()
    reading = asyncio.create_task(anext(feed))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    feed.put(1)
    assert await anext(feed) == 1


def test_a_hook_calls_in_order_and_can_be_taken_back() -> None:
    hook: Hook[int] = Hook()
    heard: list[str] = []
    hook.add(lambda value: heard.append(f"a{value}"))
    take_back = hook.add(lambda value: heard.append(f"b{value}"))
    hook(1)
    take_back()
    hook(2)
    assert heard == ["a1", "b1", "a2"]


async def collect(feed: Feed[int]) -> list[int]:
    return [value async for value in feed]
