"""Tests of server/bus/redis.py against real servers: the contract, and every way to lose it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import uvloop

from server.bus.base import BusError
from server.bus.redis import RedisBus
from tests.server.bus.contract import BusContract, quiet, until
from tests.support.needs import free_port
from tests.support.proxy import Proxy
from tests.support.redis_server import KINDS, RedisServer, redis_server


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    with redis_server(request.param) as server:
        yield server


@pytest.fixture
async def bus(server: RedisServer) -> AsyncIterator[RedisBus]:
    bus = RedisBus(server.url)
    await bus.start()
    yield bus
    await bus.stop()


@pytest.fixture
async def far(server: RedisServer) -> AsyncIterator[RedisBus]:
    """Another process's bus on the same server."""
    far = RedisBus(server.url)
    await far.start()
    yield far
    await far.stop()


@pytest.fixture
def resets(bus: RedisBus) -> list[int]:
    """One element a reset."""
    resets: list[int] = []
    bus.on_reset(lambda: resets.append(1))
    return resets


class TestContract(BusContract):
    pass


async def test_payloads_cross_processes(bus: RedisBus, far: RedisBus) -> None:
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    for number in range(100):
        far.publish("a", b"%d" % number)
    await until(lambda: len(seen) == 100)
    assert seen == [b"%d" % number for number in range(100)]


async def test_another_prefix_is_another_world(bus: RedisBus, server: RedisServer) -> None:
    far = RedisBus(server.url, prefix="other:")
    await far.start()
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    far.publish("a", b"x")
    await far.stop()
    await quiet(bus)
    assert seen == []


async def test_without_redis_it_does_not_start() -> None:
    with pytest.raises(BusError, match="cannot be used"):
        await RedisBus(f"redis://127.0.0.1:{free_port()}/0").start()


async def test_a_killed_subscriber_comes_back_and_says_so(
    bus: RedisBus, far: RedisBus, server: RedisServer, resets: list[int]
) -> None:
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    with server.client() as client:
        client.client_kill_filter(_type="pubsub", skipme=False)
    await until(lambda: len(resets) > 0)
    far_ready = far.settle()
    await far_ready
    await until(lambda: far.resubscriptions > 0)
    far.publish("a", b"after")
    await until(lambda: len(seen) > 0)
    assert seen == [b"after"]
    assert resets == [1]


async def test_a_killed_publisher_comes_back(
    bus: RedisBus, server: RedisServer, resets: list[int]
) -> None:
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    with server.client() as client:
        client.client_kill_filter(_type="normal", skipme=True)
    await until(lambda: len(resets) > 0)
    bus.publish("a", b"after")
    await until(lambda: len(seen) > 0)


async def test_a_redis_that_dies_and_comes_back_is_found_again(
    bus: RedisBus, server: RedisServer, resets: list[int]
) -> None:
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    server.kill()
    await until(lambda: bus._subscriber is None)
    bus.publish("a", b"lost")
    bus.subscribe("b", seen.append)  # while it is away
    await bus.settle()
    assert bus.dropped == 1
    await asyncio.to_thread(server.start)
    await until(lambda: len(resets) > 0)
    bus.publish("a", b"one")
    bus.publish("b", b"two")
    await until(lambda: len(seen) == 2)
    assert seen == [b"one", b"two"]


async def test_silence_is_noticed_without_any_error(server: RedisServer) -> None:
    async with Proxy(server.port) as proxy:
        bus = RedisBus(proxy.url, silence_s=1.5)
        await bus.start()
        resets: list[int] = []
        bus.on_reset(lambda: resets.append(1))
        seen: list[bytes] = []
        bus.subscribe("a", seen.append)
        await bus.settle()
        proxy.hold_replies = True  # half open: nothing comes, nothing fails
        await until(lambda: bus._subscriber is None or proxy.connections > 2, 5)
        assert resets == []
        proxy.hold_replies = False
        await until(lambda: len(resets) > 0, 10)
        bus.publish("a", b"after")
        await until(lambda: len(seen) > 0)
        await bus.stop()


async def test_a_quiet_bus_is_no_silence(bus: RedisBus, resets: list[int]) -> None:
    bus._silence_s = 1.5
    await asyncio.sleep(3.2)
    assert resets == []
    assert bus.hop is not None
    assert bus.hop < 1


async def test_a_stopped_redis_freezes_nothing_and_goes_on(
    bus: RedisBus, server: RedisServer, resets: list[int]
) -> None:
    bus._silence_s = 1.5
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    server.pause()
    loop = asyncio.get_running_loop()
    lags: list[float] = []
    end = loop.time() + 4
    while loop.time() < end:
        before = loop.time()
        bus.publish("a", b"x" * 1000)
        await asyncio.sleep(0.01)
        lags.append(loop.time() - before - 0.01)
    server.resume()
    # A loop that spins or blocks turns a few times at most; a busy machine lags now and then.
    assert len(lags) > 20
    assert sorted(lags)[len(lags) // 2] < 0.1, "the loop stood still"
    await until(lambda: len(resets) > 0, 10)
    seen.clear()
    bus.publish("a", b"after")
    await until(lambda: b"after" in seen)


async def test_a_redis_that_does_not_read_costs_bounded_memory(
    bus: RedisBus, server: RedisServer
) -> None:
    bus._silence_s = 60
    server.pause()
    try:
        for _ in range(40):
            for _ in range(10):
                bus.publish("a", b"x" * 100_000)
            await asyncio.sleep(0)
        assert bus.dropped > 0
        assert bus._publisher is not None
        assert bus._publisher.unsent < 12_000_000
    finally:
        server.resume()


def test_it_runs_on_uvloop(server: RedisServer) -> None:
    async def main() -> None:
        bus = RedisBus(server.url, prefix="uvloop:")
        await bus.start()
        seen: list[bytes] = []
        bus.subscribe("a", seen.append)
        await bus.settle()
        bus.publish("a", b"x")
        await until(lambda: seen == [b"x"])
        await bus.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
