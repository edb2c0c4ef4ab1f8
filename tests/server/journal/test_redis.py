"""Tests of server/journal/redis.py against real servers: the contract, leases, settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import uvloop

from server.journal.base import Entry, Fenced, JournalError, Own, Unavailable
from server.journal.redis import RedisJournal
from tests.server.journal.contract import JournalContract, append, batch
from tests.server.journal.model import play
from tests.support.needs import free_port
from tests.support.redis_server import KINDS, RedisServer, redis_server


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    with redis_server(request.param) as server:
        yield server


@pytest.fixture
async def journal(server: RedisServer) -> AsyncIterator[RedisJournal]:
    with server.client() as client:
        client.flushall()
    journal = RedisJournal(server.url)
    await journal.start()
    yield journal
    await journal.stop()


@pytest.fixture
async def other(server: RedisServer, journal: RedisJournal) -> AsyncIterator[RedisJournal]:
    """Another process's journal on the same server."""
    other = RedisJournal(server.url)
    await other.start()
    yield other
    await other.stop()


@pytest.fixture
async def published(server: RedisServer) -> AsyncIterator[list[tuple[str, bytes]]]:
    """What Redis published on the channels c and d."""
    seen: list[tuple[str, bytes]] = []
    with server.client() as client:
        listener = client.pubsub()
        listener.subscribe("hanpan:c", "hanpan:d")

        def listen() -> None:
            for message in listener.listen():
                if message["type"] == "message":
                    seen.append((message["channel"].decode()[7:], message["data"]))
                elif message["type"] == "unsubscribe" and message["data"] == 0:
                    return

        thread = asyncio.create_task(asyncio.to_thread(listen))
        await asyncio.sleep(0.02)
        yield seen
        listener.unsubscribe()
        await thread
        listener.close()


class TestContract(JournalContract):
    pass


@pytest.mark.parametrize("seed", range(8))
async def test_a_random_history_agrees_with_the_model(journal: RedisJournal, seed: int) -> None:
    await play(journal, seed)


async def test_two_processes_see_one_log(journal: RedisJournal, other: RedisJournal) -> None:
    own = await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"one"))
    assert await other.tables() == [("t_a", Own("n1", 1, 1))]
    assert await other.take("t_a", "n2", own) == Own("n2", 2, 1)
    late, taken = (
        await append(journal, batch("t_a", 1, 2, b"late")),
        await append(other, batch("t_a", 2, 2, b"two")),
    )
    assert isinstance(late[0], Fenced)
    assert taken == [None]
    assert await journal.entries("t_a") == [Entry(1, b"one"), Entry(2, b"two")]


async def test_a_living_holders_table_is_not_taken(
    journal: RedisJournal, other: RedisJournal
) -> None:
    await journal.hold("n1")
    own = await journal.create("t_a", "n1")
    assert await other.alive("n1")
    assert journal.held("n1")
    assert not other.held("n1")
    assert await other.take("t_a", "n2", own) is None
    assert await append(journal, batch("t_a", 1, 1, b"mine")) == [None]
    # Its own holder may take it anew, and a released one is free although its old holder lives.
    anew = await journal.take("t_a", "n1", own)
    assert anew == Own("n1", 2, 1)
    await journal.release("t_a", 2)
    ((_, free),) = await other.tables()
    assert await other.take("t_a", "n2", free) == Own("n2", 4, 1)


async def test_a_lease_outlives_its_length_while_it_is_renewed_and_ends_with_the_process(
    journal: RedisJournal, other: RedisJournal, server: RedisServer
) -> None:
    await journal.hold("n1")
    with server.client() as client:
        await asyncio.sleep(1.7)
        left = client.pttl("hanpan:node:n1")
    assert 4000 < int(left) <= 5000, "renewed after 1.5 s"
    await journal.stop()
    assert not await other.alive("n1")
    await journal.start()


