"""Tests of server/core/salvage.py: what is still known of a table whose log cannot be continued."""

from __future__ import annotations

import msgspec
import pytest

from server.core.inputs import Input
from server.core.play import bot_input
from server.core.restore import restore
from server.core.salvage import other_version, salvage
from server.core.table import Entry, Saved, Table
from tests.server.core.bench import GAMES, PEEPER, Bench


def played() -> Bench:
    """A running match with several entries behind its first snapshot."""
    bench = Bench(PEEPER, 3, bots=(0, 1, 2), pace_ms=1_500)
    for _ in range(8):
        due = min(t for t in (bench.table.bot_due, bench.table.deadline) if t is not None)
        inp = bot_input(bench.table, due)
        bench.tick(due) if inp is None else bench.handle(inp)
    assert bench.table.state.phase == "running"
    return bench


def other_engine(bench: Bench) -> list[Entry]:
    """The same log, its snapshots by a version whose engine nobody here can read."""
    changed = []
    for entry in bench.entries:
        if entry.snapshot:
            saved = msgspec.json.decode(entry.data, type=Saved)
            saved.engine, saved.state = "other", msgspec.Raw(b'{"planted":1}')
            entry = Entry(entry.number, msgspec.json.encode(saved), snapshot=True)
        changed.append(entry)
    return changed


def voided(table: Table, why: str) -> list[Entry]:
    """What a new epoch and the match's end add to the log."""
    at = table.state.now
    table.handle(Input(at=at, epoch="e_next"))
    table.handle(Input(at=at + 3_000, void=why))
    return table.take_out().entries


def test_seats_and_match_are_known_without_the_engine() -> None:
    bench = played()
    table = salvage(other_engine(bench), GAMES)
    assert table is not None
    assert table.engine is None
    assert [seat.name for seat in table.state.seats] == [s.name for s in bench.table.state.seats]
    assert table.match.id == bench.table.match.id
    assert table.state.entries == bench.entries[-1].number
    assert not table.state.requests
    assert table.deadline is None
    assert table.bot_due is None


def test_the_match_is_voided_under_a_new_epoch_and_the_log_goes_on() -> None:
    bench = played()
    log = other_engine(bench)
    table = salvage(log, GAMES)
    assert table is not None
    added = voided(table, "version")
    assert [entry.number for entry in added] == list(range(log[-1].number + 1, log[-1].number + 4))
    (snapshot,) = [place for place, entry in enumerate(added) if entry.snapshot]
    again, same = restore(added[snapshot:], GAMES)
    assert same
    assert again.engine is None
    assert (again.state.phase, again.match.voided) == ("ended", True)
    assert again.state.config.epoch == "e_next"
    assert again.state.numbers == table.state.numbers


def test_between_epoch_and_end_it_is_read_back_as_lost_still() -> None:
    bench = played()
    table = salvage(other_engine(bench), GAMES)
    assert table is not None
    table.handle(Input(at=table.state.now, epoch="e_next"))
    last = table.take_out().entries[-1]
    again, _ = restore([last], GAMES)
    assert (again.engine, again.state.phase) == (None, "running")


def test_a_log_that_breaks_before_any_snapshot_keeps_what_came_before() -> None:
    bench = Bench(PEEPER, 3, bots=(0, 1, 2), start=False)
    log = [*bench.entries, Entry(len(bench.entries) + 1, b"broken")]
    table = salvage(log, GAMES)
    assert table is not None
    assert [seat.state for seat in table.state.seats] == ["bot"] * 3
    assert table.state.entries == len(log)


def test_a_snapshot_that_is_broken_is_passed_over_for_the_one_before() -> None:
    bench = played()
    log = [*bench.entries, Entry(len(bench.entries) + 1, b"{", snapshot=True)]
    table = salvage(log, GAMES)
    assert table is not None
    assert table.match.id == bench.table.match.id


def test_nothing_is_known_of_a_game_that_is_not_here() -> None:
    assert salvage(played().entries, {}) is None
    assert salvage([Entry(1, msgspec.json.encode(Input(at=1, tick=True)))], GAMES) is None
    with pytest.raises(IndexError):
        salvage([], GAMES)


def test_who_wrote_the_last_snapshot() -> None:
    bench = played()
    assert not other_version(bench.entries, GAMES)
    assert other_version(other_engine(bench), GAMES)
    assert other_version(bench.entries, {})
    assert other_version([*bench.entries, Entry(99, b"{", snapshot=True)], GAMES)
    assert not other_version(bench.entries[:1], GAMES)


def test_a_new_epoch_is_a_snapshot_and_all_else_stays() -> None:
    bench = played()
    before = msgspec.json.decode(bench.table.save())
    bench.table.take_out()
    bench.table.handle(Input(at=bench.table.state.now, epoch="e_next"))
    out = bench.table.take_out()
    assert [entry.snapshot for entry in out.entries] == [False, True]
    assert out.frames == []
    after = msgspec.json.decode(bench.table.save())
    assert after["table"].pop("config")["epoch"] == "e_next"
    assert before["table"].pop("config")["epoch"] != "e_next"
    for part in ("entries", "since_snapshot"):
        after["table"].pop(part, None)
        before["table"].pop(part, None)
    assert after == before
