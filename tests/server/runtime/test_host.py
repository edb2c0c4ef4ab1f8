"""One table's host: nothing is seen before it is durable, and nothing that is due is forgotten."""

from __future__ import annotations

import asyncio
import time

import pytest

from server.core.claims import Window
from server.core.clocks import ClockRules
from server.core.config import TableConfig
from server.core.inputs import Input
from server.core.refusals import Taken
from server.core.table import Table
from server.journal.base import Batch, Done, Own, Unavailable
from server.runtime.host import LONG_STALL_MS, STALL_MS, Host
from server.runtime.wall import Wall
from tests.server.core.bench import PEEPER, Bench, peeper_deck, single
from tests.server.runtime.held import Held, host_of, turns

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


class Clock:
    """A wall that a test sets."""

    def __init__(self) -> None:
        self.ms = 0.0
        self.wall = Wall(lambda: self.ms, 0.0)


class Noting(Held):
    """It notes whose batches come."""

    def __init__(self, name: str, order: list[str]) -> None:
        super().__init__()
        self.name = name
        self.order = order

    def append(self, batch: Batch, done: Done) -> None:
        super().append(batch, done)
        self.order.append(self.name)


def peeper(**settings: object) -> Bench:
    return Bench(PEEPER, 4, decks=[DECK], **settings)  # type: ignore[arg-type]  # fields of the config


# -- a new table ---------------------------------------------------------------------------------------
async def test_nobody_hears_of_a_new_table_before_it_is_durable() -> None:
    config = TableConfig(
        table="t", epoch="e", game="peeper", ruleset="standard", options={}, seats=2
    )
    journal, clock = Held(), Clock()
    told: list[object] = []
    host = host_of(Table.create(PEEPER, config, 0), journal, clock.wall)
    host.begin()
    host.query(lambda table: table.state.phase, told.append)
    await turns()
    assert told == []
    assert [entry.number for entry in journal.batches[0].entries] == [1]
    journal.end()
    assert told == ["waiting"]
    assert host.idle


@pytest.mark.parametrize("last", ["ready", "back"])
async def test_a_match_starts_when_the_last_one_is_ready_or_back(last: str) -> None:
    bench = peeper(start=False)
    for seat in range(4):
        if seat != 2:
            bench.handle(Input(at=0, seat=seat, ready=True))
    if last == "back":
        bench.handle(Input(at=0, seat=1, away=True))
        bench.handle(Input(at=0, seat=2, ready=True))
    host = host_of(bench.table, Held(), Clock().wall)
    assert host.table.state.phase == "waiting"
    if last == "back":
        host.submit(Input(at=1, seat=1, back=True))
    else:
        host.submit(Input(at=1, seat=2, ready=True))
    assert [request.kind for request in bench.table.state.requests.values()] == ["turn"]


async def test_nobody_who_comes_back_starts_a_match_that_was_not_asked_for() -> None:
    bench = peeper(bots=(1, 2, 3), away_ms=1_000)
    bench.handle(Input(at=1, seat=0, away=True))
    bench.handle(Input(at=1, void="engine"))
    host = host_of(bench.table, Held(), Clock().wall)
    host.submit(Input(at=2, seat=0, back=True))
    assert bench.table.state.phase == "ended"


# -- what is due ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", ["taken over", "read back"])
async def test_what_is_due_at_a_table_out_of_its_log_needs_nothing_else_to_happen(how: str) -> None:
    bench = peeper(start=False, away_ms=20)
    bench.handle(Input(at=0, seat=1, away=True))
    journal, wall = Held(), Wall(since=0)
    if how == "taken over":
        host = host_of(bench.table, journal, wall)
    else:
        host = host_of(peeper(start=False).table, journal, wall)
        host.stop("unavailable")
        host.go_on(bench.table, Own("n1", 1, bench.table.state.entries), [])
    async with asyncio.timeout(5):
        while not journal.batches:  # noqa: ASYNC110  # a timer of the host ends it
            await asyncio.sleep(0.005)
    assert host.table.state.seats[1].state == "open"


