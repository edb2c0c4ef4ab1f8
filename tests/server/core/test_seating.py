"""Tests of server/core/seating.py: sitting down, being ready, starting, rematches, voided matches."""

from __future__ import annotations

from typing import Any

import pytest

from server.core.inputs import Input, Joiner, Start
from server.core.refusals import Denied
from server.core.seating import can_start
from tests.server.core.bench import PASS, PEEPER, SEED, Bench


def denied(bench: Bench, at: int, **given: Any) -> tuple[str, str]:
    with pytest.raises(Denied) as caught:
        bench.handle(Input(at=at, **given))
    return caught.value.code, caught.value.rule


def waiting(seats: int = 2, **settings: Any) -> Bench:
    return Bench(PEEPER, seats, start=False, **settings)


def emptied(bench: Bench, *seats: int) -> Bench:
    for seat in seats:
        bench.handle(Input(at=0, seat=seat, leave=True))
    return bench


def over(**settings: Any) -> tuple[Bench, int]:
    bench = Bench(PEEPER, 2, bots=(1,), **settings)
    bench.handle(Input(at=0, seat=0, bot="random"))
    return bench, bench.play_bots()


# -- sitting down --------------------------------------------------------------------------------------
def test_a_player_sits_where_he_says_or_at_the_lowest_free_seat() -> None:
    bench = emptied(waiting(3), 0, 2)
    assert bench.handle(Input(at=1, seat=2, join=Joiner("Zoe", "z"))).seat == 2
    assert bench.handle(Input(at=1, join=Joiner("Yan", "y"))).seat == 0
    assert [part.name for part in bench.table.seat_parts()] == ["Yan", "B", "Zoe"]
    assert bench.told("public", "seated")[-1] == {
        "type": "seated",
        "seat": 0,
        "name": "Yan",
        "at": 1,
    }


def test_a_seat_is_taken_once_and_a_player_has_one_seat() -> None:
    bench = emptied(waiting(3), 2)
    assert denied(bench, 1, seat=1, join=Joiner("Z", "z")) == ("table_full", "seat_taken")
    assert denied(bench, 1, seat=7, join=Joiner("Z", "z")) == ("not_found", "no_such_seat")
    assert denied(bench, 1, join=Joiner("A", "p0")) == ("already_seated", "already_seated")
    bench.handle(Input(at=1, join=Joiner("Z", "z")))
    assert denied(bench, 1, join=Joiner("Y", "y")) == ("table_full", "table_full")


def test_nobody_sits_down_or_gets_up_in_a_running_match() -> None:
    bench = Bench(PEEPER, 2)
    assert denied(bench, 1, join=Joiner("Z", "z"))[0] == "already_started"
    assert denied(bench, 1, seat=0, leave=True)[0] == "already_started"
    assert denied(bench, 1, seat=0, ready=True)[0] == "already_started"
    assert denied(bench, 1, seat=0, rematch=True) == ("already_started", "not_over")


def test_getting_up_frees_the_seat() -> None:
    bench = emptied(waiting(2), 1)
    assert bench.told("public", "stood")[0]["name"] == "B"
    assert bench.table.seat_parts()[1].state == "open"
    assert denied(bench, 1, seat=1, leave=True)[0] == "not_seated"
    assert denied(bench, 1, seat=9, leave=True)[0] == "not_seated"


# -- ready and start -------------------------------------------------------------------------------------
def test_a_full_table_whose_players_are_ready_can_start() -> None:
    bench = waiting(3, bots=(2,))
    assert not can_start(bench.table)
    bench.handle(Input(at=1, seat=0, ready=True))
    assert not can_start(bench.table)
    bench.handle(Input(at=2, seat=1, ready=True))
    assert can_start(bench.table)
    bench.handle(Input(at=3, seat=1, ready=False))
    assert not can_start(bench.table)
    assert [(e["seat"], e["ready"]) for e in bench.told("public", "ready")] == [
        (0, True),
        (1, True),
        (1, False),
    ]


def test_being_ready_twice_is_once() -> None:
    bench = waiting()
    bench.handle(Input(at=1, seat=0, ready=True))
    entries = len(bench.entries)
    bench.handle(Input(at=2, seat=0, ready=True))
    assert len(bench.entries) == entries


