"""A table's log is played again in slices, one table at a time, and the loop turns in between."""

from __future__ import annotations

import asyncio

import pytest

from protocol.client import CreateTable
from server.core.restore import restore
from server.journal.base import Entry
from server.runtime.hub import Hub
from server.runtime.loader import RENDERED, SLICE_MS, entries_of
from server.runtime.wall import Wall
from server.store.models import Player

ENTRIES = 60


async def a_table(hub: Hub) -> str:
    """One that bots play at, with a log that is long enough and stands."""
    wish = CreateTable(game="cockroach_duel", seats=2, bots=2, speed="instant")
    host = await hub.directory.create(Player("p_1", "p", True, 0, "en"), wish)
    async with asyncio.timeout(20):
        while host.table.state.entries < ENTRIES and host.table.state.phase != "ended":  # noqa: ASYNC110
            await asyncio.sleep(0)
    host.stop("moving")
    return host.id


async def test_the_loop_turns_while_logs_are_played_again(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [await a_table(hub) for _ in range(2)]
    tails = {name: await hub.journal.tail(name) for name in names}
    logs = [entries_of(tail) for tail in tails.values()]

    async def tail(name: str) -> list[Entry]:
        """At once, so that no turn of the loop is the journal's."""
        return tails[name]

    monkeypatch.setattr(hub.journal, "tail", tail)
    now = 0.0

    def steady() -> float:
        """Every entry seems to take as long as a slice may."""
        nonlocal now
        now += SLICE_MS
        return now

    monkeypatch.setattr(hub, "wall", Wall(steady))
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.create_task(count())
    loaded = await asyncio.gather(*(hub.directory.loader.load(name) for name in names))
    counting.cancel()
    assert turns >= sum(map(len, logs))
    for one, log in zip(loaded, logs, strict=True):
        assert one is not None
        table, same = restore(log, hub.games, rendered=RENDERED)
        assert same
        assert one.table.save() == table.save()