async def test_a_lease_that_is_gone_lets_others_take(
    journal: RedisJournal, other: RedisJournal, server: RedisServer
) -> None:
    await journal.hold("n1")
    own = await journal.create("t_a", "n1")
    with server.client() as client:
        client.delete("hanpan:node:n1")  # as if it had run out
        assert await other.take("t_a", "n2", own) == Own("n2", 2, 0)
        # The process that was merely slow gets its lease again, and not its table.
        await asyncio.sleep(1.7)
        assert client.exists("hanpan:node:n1")
    (late,) = await append(journal, batch("t_a", 1, 1, b"late"))
    assert isinstance(late, Fenced)


async def test_a_name_is_one_process_at_a_time(
    journal: RedisJournal, other: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.journal.redis_lease.TAKE_S", 0.3)
    await journal.hold("n1")
    with pytest.raises(JournalError, match="Another process"):
        await other.hold("n1")
    await journal.stop()
    await other.hold("n1")
    assert await other.alive("n1")
    await journal.start()


@pytest.mark.parametrize(
    ("setting", "value"),
    [("appendonly", "no"), ("appendfsync", "everysec"), ("maxmemory-policy", "allkeys-lru")],
)
async def test_a_server_that_would_lose_entries_is_refused(
    server: RedisServer, setting: str, value: str
) -> None:
    with server.client() as client:
        before = client.config_get(setting)[setting]
        client.config_set(setting, value)
        try:
            with pytest.raises(JournalError, match=f"{setting} is {value}"):
                await RedisJournal(server.url).start()
            unchecked = RedisJournal(server.url, checked=False)
            await unchecked.start()
            await unchecked.stop()
        finally:
            client.config_set(setting, before)


async def test_the_fsync_mode_is_named(server: RedisServer) -> None:
    with server.client() as client:
        client.config_set("appendfsync", "everysec")
        try:
            named = RedisJournal(server.url, fsync="everysec")
            await named.start()
            await named.stop()
        finally:
            client.config_set("appendfsync", "always")


async def test_without_redis_it_does_not_start() -> None:
    with pytest.raises(JournalError, match="cannot be used"):
        await RedisJournal(f"redis://127.0.0.1:{free_port()}/0").start()


async def test_a_closed_journal_refuses(journal: RedisJournal) -> None:
    await journal.create("t_a", "n1")
    await journal.stop()
    (error,) = await append(journal, batch("t_a", 1, 1, b"x"))
    assert isinstance(error, Unavailable)
    with pytest.raises(Unavailable):
        await journal.tables()
    await journal.start()
    assert await append(journal, batch("t_a", 1, 1, b"x")) == [None]


async def test_all_keys_of_a_table_share_one_hash_tag(
    journal: RedisJournal, server: RedisServer
) -> None:
    await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"x"))
    with server.client() as client:
        assert sorted(client.keys()) == [
            b"hanpan:tables",
            b"hanpan:{t_a}:log",
            b"hanpan:{t_a}:own",
        ]
        assert client.xrange("hanpan:{t_a}:log") == [(b"1-0", {b"d": b"x"})]
        await journal.drop("t_a")
        assert client.keys() == []


async def test_a_long_log_is_read_in_slices(
    journal: RedisJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.journal.redis.SLICE", 7)
    await journal.create("t_a", "n1")
    for count in (6, 7, 8, 14):
        start = len(await journal.entries("t_a")) + 1
        await append(journal, batch("t_a", 1, start, *[b"x"] * count))
        numbers = [entry.number for entry in await journal.entries("t_a", 2)]
        assert numbers == list(range(2, start + count))


def test_it_runs_on_uvloop(server: RedisServer) -> None:
    async def main() -> None:
        journal = RedisJournal(server.url, prefix="uvloop:")
        await journal.start()
        await journal.hold("n1")
        await journal.create("t_a", "n1")
        assert await append(journal, batch("t_a", 1, 1, b"x")) == [None]
        assert await journal.entries("t_a") == [Entry(1, b"x")]
        await journal.drop("t_a")
        await journal.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
