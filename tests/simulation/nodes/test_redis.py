"""The simulated Redis does what the real one does: the same contract suites, on the same journal and bus."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from server.bus.redis import RedisBus
from server.journal.base import Own
from server.journal.redis import RedisJournal
from tests.server.bus.contract import BusContract
from tests.server.journal.contract import JournalContract, append, batch
from tests.server.journal.model import play
from tests.simulation.nodes.redis import SimRedis
from tests.simulation.nodes.wires import SimWire

URL = "redis://one:1/0"


@pytest.fixture
async def redis(monkeypatch: pytest.MonkeyPatch) -> SimRedis:
    redis = SimRedis(asyncio.get_running_loop(), random.Random(3))
    for who in ("one", "two", "listener"):
        redis.line(who).delay_s = (0.0, 0.0)  # here time is real
    monkeypatch.setattr("server.journal.redis.client", redis.client)
    monkeypatch.setattr("server.journal.redis_append.connect", redis.connect)
    monkeypatch.setattr("server.bus.redis.connect", redis.connect)
    return redis


@pytest.fixture
async def journal(redis: SimRedis) -> AsyncIterator[RedisJournal]:
    journal = RedisJournal(URL, checked=False)
    await journal.start()
    yield journal
    await journal.stop()


@pytest.fixture
async def bus(redis: SimRedis) -> AsyncIterator[RedisBus]:
    bus = RedisBus(URL)
    await bus.start()
    yield bus
    await bus.stop()


@pytest.fixture
def published(redis: SimRedis) -> list[tuple[str, bytes]]:
    seen: list[tuple[str, bytes]] = []

    def reply(message: list[bytes]) -> None:
        if message[0] == b"message":
            seen.append((message[1].decode()[7:], message[2]))

    wire = SimWire(redis.line("listener"), reply, lambda error: None)
    wire.send([("SUBSCRIBE", b"hanpan:c", b"hanpan:d")])
    return seen


class TestJournal(JournalContract):
    pass


class TestBus(BusContract):
    pass


@pytest.mark.parametrize("seed", range(8))
async def test_a_random_history_agrees_with_the_model(journal: RedisJournal, seed: int) -> None:
    await play(journal, seed)


async def test_a_lease_runs_out_by_itself_and_holds_a_table_until_then(
    redis: SimRedis, journal: RedisJournal
) -> None:
    holder = RedisJournal("redis://two:1/0", checked=False, lease_ms=200)
    await holder.start()
    await holder.hold("n2")
    own = await holder.create("t_a", "n2")
    await asyncio.sleep(0.3)
    assert await journal.alive("n2")
    assert await journal.take("t_a", "n1", own) is None
    redis.line("two").hold_up = True
    await asyncio.sleep(0.25)
    assert not await journal.alive("n2")
    assert await journal.take("t_a", "n1", own) == Own("n1", 2, 0)
    redis.line("two").open()
    await asyncio.sleep(0.1)
    assert await journal.alive("n2")
    await holder.stop()
    assert not await journal.alive("n2")


async def test_a_lost_answer_is_asked_for_again_and_done_once(
    redis: SimRedis, journal: RedisJournal
) -> None:
    await journal.create("t_a", "n1")
    redis.line("one").lose_replies = 2
    assert await append(journal, batch("t_a", 1, 1, b"x", b"y")) == [None]
    assert journal.appends.repeats == 2
    assert [entry.data for entry in await journal.entries("t_a")] == [b"x", b"y"]
    assert len(redis.written) == 1


async def test_what_comes_from_a_stopped_process_late_is_done_late(
    redis: SimRedis, journal: RedisJournal
) -> None:
    await journal.create("t_a", "n1")
    redis.stop()
    task = asyncio.create_task(append(journal, batch("t_a", 1, 1, b"x")))
    await asyncio.sleep(0.05)
    assert not redis.written
    redis.go_on()
    assert await task == [None]
