"""The tables of one process: made, taken over, and what those who watch them find."""

from __future__ import annotations

import pytest

from protocol.client import CreateTable, Watch
from server.core.inputs import Input, Joiner
from server.journal.base import Done, Unavailable
from server.runtime.handlers import places
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.store.models import Player
from tests.server.runtime.held import session, until

HOST = Player("p_1", "p", True, 0, "en")
DELAY_MS = 150


async def restarted(hub: Hub, host: Host) -> Host:
    """The table as another process finds it in the journal."""
    await until(lambda: host.idle)
    hub.directory.let_go(host)
    own = dict(await hub.journal.tables())[host.id]
    assert await hub.directory.take(host.id, own)
    return hub.directory.hosts[host.id]


@pytest.mark.parametrize("bots", [0, 2])
async def test_a_table_that_is_told_of_is_in_the_journal(hub: Hub, bots: int) -> None:
    wish = CreateTable(game="peeper", seats=3, bots=bots)
    host = await hub.directory.create(HOST, wish)
    told: list[object] = []
    host.query(lambda table: None, told.append)
    assert told == []
    await until(lambda: bool(told))
    assert len(await hub.journal.entries(host.id)) == 1 + bots


async def test_a_table_whose_maker_died_before_its_first_entry_is_forgotten(hub: Hub) -> None:
    own = await hub.journal.create("t_never", "somebody")
    assert not await hub.directory.take("t_never", own)
    assert await hub.journal.tables() == []
    assert "t_never" not in hub.directory.unplayable


@pytest.mark.parametrize("waited", [False, True])
async def test_a_delayed_stream_goes_on_at_its_number_after_a_restart(
    hub: Hub, waited: bool
) -> None:
    wish = CreateTable(game="peeper", seats=3, bots=2, spectate_delay_ms=DELAY_MS)
    made = await hub.directory.create(HOST, wish)
    number = made.table.state.numbers[made.public]
    assert number > 0
    if waited:
        delayed = made.delayed
        assert delayed is not None
        await until(lambda: delayed.number == number)
    host = await restarted(hub, made)
    watcher, line = session(hub, "p_2")
    places.watch(watcher, Watch(table=host.id, id=1), 0)
    await until(lambda: bool(line.of("snapshot")) and line.of("snapshot")[-1]["seq"] == number)
    assert [seat["state"] for seat in line.of("snapshot")[-1]["seats"]] == ["bot", "bot", "open"]
    host.submit(hub.directory.bot_input(host, "random", 0))
    await until(lambda: bool(line.of("update")))
    assert line.of("update")[0]["seq"] == number + 1


async def test_the_first_snapshot_of_a_delayed_stream_lists_the_seats(hub: Hub) -> None:
    wish = CreateTable(game="peeper", seats=2, spectate_delay_ms=60_000)
    host = await hub.directory.create(HOST, wish)
    watcher, line = session(hub, "p_2")
    places.watch(watcher, Watch(table=host.id, id=1), 0)
    await until(lambda: bool(line.of("snapshot")))
    assert line.of("snapshot")[0]["seats"] == []
    assert line.of("snapshot")[0]["seq"] == 0


async def test_the_lobby_forgets_what_was_never_committed(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await hub.directory.create(HOST, CreateTable(game="peeper", seats=2))
    await until(lambda: host.idle)

    def states() -> list[str]:
        info = hub.directory.lobby.info(host.id)
        assert info is not None
        return [seat.state for seat in info.seats]

    waiting: list[Done] = []
    with monkeypatch.context() as slow:
        slow.setattr(hub.journal, "append", lambda batch, done: waiting.append(done))
        host.submit(Input(at=hub.wall.now(), join=Joiner("p", player=HOST.id)))
        await until(lambda: bool(waiting))
        hub.directory.lobby.note(host.id)
        assert states() == ["here", "open"]
    waiting[0](Unavailable("the disk is full"))
    await until(lambda: not host.frozen)
    assert states() == ["open", "open"]
