"""Results of ended matches: each is stored once, whatever comes between its end and that."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.client import CreateTable
from server.app import build_hub
from server.core.inputs import Input, Joiner
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.settings import Settings
from server.store.models import Match, StoreError
from tests.server.runtime.held import until


async def playing(hub: Hub) -> Host:
    """A table of one person and a bot whose match runs."""
    player, _ = await hub.store.guest(None, "en")
    host = await hub.directory.create(player, CreateTable(game="peeper", seats=2, bots=1))
    now = hub.wall.now()
    host.submit(Input(at=now, seat=1, join=Joiner("p", player=player.id)))
    host.submit(Input(at=now, seat=1, ready=True))
    assert host.table.state.phase == "running"
    await until(lambda: host.idle)
    return host


def end_and_again(hub: Hub, host: Host) -> tuple[str, str]:
    """End the match and begin the next one in the same turn of the loop; their ids."""
    first = host.table.match.id
    host.submit(Input(at=hub.wall.now(), void="engine"))
    host.submit(Input(at=hub.wall.now(), seat=1, rematch=True))
    assert host.table.state.phase == "running"
    return first, host.table.match.id


async def found(hub: Hub, match: str) -> Match:
    """The stored match, once it is there."""
    async with asyncio.timeout(5):
        while (there := await hub.store.match(match)) is None:  # noqa: ASYNC110  # of what others do
            await asyncio.sleep(0.005)
    return there


async def test_a_next_match_that_begins_before_the_end_is_committed_takes_no_result(
    hub: Hub,
) -> None:
    host = await playing(hub)
    first, second = end_and_again(hub, host)
    assert (await found(hub, first)).voided
    assert await hub.store.match(second) is None
    host.submit(Input(at=hub.wall.now(), void="engine"))
    assert (await found(hub, second)).voided
    full = await hub.store.record(first)
    assert full is not None
    assert first.encode() in full


async def test_a_result_that_waited_for_the_store_outlives_the_process(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads the table from its log finds the next match running, and the result all the same."""
    asked: list[str] = []

    async def away(match: Match, record: bytes, public: bytes | None = None) -> bool:
        asked.append(match.id)
        raise StoreError("the database is away")

    host = await playing(hub)
    monkeypatch.setattr(hub.store, "finish", away)
    first, second = end_and_again(hub, host)
    await until(lambda: first in asked and host.idle)
    await hub.stop()
    again = build_hub(Settings(data=str(tmp_path)))
    await again.start()
    try:
        taken = again.directory.hosts[host.id]
        assert taken.table.match.id == second
        assert (await found(again, first)).voided
        await until(lambda: first in taken.stored)
    finally:
        await again.stop()


async def test_the_table_keeps_an_earlier_match_until_its_result_is_stored(hub: Hub) -> None:
    host = await playing(hub)
    first, second = end_and_again(hub, host)
    assert [match.id for match in host.table.state.unstored] == [first]
    await until(lambda: first in host.stored)
    assert end_and_again(hub, host)[0] == second
    assert [match.id for match in host.table.state.unstored] == [second]
    await until(lambda: second in host.stored)
    end_and_again(hub, host)
    assert first not in host.stored, "what the table has forgotten is forgotten here too"