async def test_a_bot_waits_for_what_gathers_in_the_same_turn_of_the_loop() -> None:
    """A timer that is due in the turn in which a person acts must not let the bot see that act."""
    clock = ClockRules(turn_ms=20, bank_ms=0, grace_ms=300)
    bench = peeper(clock=clock, bots=(2,))
    journal, wall = Held(), Wall(since=0)
    host = host_of(bench.table, journal, wall)
    host.query(lambda table: None, lambda _: None)  # plans the turn's end
    play = Input(at=1, seat=0, request=bench.request(0), action=single("5"))
    asyncio.get_running_loop().call_later(0.01, host.submit, play)
    time.sleep(0.05)  # noqa: ASYNC251  # both fall due in one turn of the loop
    await turns(4)
    assert bench.table.bot_due is not None
    assert [len(batch.entries) for batch in journal.batches] == [1]


async def test_bots_wait_for_their_turn_and_people_and_clocks_do_not() -> None:
    rules = ClockRules(turn_ms=20_000, bank_ms=0, grace_ms=300)
    clock, order = Clock(), list[str]()
    benches = {"bots": peeper(bots=(0, 1, 2, 3)), "people": peeper(), "clock": peeper(clock=rules)}
    hosts = {
        name: host_of(bench.table, Noting(name, order), clock.wall)
        for name, bench in benches.items()
    }
    assert hosts["bots"].table.bot_due is not None
    clock.ms = 30_000  # a bot's turn has come, and somebody's time at another table is over
    loop = asyncio.get_running_loop()
    for _ in range(4):
        hosts["bots"].turns.add(lambda: order.append("work"))
    for name in ("bots", "clock"):
        hosts[name].query(lambda table: None, lambda _: None)  # plans what is due
    play = Input(at=1, seat=0, request=benches["people"].request(0), action=single("5"))
    loop.call_soon(hosts["people"].submit, play)
    await turns(12)
    assert sorted(order) == ["bots", "clock", "people", *["work"] * 4]
    assert order[-2:] == ["work", "bots"]


# -- slow commits --------------------------------------------------------------------------------------
async def test_a_slow_commit_is_told_before_a_bot_acts_that_waited_for_its_turn() -> None:
    bench = peeper(bots=(0,))
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    clock.ms = 30_000
    for _ in range(10):
        host.turns.add(lambda: None)
    host.query(lambda table: None, lambda _: None)  # plans the bot's turn, behind the others'
    await turns()
    host.submit(Input(at=clock.wall.now(), seat=3, standing={"mine": "all"}))
    await turns()
    clock.ms += STALL_MS + 10
    journal.end()
    assert journal.batches == []
    await turns(10)
    (told,) = journal.batches
    assert [b"stalled" in entry.data for entry in told.entries] == [True]
    journal.end()
    await turns(4)
    (acted,) = journal.batches
    assert b'"action"' in acted.entries[0].data


async def test_what_waited_for_a_slow_commit_opens_its_window_when_it_takes_effect() -> None:
    bench = peeper()
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    host.submit(Input(at=0, seat=3, standing={"mine": "all"}))
    await turns()
    assert len(journal.batches) == 1
    clock.ms = STALL_MS + 10
    play = Input(at=clock.wall.now(), seat=0, request=bench.request(0), action=single("5"))
    host.submit(play)
    assert bench.asked(0) == ["turn"]
    clock.ms = 900
    journal.end()
    await turns()
    while journal.batches:
        journal.end()
        await turns()
    window = host.table.state.window
    assert window is not None
    assert (window.opened, window.until) == (900, 900 + window.claim_ms + window.grace_ms)
    assert (play.at, play.stamp) == (900, STALL_MS + 10)


async def played(journal: Held, clock: Clock) -> tuple[Host, Window]:
    """A table whose first play is under way to the journal, and the window that it opened."""
    bench = peeper()
    host = host_of(bench.table, journal, clock.wall)
    host.submit(Input(at=0, seat=0, request=bench.request(0), action=single("5")))
    await turns()
    window = host.table.state.window
    assert window is not None
    return host, window


async def test_a_slow_journal_gets_nothing_more_to_write_for_being_slow() -> None:
    """The stall is told with the next input or when something is due, not with an entry of its own."""
    journal, clock = Held(), Clock()
    host, window = await played(journal, clock)
    until = window.until
    clock.ms = 10 * STALL_MS
    journal.end()
    await turns()
    assert journal.batches == []
    assert window.until == until
    told: list[object] = []
    order = Input(at=clock.wall.now(), seat=3, standing={"mine": "all"})
    host.submit(order, told.append)
    await turns()
    assert [len(batch.entries) for batch in journal.batches] == [2]  # the stall, the order
    assert window.until == until + 10 * STALL_MS
    clock.ms += STALL_MS
    journal.end()
    await turns()
    assert len(told) == 1


