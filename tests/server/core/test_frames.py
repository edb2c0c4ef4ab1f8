"""Tests of server/core/frames.py as the table makes them: streams, numbers, what a frame carries."""

from __future__ import annotations

import msgspec
import pytest

from engines.kit.contract import Event
from engines.kit.registry import AnyGame
from server.core.frames import stream_names
from server.core.inputs import Input
from server.core.table import Table
from tests.server.core.bench import GAMES, LIVE, PASS, PEEPER, Bench, mine, peeper_deck, single

DECK = peeper_deck("1r 5 9", "6 5 7", "5 5 8", "11 12")


def peeper() -> Bench:
    return Bench(PEEPER, 4, decks=[DECK])


def test_a_table_has_a_stream_a_seat_and_the_public_one() -> None:
    assert stream_names(3) == ["seat:0", "seat:1", "seat:2", "public"]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_every_streams_numbers_are_contiguous_from_one(game: AnyGame) -> None:
    bots = tuple(range(game.max_seats))
    bench = Bench(game, game.max_seats, bots=bots, pace_ms=1_500, away_ms=1_000)
    bench.play_bots()
    assert bench.table.state.phase == "ended"
    for name in bench.table.streams:
        numbers = [one.seq for one in bench.stream(name)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert [one.at for one in bench.stream(name)] == sorted(o.at for o in bench.stream(name))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_events_folded_into_a_view_give_the_next_view(game: AnyGame) -> None:
    bots = tuple(range(game.min_seats))
    bench = Bench(game, game.min_seats, bots=bots)
    checked = 0
    for name in bench.table.streams:
        view = None
        bench_frames = played(game, name)
        for events, shown in bench_frames:
            for event in events:
                if view is not None:
                    view = game.fold(view, event)
            if shown is None:
                assert not events
                continue
            fresh = msgspec.json.decode(shown, type=game.View)
            if view is not None:
                assert msgspec.json.encode(view) == msgspec.json.encode(fresh)
                checked += 1
            view = fresh
    assert checked > 20


def played(game: AnyGame, stream: str) -> list[tuple[list[Event], bytes | None]]:
    """The game's events and the encoded view of every frame of one stream in a match of bots."""
    bench = Bench(game, game.min_seats, bots=tuple(range(game.min_seats)))
    bench.play_bots()
    found = []
    for one in bench.stream(stream):
        parts = msgspec.json.decode(one.data, type=dict[str, msgspec.Raw])
        events = []
        for raw in msgspec.json.decode(parts["events"], type=list[msgspec.Raw]):
            try:
                events.append(msgspec.json.decode(raw, type=game.events))
            except msgspec.ValidationError:
                continue
        view = bytes(parts["view"])
        found.append((events, None if view == b"null" else view))
    return found


def test_a_frame_holds_what_changed_and_nothing_else() -> None:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    first = msgspec.json.decode(bench.stream("public")[-1].data)
    assert [e["type"] for e in first["events"]] == ["played", "window_opened"]
    assert first["view"]["top"]["seat"] == 0
    assert first["clock"]["seat"] == 1
    assert first["seats"] is None
    assert first["requests"] is None
    bench.handle(Input(at=2_000, seat=3, away=True))
    away = msgspec.json.decode(bench.stream("public")[-1].data)
    assert away["seats"][3]["state"] == "away"
    assert (away["view"], away["clock"], away["requests"]) == (None, None, None)


def test_the_requests_of_a_frame_are_all_that_are_open() -> None:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    assert [r["kind"] for r in bench.stream("seat:1")[-1].requests] == ["claim", "turn"]
    assert [r["kind"] for r in bench.stream("seat:2")[-1].requests] == ["claim"]
    assert bench.stream("seat:0")[-1].requests == []
    bench.act(2_000, 2, mine("5", "5"))
    bench.tick(4_300)
    # The Mine opened a Return window; the miner's lead waits beside it.
    assert [r["kind"] for r in bench.stream("seat:2")[-1].requests] == ["turn"]
    assert [r["kind"] for r in bench.stream("seat:1")[-1].requests] == ["claim"]


def test_public_and_other_seats_frames_come_before_those_with_requests() -> None:
    bench = Bench(PEEPER, 2, decks=[peeper_deck("1r 5 9", "6 7 8")])
    bench.act(1_000, 0, single("5"))
    assert [one.stream for one in bench.shown[-3:]][-1] == "seat:1"
    assert len(bench.stream("seat:1")[-1].requests) == 2


def test_a_stream_without_a_listener_is_numbered_and_not_rendered() -> None:
    bench = peeper()
    bench.table.wanted = [2, 1, 0, 0, 0]
    bench.table.handle(Input(at=1_000, seat=0, action=single("5")))
    frames = {frame.stream: frame for frame in bench.table.take_out().frames}
    assert [frames[name].rendered for name in bench.table.streams] == [True, True, *[False] * 3]
    assert frames["seat:0"].view is not None
    assert frames["seat:1"].events
    assert frames["seat:1"].view is None
    assert (frames["public"].events, frames["public"].view) == ([], None)
    assert frames["public"].seq == bench.stream("public")[-1].seq + 1


def test_the_snapshot_of_a_viewer_agrees_with_its_last_frame() -> None:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    table: Table = bench.table
    assert [r.request for r in table.request_parts(1)] == [
        r["request"] for r in bench.stream("seat:1")[-1].requests
    ]
    clock = msgspec.json.encode(table.clock_part())
    assert b'"clock":' + clock in bench.stream("seat:1")[-1].data


def test_what_a_seat_sees_of_seats_tells_of_absence_and_bots() -> None:
    bench = Bench(PEEPER, 3, bots=(2,), level="steady", away_policy="forfeit", away_ms=30_000)
    bench.handle(Input(at=500, seat=1, away=True))
    parts = msgspec.to_builtins(bench.table.seat_parts())
    assert parts == [
        {"seat": 0, "state": "here", "player": "p0", "name": "A"},
        {
            "seat": 1,
            "state": "away",
            "player": "p1",
            "name": "B",
            "policy": "forfeit",
            "policy_in_ms": 30_000,
        },
        {"seat": 2, "state": "bot", "name": "C", "level": "steady"},
    ]


def test_a_clock_frame_is_everyones() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK], clock=LIVE)
    bench.act(1_000, 0, single("5"))
    before = list(bench.table.state.numbers)
    bench.tick(4_300)
    assert [b - a for a, b in zip(before, bench.table.state.numbers, strict=True)] == [1] * 5
    assert bench.stream("public")[-1].events == []
    bench.act(9_000, 1, PASS)
    assert bench.told("public", "passed")
