"""What any bus must do; each kind's suite runs it on buses of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.bus.base import Bus

Seen = list[tuple[str, bytes]]


async def until(condition: Callable[[], bool], within: float = 5.0) -> None:
    """Wait for the condition, and fail if it does not come."""
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.002)


async def quiet(bus: Bus) -> None:
    """Wait until what was published before has come, or will not."""
    arrived = asyncio.Event()
    bus.subscribe("quiet", lambda _: arrived.set())
    await bus.settle()
    bus.publish("quiet", b"")
    await asyncio.wait_for(arrived.wait(), 5)


class BusContract:
    """Mixed into a test class with the fixture `bus` (started)."""

    async def test_a_payload_goes_to_every_listener_of_its_channel(self, bus: Bus) -> None:
        seen: Seen = []
        bus.subscribe("a", lambda payload: seen.append(("one", payload)))
        bus.subscribe("a", lambda payload: seen.append(("two", payload)))
        bus.subscribe("b", lambda payload: seen.append(("other", payload)))
        await bus.settle()
        bus.publish("a", b"\x00\xff")
        await quiet(bus)
        assert seen == [("one", b"\x00\xff"), ("two", b"\x00\xff")]

    async def test_payloads_keep_their_order_over_channels(self, bus: Bus) -> None:
        seen: list[bytes] = []
        for channel in "abc":
            bus.subscribe(channel, seen.append)
        await bus.settle()
        expected = [b"%d" % number for number in range(300)]
        for number, payload in enumerate(expected):
            bus.publish("abc"[number % 3], payload)
            if number % 50 == 0:
                await asyncio.sleep(0)
        await until(lambda: len(seen) == 300)
        assert seen == expected

    async def test_nothing_is_delivered_within_publish(self, bus: Bus) -> None:
        depth = 0
        deepest: list[int] = []

        def listener(payload: bytes) -> None:
            nonlocal depth
            depth += 1
            deepest.append(depth)
            if payload != b"0":
                bus.publish("a", b"%d" % (int(payload) - 1))
            depth -= 1

        bus.subscribe("a", listener)
        await bus.settle()
        bus.publish("a", b"5")
        assert deepest == []
        await until(lambda: len(deepest) == 6)
        assert deepest == [1] * 6

    async def test_a_payload_without_a_listener_is_lost(self, bus: Bus) -> None:
        seen: list[bytes] = []
        bus.publish("a", b"early")
        await quiet(bus)
        bus.subscribe("a", seen.append)
        await bus.settle()
        bus.publish("a", b"late")
        await until(lambda: len(seen) > 0)
        assert seen == [b"late"]

    async def test_an_unsubscribed_listener_hears_nothing_more(self, bus: Bus) -> None:
        one: list[bytes] = []
        two: list[bytes] = []
        keep = one.append
        bus.subscribe("a", keep)
        bus.subscribe("a", two.append)
        await bus.settle()
        bus.publish("a", b"1")
        await quiet(bus)
        bus.publish("a", b"2")
        bus.unsubscribe("a", keep)  # also of what is on its way
        await quiet(bus)
        assert (one, two) == ([b"1"], [b"1", b"2"])
        bus.unsubscribe("a", keep)
        bus.unsubscribe("nowhere", keep)
        bus.subscribe("a", keep)
        await bus.settle()
        bus.publish("a", b"3")
        await quiet(bus)
        assert (one, two) == ([b"1", b"3"], [b"1", b"2", b"3"])

    async def test_the_same_listener_twice_is_one(self, bus: Bus) -> None:
        seen: list[bytes] = []
        for _ in range(2):
            bus.subscribe("a", seen.append)
        await bus.settle()
        bus.publish("a", b"x")
        await quiet(bus)
        assert seen == [b"x"]
        bus.unsubscribe("a", seen.append)
        bus.publish("a", b"y")
        await quiet(bus)
        assert seen == [b"x"]

    async def test_coming_and_going_in_one_turn_ends_as_last_said(self, bus: Bus) -> None:
        seen: list[bytes] = []
        for _ in range(5):
            bus.subscribe("a", seen.append)
            bus.unsubscribe("a", seen.append)
        bus.subscribe("b", seen.append)
        bus.unsubscribe("b", seen.append)
        bus.subscribe("b", seen.append)
        await bus.settle()
        bus.publish("a", b"no")
        bus.publish("b", b"yes")
        await quiet(bus)
        assert seen == [b"yes"]

    async def test_a_listener_may_take_another_away(self, bus: Bus) -> None:
        seen: Seen = []

        def first(payload: bytes) -> None:
            seen.append(("first", payload))
            bus.unsubscribe("a", second)

        def second(payload: bytes) -> None:
            seen.append(("second", payload))

        bus.subscribe("a", first)
        bus.subscribe("a", second)
        await bus.settle()
        bus.publish("a", b"x")
        await quiet(bus)
        assert seen == [("first", b"x")]

    async def test_a_listener_that_raises_harms_no_other(self, bus: Bus) -> None:
        reported: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: reported.append(context["exception"])
        )
        seen: list[bytes] = []

        def bad(_: bytes) -> None:
            raise ZeroDivisionError

        bus.subscribe("a", bad)
        bus.subscribe("a", seen.append)
        await bus.settle()
        bus.publish("a", b"x")
        bus.publish("a", b"y")
        await quiet(bus)
        assert seen == [b"x", b"y"]
        assert [type(error) for error in reported] == [ZeroDivisionError] * 2

    async def test_after_stop_nothing_is_delivered(self, bus: Bus) -> None:
        seen: list[bytes] = []
        bus.subscribe("a", seen.append)
        await bus.settle()
        bus.publish("a", b"on its way")
        await bus.stop()
        seen.clear()
        bus.publish("a", b"after")
        await asyncio.sleep(0.05)
        assert seen == []
        await bus.start()
        bus.publish("a", b"again")
        await until(lambda: len(seen) > 0)
        assert seen == [b"again"]

    async def test_large_payloads_and_many_channels(self, bus: Bus) -> None:
        seen: list[int] = []
        for number in range(2000):
            bus.subscribe(f"table:{number}", lambda payload: seen.append(len(payload)))
        await bus.settle()
        bus.publish("table:1999", b"x" * 1_000_000)
        await until(lambda: len(seen) > 0)
        assert seen == [1_000_000]