def test_a_table_starts_only_when_it_is_full_and_everybody_is_there() -> None:
    bench = emptied(waiting(2), 1)
    assert denied(bench, 1, start=Start("m", SEED)) == ("not_ready", "seats_open")
    bench = waiting(2)
    bench.handle(Input(at=0, seat=1, away=True))
    assert denied(bench, 1, start=Start("m", SEED)) == ("not_ready", "players_away")
    bench.handle(Input(at=1, seat=1, back=True))
    bench.handle(Input(at=1, start=Start("m", SEED)))
    assert denied(bench, 2, start=Start("m", SEED))[0] == "already_started"


@pytest.mark.parametrize(
    ("humans", "speed", "asked", "rated", "early"),
    [
        (1, "standard", None, False, True),
        (2, "standard", None, False, False),
        (2, "instant", None, False, True),
        (2, "standard", True, False, True),
        (1, "standard", False, False, False),
        (2, "instant", False, False, False),
        (1, "instant", True, True, False),
        (1, "standard", None, True, False),
    ],
)
def test_early_close_is_on_where_one_human_or_nobody_waits_and_never_rated(
    humans: int, speed: str, asked: bool | None, rated: bool, early: bool
) -> None:
    bench = Bench(
        PEEPER,
        3,
        bots=tuple(range(humans, 3)),
        speed=speed,
        early_close=asked,
        rated=rated,
    )
    assert bench.table.match.early_close is early
    assert bench.told("public", "match_started")[0].get("early_close", False) is early


def test_a_match_begins_with_full_banks_and_nobody_ready() -> None:
    bench = Bench(PEEPER, 2)
    assert [seat.bank_ms for seat in bench.table.state.seats] == [60_000, 60_000]
    assert not any(part.ready for part in bench.table.seat_parts())
    assert bench.table.match.players[0].name == "A"


def test_the_tables_seed_goes_before_the_starts_own() -> None:
    arranged = Bench(PEEPER, 2, seed="ab" * 32)
    assert arranged.table.match.seed == "ab" * 32
    assert arranged.table.state.config.arranged


# -- afterwards ----------------------------------------------------------------------------------------
def test_a_rematch_begins_when_every_player_wants_it() -> None:
    bench = Bench(PEEPER, 2, bots=(1,))
    bench.handle(Input(at=0, seat=0, away=True))
    bench.tick(60_000)
    now = bench.play_bots()
    bench.handle(Input(at=now, seat=0, back=True))
    assert not can_start(bench.table)
    bench.handle(Input(at=now, seat=0, rematch=True))
    assert bench.told("public", "rematch_asked")
    assert can_start(bench.table)
    numbers = list(bench.table.state.numbers)
    bench.handle(Input(at=now + 10, start=Start("m2", SEED)))
    assert bench.told("public", "match_started")[-1]["number"] == 2
    assert bench.table.match.starts == numbers
    assert bench.table.state.numbers[0] == numbers[0] + 1
    # The ids of the first match name nothing in the second.
    assert all(r.startswith("r2.") for r in bench.table.state.requests)


def test_a_rematch_is_asked_for_after_a_match_only() -> None:
    assert denied(waiting(), 1, seat=0, rematch=True) == ("not_ready", "not_started")


def test_a_seat_that_was_given_up_is_free_after_the_match() -> None:
    bench = Bench(PEEPER, 2, bots=(1,))
    bench.handle(Input(at=0, seat=0, left=True))
    now = bench.play_bots()
    assert denied(bench, now, start=Start("m2", SEED)) == ("not_ready", "seats_open")
    assert bench.handle(Input(at=now, join=Joiner("A", "p0"))).seat == 0
    assert bench.table.match.players[0].player == "p0"


def test_a_voided_match_counts_for_nothing_and_the_table_lives_on() -> None:
    bench = Bench(PEEPER, 2)
    seat = bench.game.turn(bench.table.engine)
    bench.handle(Input(at=5_000, void="engine"))
    assert bench.told("public", "match_voided")[0]["why"] == "engine"
    assert bench.table.match.voided
    assert (bench.table.state.phase, bench.table.deadline) == ("ended", None)
    assert bench.stream(f"seat:{seat}")[-1].requests == []
    assert bench.refused(6_000, 0, PASS) == "match_over"
    assert denied(bench, 6_000, void="engine")[0] == "match_over"
    for seat in (0, 1):
        bench.handle(Input(at=6_000, seat=seat, rematch=True))
    bench.handle(Input(at=6_000, start=Start("m2", SEED)))
    assert bench.table.state.phase == "running"


def test_an_input_that_says_nothing_is_malformed() -> None:
    assert denied(waiting(), 1, seat=0)[0] == "bad_message"
