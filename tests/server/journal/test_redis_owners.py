"""Tests of the Redis journal with owners that are killed, stopped past their lease, and followed.

Real processes append and print what is acknowledged. Leases are short here (600 ms).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from server.journal.base import Own
from server.journal.redis import RedisJournal
from tests.server.journal.contract import append, batch
from tests.support.redis_server import KINDS, RedisServer, redis_server
from tests.support.writer import Writer
from tests.support.writer import writer as writer_of

TABLES = 10
SHORT_LEASES = """
import server.journal.redis_lease as lease
lease.LEASE_MS = 600
"""


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    with redis_server(request.param) as server:
        yield server


def writer(server: RedisServer, tmp_path: Path, node: str) -> AbstractContextManager[Writer]:
    """A process that owns the tables as this node."""
    return writer_of(server.url, TABLES, tmp_path / node, node, prelude=SHORT_LEASES)


@pytest.fixture
async def journal(server: RedisServer) -> AsyncIterator[RedisJournal]:
    """The journal of a process that looks on, and takes over."""
    with server.client() as client:
        client.flushall()
    journal = RedisJournal(server.url)
    await journal.start()
    yield journal
    await journal.stop()


async def check(journal: RedisJournal, acked: dict[str, int]) -> dict[str, Own]:
    """Every acknowledged entry is there once, numbers are contiguous, fences never go back."""
    owned = dict(await journal.tables())
    for table, last in acked.items():
        entries = await journal.entries(table)
        assert [entry.number for entry in entries] == list(range(1, owned[table].number + 1))
        assert last <= owned[table].number
        fences = [int(entry.data.split(b":")[2]) for entry in entries]
        assert fences == sorted(fences)
    return owned


async def test_killed_owners_are_followed_and_nothing_acknowledged_is_lost(
    journal: RedisJournal, server: RedisServer, tmp_path: Path
) -> None:
    acked: dict[str, int] = {}
    for turn in range(6):
        with writer(server, tmp_path, f"n{turn}") as process:
            await asyncio.to_thread(process.wait_for, 60 + 37 * turn)
            process.kill()
            for table, last in process.acked().items():
                # Each owner went on behind the last one's acknowledged entries.
                first = next(line for line in process.lines() if line.startswith(table + " "))
                assert int(first.split()[1]) > acked.get(table, 0)
                acked[table] = last
        await check(journal, acked)


async def test_an_owner_stopped_past_its_lease_is_accepted_nothing_more(
    journal: RedisJournal, server: RedisServer, tmp_path: Path
) -> None:
    for turn in range(3):
        with writer(server, tmp_path, f"n{turn}") as process:
            await asyncio.to_thread(process.wait_for, 80)
            process.pause()
            await asyncio.sleep(0.7)
            assert not await journal.alive(f"n{turn}")
            acked = process.acked()
            owned = await check(journal, acked)
            taken = {}
            for table, own in owned.items():
                after = await journal.take(table, "next", own)
                assert after is not None
                data = f"{table}:{own.number + 1}:{after.fence}".encode()
                each = batch(table, after.fence, own.number + 1, data)
                assert await append(journal, each) == [None]
                taken[table] = own.number + 1
            process.resume()
            await asyncio.to_thread(process.wait_until, TABLES, True)
            await asyncio.sleep(0.1)
            # It heard only that it is fenced off, for every table; what it had in flight when it was
            # stopped may have been done before the takeover, and then it hears that.
            assert process.refused() == ["!Fenced"] * TABLES
            assert all(last <= taken[table] - 1 for table, last in process.acked().items())
        for table, number in taken.items():
            assert (await check(journal, acked))[table].number == number
            await journal.release(table, owned[table].fence + 1)
