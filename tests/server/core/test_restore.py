"""Tests of server/core/restore.py: a table out of its log is the table, after every single entry."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.kit.registry import AnyGame
from server.core.inputs import Input
from server.core.restore import LogError, VersionError, load_snapshot, restore
from server.core.table import SNAPSHOT_EVERY, Entry, Saved, Table
from tests.server.core.bench import GAMES, PEEPER, Bench, Shown, mine, peeper_deck, shown, single
from tests.server.core.wild import Wild

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


def whole(table: Table) -> bytes:
    """The table but for how far time went with nothing happening."""
    saved = msgspec.json.decode(table.save(), type=Saved)
    saved.table.now = 0
    return msgspec.json.encode(saved)


def frames(table: Table) -> list[Shown]:
    return [shown(frame) for frame in table.take_out().frames]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(key=st.integers(0, 2**32))
def test_snapshot_and_tail_equal_the_full_replay_after_every_entry(game: AnyGame, key: int) -> None:
    wild = Wild(game, key)
    bench = wild.bench
    marks: list[tuple[int, bytes, int]] = []
    for _ in range(100):
        wild.step()
        if not marks or marks[-1][0] < len(bench.entries):
            marks.append((len(bench.entries), whole(bench.table), len(bench.shown)))
    full: Table | None = None
    seen: list[Shown] = []
    done = 0
    for count, expected, frames_then in marks:
        # On from where the replay was, entry by entry.
        for entry in bench.entries[done:count]:
            full = step_on(full, entry, seen)
        done = count
        assert full is not None
        assert whole(full) == expected
        assert seen == bench.shown[:frames_then]
        last = max(i for i, entry in enumerate(bench.entries[:count]) if entry.snapshot or i == 0)
        from_last, same = restore(bench.entries[last:count], GAMES)
        assert same
        assert whole(from_last) == expected


def step_on(table: Table | None, entry: Entry, seen: list[Shown]) -> Table:
    """One more entry; frames are encoded as they come."""
    if table is None:
        table, _ = restore([entry], GAMES)
    elif not entry.snapshot:
        inp = msgspec.json.decode(entry.data, type=Input)
        if inp.tick:
            table.tick(inp.at)
        else:
            table.handle(inp)
    seen += frames(table)
    return table


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_a_whole_match_is_restored_from_its_first_entry_and_from_its_last_snapshot(
    game: AnyGame,
) -> None:
    bench = Bench(game, game.max_seats, bots=tuple(range(game.max_seats)), pace_ms=1_500)
    bench.play_bots()
    snapshots = [i for i, entry in enumerate(bench.entries) if entry.snapshot]
    for start in (0, snapshots[0], snapshots[-1]):
        table, same = restore(bench.entries[start:], GAMES)
        assert same
        assert table.save() == bench.table.save()


def test_a_snapshot_falls_on_every_rounds_start_and_every_two_hundredth_entry() -> None:
    bench = Bench(GAMES["chamsaejak"], 2, bots=(0, 1))
    bench.play_bots()
    gaps = []
    since = 0
    for number, entry in enumerate(bench.entries):
        assert entry.number == number + 1
        since += 1
        if entry.snapshot:
            gaps.append(since)
            since = 0
    assert len(gaps) >= 8
    assert max(gaps) <= SNAPSHOT_EVERY + 1
    lone = Bench(PEEPER, 2, bots=(1,))
    for number in range(SNAPSHOT_EVERY + 5):
        lone.handle(Input(at=number, seat=0, away=True))
        lone.handle(Input(at=number, seat=0, back=True))
    assert sum(entry.snapshot for entry in lone.entries) >= 2


def test_logged_claims_and_held_turns_stand_after_a_crash() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    bench.act(1_000, 0, single("5"))
    bench.act(1_500, 2, mine("5", "5"))
    held = bench.act(1_600, 1, single("6"))
    table, _ = restore(bench.entries, GAMES)
    table.take_out()
    saved, same = load_snapshot(table.save(), GAMES)
    assert same
    for survivor in (table, saved):
        survivor.handle(Input(at=1_600, stalled=6_000))
        survivor.handle(Input(at=7_600, resumed=0))
        again = Input(at=7_700, seat=1, action=single("6"), request=bench.request(1))
        assert survivor.handle(again) == held
        survivor.tick(10_900)
    first, second = frames(table), frames(saved)
    assert first == second
    closed = next(e for one in first for e in one.events if e["type"] == "window_closed")
    assert [claim["outcome"] for claim in closed["claims"]] == ["won"]
    # The streams go on at the very next number.
    assert next(o.seq for o in first if o.stream == "public") == bench.stream("public")[-1].seq + 1


def test_answers_are_remembered_through_a_crash() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    request = bench.request(0)
    answer = bench.act(1_000, 0, single("5"), request=request)
    for table in (restore(bench.entries, GAMES)[0], load_snapshot(bench.table.save(), GAMES)[0]):
        again = Input(at=1_100, seat=0, action=single("5"), request=request)
        assert table.handle(again) == answer


# -- what cannot be restored ---------------------------------------------------------------------------
def test_a_log_that_does_not_follow_from_itself_is_refused() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    bench.act(1_000, 0, single("5"))
    entries = list(bench.entries)
    with pytest.raises(LogError):
        restore([], GAMES)
    with pytest.raises(LogError):
        restore(entries[1:2], GAMES)
    forged = Input(at=1_100, seat=2, action=single("4"))
    with pytest.raises(LogError):
        restore([*entries, Entry(99, msgspec.json.encode(forged))], GAMES)


def test_an_entry_that_cannot_be_read_is_refused() -> None:
    bench = Bench(PEEPER, 2)
    for data in (b"{", b'{"at":5,"unheard":1}', b"\xff"):
        with pytest.raises(LogError):
            restore([*bench.entries, Entry(99, data)], GAMES)


def test_a_game_that_is_gone_or_another_version_is_told() -> None:
    bench = Bench(PEEPER, 2)
    snapshot = bench.table.save()
    without = {name: game for name, game in GAMES.items() if name != "peeper"}
    with pytest.raises(VersionError):
        restore(bench.entries, without)
    with pytest.raises(VersionError):
        load_snapshot(snapshot, without)
    for field in ("core", "engine"):
        saved = msgspec.json.decode(snapshot, type=Saved)
        setattr(saved, field, "0")
        table, same = load_snapshot(msgspec.json.encode(saved), GAMES)
        assert not same
        assert table.state.phase == "running"


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"core":"1","engine":"1","table":{}}'])
def test_a_snapshot_that_cannot_be_read_is_a_version_error(data: bytes) -> None:
    with pytest.raises(VersionError):
        load_snapshot(data, GAMES)


def test_a_state_of_another_shape_is_a_version_error() -> None:
    saved = msgspec.json.decode(Bench(PEEPER, 2).table.save(), type=Saved)
    saved.state = msgspec.Raw(b'{"unheard":1}')
    with pytest.raises(VersionError):
        load_snapshot(msgspec.json.encode(saved), GAMES)
