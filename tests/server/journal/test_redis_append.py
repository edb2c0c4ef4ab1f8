"""Tests of server/journal/redis_append.py: whatever happens between us and Redis, an acknowledged
entry is there once, and nothing else is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from server.journal.base import (
    Batch,
    Entry,
    Fenced,
    JournalError,
    LeaseLost,
    Own,
    Publish,
    Unavailable,
)
from server.journal.redis import RedisJournal
from tests.server.journal.contract import append, batch
from tests.support.proxy import Proxy
from tests.support.redis_server import KINDS, RedisServer, redis_server


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    with redis_server(request.param) as server:
        yield server


@pytest.fixture
async def proxy(server: RedisServer) -> AsyncIterator[Proxy]:
    async with Proxy(server.port) as proxy:
        yield proxy


@pytest.fixture(autouse=True)
def short_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second is long enough on loopback, so that a lost answer is noticed soon."""
    monkeypatch.setattr("server.journal.redis_append.ANSWER_S", 0.5)


@pytest.fixture
async def journal(server: RedisServer, proxy: Proxy) -> AsyncIterator[RedisJournal]:
    """A journal whose every byte goes through the proxy."""
    with server.client() as client:
        client.flushall()
    journal = RedisJournal(proxy.url)
    await journal.start()
    yield journal
    await journal.stop()


class Player:
    """Appends to one table as an owner does: the next number when the last one is answered."""

    def __init__(self, journal: RedisJournal, table: str) -> None:
        self._journal = journal
        self.table = table
        self.acked: list[Entry] = []
        self.errors: list[JournalError] = []
        self.going = True

    def go(self) -> None:
        number = len(self.acked) + 1
        data = f"{self.table} {number} {random.random()}".encode()
        entry = Entry(number, data, snapshot=number % 10 == 1)
        each = Batch(self.table, 1, [entry], [Publish("c", data)])

        def done(error: JournalError | None) -> None:
            if error is not None:
                self.errors.append(error)
                return
            self.acked.append(entry)
            if self.going:
                self.go()

        self._journal.append(each, done)


async def players(journal: RedisJournal, count: int) -> list[Player]:
    made = [Player(journal, f"t_{number}") for number in range(count)]
    for player in made:
        await journal.create(player.table, "n1")
        player.go()
    return made


async def stand(journal: RedisJournal, made: list[Player]) -> None:
    """Stop playing, wait for every answer, and compare the logs with what was acknowledged."""
    for player in made:
        player.going = False
    await journal.appends.settled(20)
    for player in made:
        assert player.errors == []
        assert await journal.entries(player.table) == player.acked


async def test_a_lost_answer_is_asked_for_again(
    journal: RedisJournal, proxy: Proxy, server: RedisServer
) -> None:
    await journal.create("t_a", "n1")
    with server.client() as client, client.pubsub() as listener:
        listener.subscribe("hanpan:c")
        listener.get_message(timeout=1)
        proxy.hold_replies = True  # executed, and its answer lost
        task = asyncio.create_task(
            append(journal, batch("t_a", 1, 1, b"x", publishes=[Publish("c", b"once")]))
        )
        await asyncio.sleep(0.2)
        assert client.xlen("hanpan:{t_a}:log") == 1
        proxy.hold_replies = False
        assert await task == [None]
        assert await journal.entries("t_a") == [Entry(1, b"x")]
        assert listener.get_message(timeout=1)["data"] == b"once"
        assert listener.get_message(timeout=0.2) is None
    assert journal.appends.repeats > 0


async def test_a_lost_call_is_made_again(journal: RedisJournal, proxy: Proxy) -> None:
    await journal.create("t_a", "n1")
    proxy.hold_requests = True
    task = asyncio.create_task(append(journal, batch("t_a", 1, 1, b"x"), batch("t_a", 1, 2, b"y")))
    await asyncio.sleep(0.2)
    proxy.hold_requests = False
    assert await task == [None, None]
    assert await journal.entries("t_a") == [Entry(1, b"x"), Entry(2, b"y")]


