"""Coming back to a stream: exactly what was missed, once; and nothing where its present never went out."""

from __future__ import annotations

from typing import Any, cast

import pytest

from protocol.client import CreateTable, Place, Unwatch, Watch
from server.core.inputs import Input, Joiner
from server.journal.base import Batch, Done
from server.runtime.handlers import places
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.store.models import Player
from tests.server.runtime.held import Held, Line, session, turns, until


async def a_table(hub: Hub) -> Host:
    """One with a player at seat 0, who listened to his stream once."""
    wish = CreateTable(game="peeper", seats=3)
    host = await hub.directory.create(Player("p_1", "p", True, 0, "en"), wish)
    host.submit(Input(at=hub.wall.now(), seat=0, join=Joiner("A", "p_1")))
    host.channels[0].keeps_on = True
    host.set_wanted()
    await until(lambda: host.idle)
    return host


def ready(host: Host, ready: bool) -> None:
    host.submit(Input(at=host.table.state.now, seat=0, ready=ready))


def hold(host: Host, monkeypatch: pytest.MonkeyPatch) -> Held:
    """From now on the table's commits end when the test says so."""
    held = Held()
    journal: Any = host._journal

    def append(batch: Batch, done: Done) -> None:
        held.append(batch, done)

    monkeypatch.setattr(journal, "append", append)
    return held


@pytest.mark.parametrize("away", [False, True])
async def test_who_comes_back_gets_every_missed_frame_once_and_in_order(
    hub: Hub, away: bool
) -> None:
    host = await a_table(hub)
    seen = host.shown[0]
    epoch = host.table.state.config.epoch
    ready(host, True)
    if away:
        host.submit(Input(at=host.table.state.now, seat=0, away=True))
    await until(lambda: host.idle)
    came, line = session(hub, "p_1")
    places.resume(came, Place(table=host.id, stream="seat:0", epoch=epoch, seq=seen))
    await until(lambda: bool(line.of("requests")))
    ready(host, False)
    await until(lambda: host.idle)
    numbers = [update["seq"] for update in line.of("update")]
    assert numbers == list(range(seen + 1, host.shown[0] + 1))
    assert host.table.state.seats[0].state == "here"


@pytest.mark.parametrize("way", ["watch", "resume"])
async def test_no_frame_follows_a_present_that_never_went_out(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A commit under way fails, and with it what waited behind it; the table goes on later."""
    host = await a_table(hub)
    held = hold(host, monkeypatch)
    ready(host, True)
    await turns()
    came, line = session(hub, "p_1")
    if way == "watch":
        places.watch(came, Watch(table=host.id, id=1), 0)
    else:
        epoch = host.table.state.config.epoch
        places.resume(came, Place(table=host.id, stream="public", epoch=epoch, seq=host.shown[-1]))
    assert any(came in channel.listeners for channel in host.channels)
    host.stop("unavailable")
    assert not any(came in channel.listeners for channel in host.channels)
    assert len(held.batches) == 1
    assert line.of("update") == line.of("snapshot") == []


@pytest.mark.parametrize("frozen", [True, False])
@pytest.mark.parametrize("here", [True, False])
async def test_who_comes_back_while_the_table_stands_still_goes_on_with_it(
    hub: Hub, frozen: bool, here: bool
) -> None:
    """Also one that is let go meanwhile, where its next owner has the rest."""
    host = await a_table(hub)
    came, line = session(hub, "p_1")
    epoch = host.table.state.config.epoch
    place = Place(table=host.id, stream="seat:0", epoch=epoch, seq=host.shown[0])
    if frozen:
        host.stand_still()
    else:
        host.stop("moving")
    places.resume(came, place)
    assert len(line.of("frozen")) == int(frozen)
    assert host.returning == {came: place}
    if not here:
        hub.directory.let_go(host)
        assert [told["table"] for told in line.of("unseated")] == [host.id]
        assert host.returning == {}
    elif frozen:
        host.move_again()
        await until(lambda: bool(line.of("requests")))
        assert came in host.channels[0].listeners
        assert host.returning == {}
        assert len(line.of("frozen")) == len(line.of("thawed")) == 1


async def test_who_comes_back_and_goes_again_is_not_brought_back(hub: Hub) -> None:
    host = await a_table(hub)
    epoch = host.table.state.config.epoch
    place = Place(table=host.id, stream="seat:0", epoch=epoch, seq=host.shown[0])
    host.stand_still()
    left, its_line = session(hub, "p_1")
    gone, _ = session(hub, "p_1")
    for one in (left, gone):
        places.resume(one, place)
    places.unwatch(left, Unwatch(table=host.id, id=1), 0)
    cast("Line", gone.socket).is_open = False
    host.move_again()
    await turns()
    assert not any(one in channel.listeners for channel in host.channels for one in (left, gone))
    assert its_line.of("requests") == []
