"""The simulated journal does what the real ones do: the same contract, and random histories."""

from __future__ import annotations

import asyncio
import random
from typing import cast

import pytest

from server.journal.base import Unavailable
from tests.server.journal.contract import JournalContract, append, batch
from tests.server.journal.model import play
from tests.simulation.journal import Disk, SimJournal
from tests.simulation.loop import Loop


@pytest.fixture
def published() -> list[tuple[str, bytes]]:
    return []


@pytest.fixture
async def disk() -> Disk:
    # Here time is real; nothing of the simulated loop but its time and timers is used.
    return Disk(cast("Loop", asyncio.get_running_loop()), random.Random(1))


@pytest.fixture
async def journal(disk: Disk, published: list[tuple[str, bytes]]) -> SimJournal:
    journal = SimJournal(disk, publish=lambda channel, data: published.append((channel, data)))
    await journal.start()
    return journal


class TestContract(JournalContract):
    pass


@pytest.mark.parametrize("seed", range(8))
async def test_a_random_history_agrees_with_the_model(journal: SimJournal, seed: int) -> None:
    await play(journal, seed)


async def test_what_was_synced_outlives_its_process_and_what_was_not_does_not(disk: Disk) -> None:
    synced = asyncio.Event()
    first = SimJournal(disk, synced.set)
    own = await first.create("t_a", "n1")
    disk.weather.mute_s = 60.0
    heard: list[object] = []
    first.append(batch("t_a", 1, 1, b"synced"), heard.append)
    await synced.wait()
    first.append(batch("t_a", 1, 2, b"gathered"), heard.append)
    disk.weather.mute_s = 0.0
    second = SimJournal(disk)
    assert await second.take("t_a", "n2", own) is not None
    assert [entry.data for entry in await second.entries("t_a")] == [b"synced"]
    assert heard == []


async def test_a_disk_that_fails_does_nothing(disk: Disk, journal: SimJournal) -> None:
    await journal.create("t_a", "n1")
    disk.weather.failing = True
    (error,) = await append(journal, batch("t_a", 1, 1, b"x"))
    assert isinstance(error, Unavailable)
    with pytest.raises(Unavailable):
        await journal.entries("t_a")
    disk.weather.failing = False
    assert await journal.entries("t_a") == []


async def test_a_stopped_journal_has_ended_what_was_under_way(disk: Disk) -> None:
    journal = SimJournal(disk)
    await journal.create("t_a", "n1")
    heard: list[object] = []
    journal.append(batch("t_a", 1, 1, b"x"), heard.append)
    await journal.stop()
    assert heard == [None]
    with pytest.raises(Unavailable):
        await journal.tables()