async def test_connections_cut_at_any_moment_lose_and_double_nothing(
    journal: RedisJournal, proxy: Proxy
) -> None:
    made = await players(journal, 8)
    chance = random.Random(7)
    for _ in range(40):
        await asyncio.sleep(chance.uniform(0.0, 0.05))
        proxy.cut()
    await stand(journal, made)
    assert sum(len(player.acked) for player in made) > 100


async def test_answers_lost_at_any_moment_lose_and_double_nothing(
    journal: RedisJournal, proxy: Proxy
) -> None:
    made = await players(journal, 8)
    chance = random.Random(8)
    for _ in range(10):
        await asyncio.sleep(chance.uniform(0.0, 0.1))
        proxy.hold_replies = True
        await asyncio.sleep(chance.uniform(0.0, 0.1))
        proxy.hold_replies = False
    await stand(journal, made)
    assert journal.appends.repeats > 0


async def test_killed_clients_lose_and_double_nothing(
    journal: RedisJournal, server: RedisServer
) -> None:
    made = await players(journal, 8)
    with server.client() as client:
        for _ in range(30):
            await asyncio.sleep(0.02)
            client.client_kill_filter(_type="normal", skipme=True)
    await stand(journal, made)


async def test_a_stopped_redis_freezes_and_goes_on(
    journal: RedisJournal, server: RedisServer
) -> None:
    made = await players(journal, 8)
    await asyncio.sleep(0.1)
    server.pause()
    await asyncio.sleep(0.05)
    frozen = [len(player.acked) for player in made]
    await asyncio.sleep(2.5)
    assert [len(player.acked) for player in made] == frozen
    server.resume()
    await asyncio.sleep(0.5)
    await stand(journal, made)
    assert all(len(player.acked) > before for player, before in zip(made, frozen, strict=True))


async def test_a_redis_killed_under_play_loses_and_doubles_nothing(
    journal: RedisJournal, server: RedisServer
) -> None:
    made = await players(journal, 8)
    chance = random.Random(9)
    for _ in range(10):
        await asyncio.sleep(chance.uniform(0.05, 0.2))
        server.kill()
        await asyncio.sleep(chance.uniform(0.0, 0.2))
        await asyncio.to_thread(server.start)
    await asyncio.sleep(0.6)
    await stand(journal, made)
    assert all(len(player.acked) > 10 for player in made)


async def test_a_forgotten_script_is_brought_along_again(
    journal: RedisJournal, server: RedisServer
) -> None:
    made = await players(journal, 4)
    with server.client() as client:
        for _ in range(10):
            await asyncio.sleep(0.02)
            client.script_flush()
    await stand(journal, made)
    assert all(len(player.acked) > 5 for player in made)


async def test_a_full_redis_answers_and_nothing_is_done(
    journal: RedisJournal, server: RedisServer
) -> None:
    await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"one"))
    with server.client() as client:
        client.config_set("maxmemory", "1")
        (error,) = await append(
            journal, batch("t_a", 1, 2, b"two", publishes=[Publish("c", b"no")])
        )
        assert isinstance(error, Unavailable)
        # What is there already is still known to be there.
        assert await append(journal, batch("t_a", 1, 1, b"one")) == [None]
        client.config_set("maxmemory", "0")
    assert await journal.tables() == [("t_a", Own("n1", 1, 1))]
    assert await append(journal, batch("t_a", 1, 2, b"two")) == [None]


async def test_after_an_unknown_outcome_a_full_redis_proves_nothing(
    journal: RedisJournal, proxy: Proxy, server: RedisServer
) -> None:
    await journal.create("t_a", "n1")
    proxy.hold_requests = True
    task = asyncio.create_task(append(journal, batch("t_a", 1, 1, b"x")))
    await asyncio.sleep(0.1)
    with server.client() as client:
        client.config_set("maxmemory", "1")
        proxy.hold_requests = False
        await asyncio.sleep(1)
        assert not task.done()
        client.config_set("maxmemory", "0")
    assert await task == [None]