async def test_a_long_stall_is_told_at_once() -> None:
    journal, clock = Held(), Clock()
    _, window = await played(journal, clock)
    until = window.until
    clock.ms = LONG_STALL_MS + 1
    journal.end()
    await turns()
    assert window.until == until + LONG_STALL_MS + 1
    assert len(journal.batches) == 1


async def abreast(journal: Held, clock: Clock) -> tuple[Host, Window]:
    """A commit that opened a window and, just before it is slow, another one behind it."""
    host, window = await played(journal, clock)
    clock.ms = STALL_MS - 1
    host.submit(Input(at=clock.wall.now(), seat=3, standing={"mine": "all"}))
    await turns()
    assert len(journal.batches) == 2
    return host, window


async def test_a_slow_commit_is_told_though_a_quick_one_follows_it() -> None:
    """The window could be seen when the first was done; that the second took no time changes nothing."""
    journal, clock = Held(), Clock()
    host, window = await abreast(journal, clock)
    until = window.until
    clock.ms = 2 * STALL_MS
    journal.end()
    clock.ms += 1
    journal.end()
    host.submit(Input(at=clock.wall.now(), seat=2, standing={"mine": "all"}))
    assert window.until == until + 2 * STALL_MS


async def test_two_slow_commits_abreast_are_one_standstill() -> None:
    journal, clock = Held(), Clock()
    host, window = await abreast(journal, clock)
    until = window.until
    clock.ms = LONG_STALL_MS + 1
    journal.end()
    assert window.until == until + LONG_STALL_MS + 1
    clock.ms += STALL_MS
    journal.end()
    await turns()
    host.submit(Input(at=clock.wall.now(), seat=2, standing={"mine": "all"}))
    assert window.until == until + LONG_STALL_MS + 1


async def test_what_was_long_on_its_way_opens_its_window_when_it_takes_effect() -> None:
    """As from another process while Redis stood still: the others still have the whole window."""
    bench = peeper()
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    clock.ms = 2_600
    play = Input(at=40, seat=0, request=bench.request(0), action=single("5"))
    host.submit(play)
    window = host.table.state.window
    assert window is not None
    assert (window.opened, window.until) == (2_600, 2_600 + window.claim_ms + window.grace_ms)
    assert (play.at, play.stamp) == (2_600, 40)


async def test_what_was_read_in_time_is_in_time_however_long_its_way() -> None:
    bench = peeper()
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    due = bench.table.deadline
    assert due is not None
    clock.ms = due + 500
    play = Input(at=due - 1, seat=0, request=bench.request(0), action=single("5"))
    told: list[object] = []
    host.submit(play, told.append)
    await turns()
    journal.end()
    assert isinstance(told[0], Taken)
    assert play.at == due - 1


async def test_what_was_a_moment_on_its_way_keeps_its_time() -> None:
    bench = peeper()
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    clock.ms = 100
    play = Input(at=100 - STALL_MS, seat=0, request=bench.request(0), action=single("5"))
    host.submit(play)
    assert (play.at, play.stamp) == (100 - STALL_MS, None)


async def test_a_failed_commit_takes_back_what_was_kept_for_those_who_come_back() -> None:
    bench = peeper()
    journal, clock = Held(), Clock()
    host = host_of(bench.table, journal, clock.wall)
    host.channels[host.public].keeps_on = True
    host.set_wanted()
    before = Bench(PEEPER, 4, decks=[DECK]).table
    top, asked = host.shown[host.public], bench.request(0)
    host.submit(Input(at=5, seat=0, request=asked, action=single("5")))
    await turns()
    journal.end(Unavailable("the disk is full"))
    host.go_on(before, Own("n1", 1, before.state.entries), [])
    assert host.shown[host.public] == top
    assert host.channels[host.public].since(top, top + 1) is None
    host.submit(Input(at=9, seat=0, request=asked, action=single("9")))
    await turns()
    journal.end()
    kept = host.channels[host.public].since(top, host.shown[host.public])
    assert kept is not None
    told = b"".join(parts.message(True, None).payload for parts in kept)
    assert b'"9"' in told
    assert b'"tiles":["5"]' not in told
