"""Tests of server/core/table.py: time that never runs back, the log, snapshots, what is handed out."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from importlib import import_module
from typing import get_args

import msgspec
import pytest

import server.core
from engines.kit.registry import AnyGame
from server.core import events as ev
from server.core.inputs import Input, decoder
from server.core.refusals import Denied
from server.core.table import CORE_VERSION, Saved, Table
from tests.server.core.bench import (
    GAMES,
    LIVE,
    PASS,
    PEEPER,
    Bench,
    mine,
    peeper_deck,
    single,
)
from tests.server.core.wild import Wild

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


def opened() -> Bench:
    bench = Bench(PEEPER, 4, decks=[DECK])
    bench.act(1_000, 0, single("5"))
    return bench


# -- time ---------------------------------------------------------------------------------------------
def test_an_input_stamped_earlier_is_handled_at_the_last_ones_time_and_keeps_its_stamp() -> None:
    bench = opened()
    bench.act(4_000, 3, {"type": "decline"})
    bench.handle(Input(at=2_500, seat=2, action=mine("5", "5")))
    logged = decoder.decode(bench.entries[-1].data)
    assert (logged.at, logged.stamp) == (4_000, 2_500)
    bench.tick(4_300)
    assert bench.told("public", "window_closed")[0]["claims"][0]["after_ms"] == 1_500


def test_time_never_runs_back() -> None:
    bench = opened()
    bench.tick(50_000)
    bench.tick(2_000)
    assert bench.table.state.now == 50_000
    bench.act(3_000, 1, PASS)
    assert bench.told("public", "passed")[0]["at"] == 50_000


def test_everything_due_is_settled_before_an_input_each_at_its_own_deadline() -> None:
    bench = opened()
    bench.act(1_500, 1, single("6"))
    # Nobody ticked: the window's end, the next window's end and two time-outs are long over.
    with pytest.raises(Denied):
        bench.act(200_000, 3, single("5"))
    assert bench.times("window_closed", "played", "timed_out", "passed") == [
        (1_000, "played"),
        (4_300, "window_closed"),
        (4_300, "played"),
        (87_600, "timed_out"),
        (87_600, "window_closed"),
        (87_600, "passed"),
        (167_600, "timed_out"),
        (167_600, "passed"),
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
@pytest.mark.parametrize("key", range(5))
def test_ticks_at_any_times_lead_to_the_same_match(game: AnyGame, key: int) -> None:
    wild = Wild(game, key)
    bench = wild.run(120)
    inputs = [decoder.decode(entry.data) for entry in bench.entries if not entry.snapshot]
    config = inputs[0].create
    assert config is not None
    replayed = Table.create(game, config, 0)
    for inp in inputs[1:]:
        if not inp.tick:
            # As in a game record: ticks are left out, because they follow.
            replayed.handle(inp)
    replayed.tick(bench.table.state.now)
    entries = replayed.take_out().entries
    assert entries[: len(bench.entries)] == bench.entries


# -- the log -------------------------------------------------------------------------------------------
def test_the_first_entry_is_the_tables_making() -> None:
    bench = opened()
    first = decoder.decode(bench.entries[0].data)
    assert first.create == bench.table.state.config
    assert [entry.number for entry in bench.entries] == list(range(1, len(bench.entries) + 1))


def test_what_time_settles_is_an_entry_before_it_is_visible() -> None:
    bench = opened()
    bench.table.tick(4_300)
    out = bench.table.take_out()
    logged = [decoder.decode(entry.data) for entry in out.entries]
    assert [(entry.at, entry.tick) for entry in logged] == [(4_300, True)]
    assert out.frames
    assert (bench.table.take_out().entries, bench.table.take_out().frames) == ([], [])


def test_a_log_holds_no_sentence_and_no_default() -> None:
    bench = opened()
    bench.act(5_000, 1, PASS)
    data = bench.entries[-1].data
    assert msgspec.json.decode(data) == {
        "at": 5_000,
        "seat": 1,
        "action": {"type": "pass"},
        "request": "r5",
    }


def test_a_snapshot_names_the_versions_that_wrote_it() -> None:
    saved = msgspec.json.decode(opened().table.save(), type=Saved)
    assert (saved.snapshot, saved.core, saved.engine) == (True, CORE_VERSION, PEEPER.version)


def test_redacted_shows_a_viewer_what_he_may_know() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    _, events = PEEPER.start(bench.table.options, 4, bench.table.match.dealer)
    for viewer in (0, None):
        shown = bench.table.redacted(events, viewer)
        assert all(getattr(event, "hands", None) is None for event in shown)


def test_nothing_is_due_before_a_match_and_after_it() -> None:
    waiting = Bench(PEEPER, 2, start=False)
    assert (waiting.table.deadline, waiting.table.bot_due) == (None, None)
    over = Bench(PEEPER, 2, bots=(0, 1), clock=LIVE)
    over.play_bots()
    assert (over.table.deadline, over.table.bot_due) == (None, None)


def test_an_engine_that_raises_is_not_taken_for_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = opened()
    monkeypatch.setattr(type(PEEPER), "apply", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bench.act(5_000, 1, PASS)


# -- the whole core ------------------------------------------------------------------------------------
def test_the_core_reads_no_clock_no_chance_and_no_world() -> None:
    forbidden = {"asyncio", "time", "random", "os", "socket", "pathlib", "threading", "datetime"}
    for info in pkgutil.iter_modules(server.core.__path__):
        tree = ast.parse(inspect.getsource(import_module(f"server.core.{info.name}")))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {(node.module or "").split(".")[0]}
            else:
                continue
            assert not names & forbidden, (info.name, names)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_no_event_of_a_game_is_called_like_one_of_the_tables(game: AnyGame) -> None:
    own = {str(t.__struct_config__.tag) for t in get_args(ev.TABLE_EVENTS)}
    games = {str(t.__struct_config__.tag) for t in get_args(game.events)}
    assert not own & games


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_a_game_with_windows_names_its_claims(game: AnyGame) -> None:
    bench = Bench(game, game.max_seats, bots=tuple(range(game.max_seats)))
    bench.play_bots()
    kinds = {kind for event in bench.told("public", "window_opened") for kind in event["kinds"]}
    assert kinds <= set(game.claims)
    assert bool(kinds) is bool(game.claims)
