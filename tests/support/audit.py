"""What a stopped server's journal says, held against what its clients saw and were told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engines.kit.registry import load
from server.core.clocks import RESUMED_MS
from server.core.inputs import Input
from server.core.inputs import decoder as input_decoder
from server.core.restore import restore
from server.core.table import Entry, Table
from server.journal.base import Journal
from server.journal.sqlite import SqliteJournal
from tests.support.crowd import Acked, Seen, canonical


class Log:
    """A table's whole log, and the table that it leads to."""

    def __init__(self, name: str, entries: list[Entry], tail: list[Entry]) -> None:
        self.name = name
        self.entries = entries
        self.inputs = [input_decoder.decode(e.data) for e in entries if not e.snapshot]
        self._tail = tail
        self._games = load()

    def actions(self) -> Counter[Acked]:
        """How often each action is in it."""
        return Counter(
            Acked(self.name, inp.seat, inp.request or "", canonical(inp.action))
            for inp in self.inputs
            if inp.action is not None and inp.seat is not None
        )

    def resumptions(self) -> int:
        """How often it was taken over while its match ran."""
        return sum(inp.resumed is not None for inp in self.inputs)

    def replay(self) -> dict[tuple[str, int], list[Any]]:
        """Each frame's events by stream and number, as the whole log played again leads to them.

        Checks on the way: after every takeover a running clock has its 3 s and an open window its full
        length; the end equals the end of the last snapshot with its tail.
        """
        make = self.inputs[0]
        assert make.create is not None
        table = Table.create(self._games[make.create.game], make.create, make.at)
        table.wanted = [1] * len(table.wanted)
        shown: dict[tuple[str, int], list[Any]] = {}
        _collect(table, shown)
        for inp in self.inputs[1:]:
            if inp.tick:
                table.tick(inp.at)
            else:
                table.handle(inp)
            if inp.resumed is not None:
                _check_resumed(table, inp)
            _collect(table, shown)
        short, same = restore(self._tail, self._games)
        assert same
        assert _saved(short) == _saved(table), f"{self.name}: snapshot and tail lead elsewhere"
        return shown


async def logs(data: Path) -> dict[str, Log]:
    """Every table's log out of the journal of a server that has ended."""
    return await logs_of(SqliteJournal(data / "journal.sqlite", lambda channel, payload: None))


async def logs_of(journal: Journal) -> dict[str, Log]:
    """Every table's log out of a journal, which is opened for this."""
    await journal.start()
    try:
        found = {}
        for name, own in await journal.tables():
            entries = await journal.entries(name)
            assert [e.number for e in entries] == list(range(1, own.number + 1)), name
            tail = await journal.tail(name)
            found[name] = Log(name, _core(entries), _core(tail))
        return found
    finally:
        await journal.stop()


def check_acked(found: dict[str, Log], acked: Sequence[Acked]) -> None:
    """Every acknowledged action is logged once, and no action twice."""
    logged: Counter[Acked] = Counter()
    for log in found.values():
        logged += log.actions()
    lost = [one for one in acked if logged[one] == 0]
    assert not lost, f"{len(lost)} of {len(acked)} acknowledged actions are lost: {lost[:3]}"
    twice = [one for one, times in logged.items() if times > 1]
    assert not twice, f"{len(twice)} actions were taken twice: {twice[:3]}"


def check_seen(found: dict[str, Log], seen: Iterable[Seen]) -> int:
    """What clients saw is what the log leads to, frame by frame; how many frames were compared."""
    replays: dict[str, dict[tuple[str, int], list[Any]]] = {}
    compared = 0
    for one in seen:
        assert not one.problems, one.problems
        assert len(one.epochs) == 1, "the numbers could be continued, and were not"
        name = one.table.id
        if name not in replays:
            replays[name] = found[name].replay()
        for frame in one.frames:
            events = [event.data for event in frame.events]
            if any(event.type == "snapshot" for event in frame.events):
                continue
            expected = replays[name].get((one.stream, frame.seq))
            where = f"{name} {one.stream} {frame.seq}"
            assert events == expected or not events, f"{where}: seen {events}, logged {expected}"
            compared += 1
    return compared


def _check_resumed(table: Table, inp: Input) -> None:
    state = table.state
    if state.window is not None and not state.window.tail:
        full = state.window.claim_ms + state.window.grace_ms
        assert state.window.until - state.now == full, "a window did not begin again"
    if state.clock is not None and state.clock.deadline is not None:
        assert state.clock.deadline - state.now >= RESUMED_MS, "a clock has less than 3 s"
    assert inp.resumed is not None


def _collect(table: Table, shown: dict[tuple[str, int], list[Any]]) -> None:
    for frame in table.take_out().frames:
        assert (frame.stream, frame.seq) not in shown
        shown[frame.stream, frame.seq] = msgspec.json.decode(msgspec.json.encode(frame.events))


def _core(entries: Iterable[Any]) -> list[Entry]:
    return [Entry(e.number, e.data, e.snapshot) for e in entries]


def _saved(table: Table) -> Any:
    table.state.since_snapshot = 0
    return msgspec.json.decode(table.save())