async def test_a_taken_table_is_fenced_off_after_any_outage(
    journal: RedisJournal, proxy: Proxy, server: RedisServer
) -> None:
    own = await journal.create("t_a", "n1")
    await append(journal, batch("t_a", 1, 1, b"one"))
    proxy.hold_requests = True
    task = asyncio.create_task(
        append(journal, batch("t_a", 1, 2, b"late"), batch("t_a", 1, 3, b""))
    )
    await asyncio.sleep(0.1)
    other = RedisJournal(server.url)
    await other.start()
    assert await other.take("t_a", "n2", own) == Own("n2", 2, 1)
    proxy.hold_requests = False
    assert [type(answer) for answer in await task] == [Fenced, Fenced]
    assert await append(other, batch("t_a", 2, 2, b"two")) == [None]
    assert await other.entries("t_a") == [Entry(1, b"one"), Entry(2, b"two")]
    await other.stop()


async def test_an_entry_of_a_dead_owner_is_seen_by_the_next_one_or_never(
    journal: RedisJournal, proxy: Proxy, server: RedisServer
) -> None:
    own = await journal.create("t_a", "n1")
    proxy.hold_replies = True  # done, and the owner will never know
    answers: list[JournalError | None] = []
    journal.append(batch("t_a", 1, 1, b"x"), answers.append)
    await asyncio.sleep(0.1)
    other = RedisJournal(server.url)
    await other.start()
    taken = await other.take("t_a", "n2", own)
    assert taken == Own("n2", 2, 1)
    assert await other.entries("t_a") == [Entry(1, b"x")]
    await journal.stop()
    assert [type(answer) for answer in answers] == [LeaseLost]
    await other.stop()


async def test_what_was_never_sent_is_known_not_to_be_done(
    server: RedisServer, journal: RedisJournal
) -> None:
    impatient = RedisJournal(server.url, give_up_s=0.3)
    await impatient.start()
    await impatient.create("t_a", "n1")
    server.kill()
    await asyncio.sleep(0.05)
    answers = await append(impatient, batch("t_a", 1, 1, b"x"))
    assert [type(answer) for answer in answers] == [Unavailable]
    await asyncio.to_thread(server.start)
    assert await append(impatient, batch("t_a", 1, 1, b"x")) == [None]
    await impatient.stop()


async def test_an_outcome_that_stays_unknown_is_given_up_as_if_fenced(
    server: RedisServer, proxy: Proxy, journal: RedisJournal
) -> None:
    impatient = RedisJournal(proxy.url, give_up_s=0.6)
    await impatient.start()
    await impatient.create("t_a", "n1")
    proxy.hold_replies = True
    (error,) = await append(impatient, batch("t_a", 1, 1, b"x"))
    assert isinstance(error, LeaseLost)
    proxy.hold_replies = False
    proxy.cut()
    assert await impatient.entries("t_a") == [Entry(1, b"x")]
    await impatient.stop()


async def test_other_calls_survive_a_cut_and_end_with_a_sentence(
    journal: RedisJournal, proxy: Proxy, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = await journal.create("t_a", "n1")
    proxy.cut()
    assert await journal.tables() == [("t_a", own)]
    monkeypatch.setattr("server.journal.redis.CALL_S", 0.5)
    server.kill()
    with pytest.raises(Unavailable, match="Redis at"):
        await journal.tables()
    await asyncio.to_thread(server.start)
    assert await journal.tables() == [("t_a", own)]


async def test_a_lost_answer_to_a_take_or_a_creation_is_found_again(
    journal: RedisJournal, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.redis.client.ANSWER_S", 0.3)
    patient = RedisJournal(proxy.url)
    await patient.start()
    calls: list[Callable[[], Awaitable[Own | None]]] = [
        lambda: patient.create("t_b", "n1"),
        lambda: patient.take("t_b", "n1", Own("n1", 1, 0)),
    ]
    for call in calls:
        proxy.hold_replies = True
        waiting = asyncio.ensure_future(call())
        await asyncio.sleep(0.2)
        proxy.hold_replies = False
        own = await waiting
        assert own is not None
        assert await patient.tables() == [("t_b", own)]
    proxy.hold_replies = True
    release = asyncio.create_task(patient.release("t_b", 2))
    await asyncio.sleep(0.2)
    proxy.hold_replies = False
    await release
    assert await patient.tables() == [("t_b", Own("", 3, 0))]
    await patient.stop()
