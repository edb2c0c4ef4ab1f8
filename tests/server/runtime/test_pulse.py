"""A process that stood still says so once, whoever looks first, and moves what was running."""

from __future__ import annotations

import asyncio

from server.core.inputs import Input
from server.core.refusals import Taken
from server.runtime.host import Host
from server.runtime.pulse import BEAT_MS, LATE_MS, Pulse
from server.runtime.wall import Wall
from tests.server.core.bench import DECLINE, PEEPER, Bench, peeper_deck, single
from tests.server.runtime.held import Held, host_of, turns

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


class Clock:
    """A wall that a test sets, and the pulse on it."""

    def __init__(self) -> None:
        self.ms = 0.0
        self.wall = Wall(lambda: self.ms, 0.0)
        self.told: list[int] = []
        self.pulse = Pulse(self.wall, self.told.append)


async def test_a_standstill_is_told_once_and_in_its_whole_length() -> None:
    clock = Clock()
    clock.pulse.start()
    clock.ms = 3_000
    clock.pulse.look()
    clock.pulse.look()
    assert clock.told == [3_000]
    clock.ms += BEAT_MS + LATE_MS
    clock.pulse.look()
    assert clock.told == [3_000]
    clock.ms += 1
    clock.pulse.look()
    assert clock.told == [3_000, BEAT_MS + LATE_MS + 1]
    clock.pulse.stop()


async def test_the_beat_itself_notices() -> None:
    clock = Clock()
    clock.pulse.start()
    clock.ms = 2_000
    await asyncio.sleep(1.5 * BEAT_MS / 1000)
    assert clock.told == [2_000]
    clock.pulse.stop()


async def test_nothing_is_told_before_the_start_and_after_the_end() -> None:
    clock = Clock()
    clock.ms = 9_000
    clock.pulse.look()
    clock.pulse.start()
    clock.pulse.stop()
    clock.ms = 20_000
    clock.pulse.look()
    assert clock.told == []


async def open_window(clock: Clock) -> tuple[Host, Bench, Held]:
    """A table on this clock with an open window, everything committed."""
    bench = Bench(PEEPER, 4, decks=[DECK])
    journal = Held()
    host = host_of(bench.table, journal, clock.wall)
    clock.pulse = Pulse(clock.wall, host.stood_still)
    host.look = clock.pulse.look
    clock.pulse.start()
    host.submit(Input(at=0, seat=0, request=bench.request(0), action=single("5")))
    await committed(journal)
    return host, bench, journal


async def committed(journal: Held) -> None:
    """Everything that is under way is durable."""
    await turns()
    while journal.batches:
        journal.end()
        await turns()


async def test_a_claim_that_waited_through_a_standstill_is_in_time() -> None:
    clock = Clock()
    host, bench, journal = await open_window(clock)
    window = host.table.state.window
    assert window is not None
    until = window.until
    clock.ms = until + 5_000  # the process was stopped past the window's end
    answers: list[object] = []
    claim = Input(at=clock.wall.now(), seat=1, request=bench.request(1, "claim"), action=DECLINE)
    host.submit(claim, answers.append)
    await committed(journal)
    assert [type(answer) for answer in answers] == [Taken]
    assert window.until == until + clock.ms
    clock.pulse.stop()


async def test_a_deadline_that_fell_into_a_standstill_is_moved() -> None:
    clock = Clock()
    host, _, journal = await open_window(clock)
    window = host.table.state.window
    assert window is not None
    until = window.until
    clock.ms = until + 5_000
    host._due()
    await committed(journal)
    assert host.table.state.window is window
    assert window.until == until + clock.ms
    clock.pulse.stop()


async def test_a_commit_under_way_tells_its_own_standstill_alone() -> None:
    clock = Clock()
    host, _bench, journal = await open_window(clock)
    window = host.table.state.window
    assert window is not None
    until = window.until
    host.submit(Input(at=0, seat=3, standing={"mine": "all"}))
    await turns()
    assert journal.batches
    clock.ms = 4_000
    host._due()
    await committed(journal)
    assert window.until == until + 4_000
    clock.pulse.stop()
