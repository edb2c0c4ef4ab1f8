"""Tests of server/core/clocks.py, alone and at a table: turn time, bank, marks, time-outs."""

from __future__ import annotations

import pytest

from server.core.clocks import SPEEDS, Clock, ClockRules
from server.core.config import clock_rules, scaled_options
from server.core.inputs import Input
from tests.server.core.bench import CHAMSAEJAK, DUEL, LIVE, PASS, PEEPER, Bench, peeper_deck, single

RULES = ClockRules(turn_ms=20_000, bank_ms=60_000)
PAIRLESS = peeper_deck("1r 5 9", "6 7", "8 10", "11 12")


def peeper(clock: ClockRules = LIVE, **settings: object) -> Bench:
    return Bench(PEEPER, 4, clock=clock, decks=[PAIRLESS], **settings)  # type: ignore[arg-type]  # fields of the config


# -- the clock alone -----------------------------------------------------------------------------------
def test_a_clock_runs_through_turn_time_and_bank() -> None:
    clock = Clock(0)
    clock.start(1_000, RULES, 60_000)
    assert (clock.started, clock.deadline) == (1_000, 81_000)
    assert clock.marks == [71_000, 76_000]


@pytest.mark.parametrize(
    ("total", "marks"), [(10_001, 2), (10_000, 1), (5_001, 1), (5_000, 0), (3_000, 0)]
)
def test_a_mark_not_below_the_start_is_skipped(total: int, marks: int) -> None:
    clock = Clock(0)
    clock.start(0, ClockRules(turn_ms=total), 0)
    assert len(clock.marks) == marks


def test_without_turn_time_a_clock_never_starts() -> None:
    clock = Clock(0)
    clock.start(0, ClockRules(), 60_000)
    assert clock.started is None
    assert clock.used_bank(99_000, ClockRules(), 60_000) == 0


@pytest.mark.parametrize(
    ("at", "used"), [(0, 0), (20_000, 0), (20_001, 1), (50_000, 30_000), (999_999, 60_000)]
)
def test_the_bank_is_used_after_the_turn_time(at: int, used: int) -> None:
    clock = Clock(0)
    clock.start(0, RULES, 60_000)
    assert clock.used_bank(at, RULES, 60_000) == used


def test_a_shift_is_nobodys_time() -> None:
    clock = Clock(0)
    clock.start(0, RULES, 60_000)
    clock.shift(1_200)
    assert clock.deadline == 81_200
    assert clock.marks == [71_200, 76_200]
    assert clock.used_bank(21_200, RULES, 60_000) == 0


def test_at_least_only_adds() -> None:
    clock = Clock(0)
    clock.start(0, ClockRules(turn_ms=8_000), 0)
    clock.at_least(4_000, 3_000)
    assert clock.deadline == 8_000
    clock.at_least(6_000, 3_000)
    assert clock.deadline == 9_000


# -- speeds --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("speed", "turn", "bank", "peeper_ms", "ron_ms", "pace"),
    [
        ("blitz", 8_000, 20_000, 1_500, 1_000, 700),
        ("standard", 20_000, 60_000, 3_000, 2_000, 1_500),
        ("relaxed", 60_000, 300_000, 9_000, 6_000, 4_000),
        ("instant", None, None, 3_000, 2_000, 0),
    ],
)
def test_speeds_are_those_of_the_rules(
    speed: str, turn: int | None, bank: int | None, peeper_ms: int, ron_ms: int, pace: int
) -> None:
    rules = clock_rules(speed, 100)
    assert (rules.turn_ms, rules.bank_ms, rules.grace_ms, rules.settle_ms) == (turn, bank, 300, 100)
    assert SPEEDS[speed].pace_ms == pace
    assert scaled_options(PEEPER, "standard", {}, speed).claim_ms == peeper_ms  # type: ignore[attr-defined]  # of Peeper
    assert scaled_options(CHAMSAEJAK, "standard", {}, speed).claim_ms == ron_ms  # type: ignore[attr-defined]  # of Chamsae-jak


def test_a_claim_ms_that_is_given_is_not_scaled() -> None:
    given = {"claim_ms": 2_500}
    for speed in SPEEDS:
        assert scaled_options(PEEPER, "standard", given, speed).claim_ms == 2_500  # type: ignore[attr-defined]  # of Peeper


def test_a_game_without_windows_has_nothing_to_scale() -> None:
    assert scaled_options(DUEL, "standard", {"target": 1}, "relaxed") == DUEL.options(
        "standard", {"target": 1}
    )


def test_a_scaled_window_may_exceed_an_explicit_options_range() -> None:
    # IBC's 5 s become 15 s, and those are in force at the table.
    assert scaled_options(PEEPER, "ibc", {}, "relaxed").claim_ms == 15_000  # type: ignore[attr-defined]  # of Peeper


# -- at a table ----------------------------------------------------------------------------------------
def test_a_turn_without_a_window_starts_its_clock_at_once() -> None:
    bench = peeper()
    clock = bench.table.clock_part()
    assert clock is not None
    assert (clock.seat, clock.left_ms, clock.bank_ms, clock.running) == (0, 20_000, 60_000, True)


def test_the_clock_is_low_at_ten_and_five_seconds_for_its_own_seat_alone() -> None:
    bench = peeper()
    bench.tick(79_999)
    assert [(e["at"], e["left_ms"]) for e in bench.told("seat:0", "clock_low")] == [
        (70_000, 10_000),
        (75_000, 5_000),
    ]
    assert not bench.told("public", "clock_low")
    assert not bench.told("seat:1", "clock_low")


def test_a_private_prompt_makes_no_gap_in_others_numbers() -> None:
    bench = peeper()
    before = list(bench.table.state.numbers)
    bench.tick(70_000)
    after = list(bench.table.state.numbers)
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 0, 0, 0, 0]


def test_time_out_takes_the_default_at_its_own_deadline_however_late_the_tick() -> None:
    bench = peeper()
    bench.tick(99_000)
    assert bench.times("timed_out", "played")[:2] == [(80_000, "timed_out"), (80_000, "played")]
    played = bench.told("public", "played")[0]
    assert (played["seat"], played["tiles"]) == (0, ["1r"])
    assert bench.table.state.seats[0].bank_ms == 0


def test_a_bank_that_was_used_is_gone() -> None:
    bench = peeper()
    bench.act(35_000, 0, single("5"))
    assert bench.table.state.seats[0].bank_ms == 45_000
    assert bench.table.state.seats[1].bank_ms == 60_000


def test_the_last_millisecond_counts_and_the_deadline_does_not() -> None:
    bench = peeper()
    bench.act(79_999, 0, single("5"))
    assert not bench.told("public", "timed_out")
    late = peeper()
    assert late.refused(80_000, 0, single("5"), request=late.request(0)) == "stale_request"
    assert late.told("public", "timed_out")


def test_a_turn_clock_starts_when_the_holding_ends() -> None:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    held = bench.table.clock_part()
    assert held is not None
    assert (held.seat, held.left_ms, held.running) == (1, 20_000, False)
    bench.tick(4_300)
    running = bench.table.clock_part()
    assert running is not None
    assert (running.left_ms, running.bank_ms, running.running) == (20_000, 60_000, True)
    bench.tick(84_299)
    assert not bench.told("public", "timed_out")
    bench.tick(84_300)
    assert bench.told("public", "timed_out") == [{"type": "timed_out", "seat": 1, "at": 84_300}]


def test_a_clock_that_stops_is_shown_as_standing() -> None:
    bench = Bench(CHAMSAEJAK, 3, clock=LIVE)
    tile = bench.table.game.default(bench.table.engine, 0).tile  # type: ignore[attr-defined]  # a discard
    bench.act(5_000, 0, {"type": "discard", "tile": tile})
    clock = bench.stream("public")[-1].data
    assert b'"clock":{"seat":0,"left_ms":20000,"bank_ms":60000,"running":false}' in clock


def test_a_table_without_turn_time_shows_no_clock_and_waits_for_ever() -> None:
    bench = peeper(ClockRules(grace_ms=300))
    assert bench.table.clock_part() is None
    assert bench.table.deadline is None
    bench.tick(10**9)
    assert not bench.told("public", "timed_out")


# -- delays --------------------------------------------------------------------------------------------
def test_a_stall_moves_the_clock_and_its_marks() -> None:
    bench = peeper()
    bench.handle(Input(at=0, stalled=1_200))
    bench.tick(81_199)
    assert [e["at"] for e in bench.told("seat:0", "clock_low")] == [71_200, 76_200]
    assert not bench.told("public", "timed_out")
    bench.tick(81_200)
    assert bench.told("public", "timed_out")


def test_after_a_takeover_a_running_clock_has_at_least_three_seconds() -> None:
    bench = peeper()
    bench.tick(79_500)
    bench.handle(Input(at=79_500, resumed=0))
    clock = bench.table.clock_part()
    assert clock is not None
    assert clock.left_ms + clock.bank_ms == 3_000
    bench.act(82_400, 0, single("5"))
    # What was added was not the seat's: the bank is what it was a second before the time-out.
    assert bench.table.state.seats[0].bank_ms == 100


def test_a_takeover_does_not_charge_the_outage() -> None:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    bench.tick(4_300)
    # The outage dated at the last input, then the takeover at the real time.
    bench.handle(Input(at=4_300, stalled=60_000))
    bench.handle(Input(at=64_300, resumed=0))
    clock = bench.table.clock_part()
    assert clock is not None
    assert (clock.left_ms, clock.bank_ms) == (20_000, 60_000)
    bench.act(70_000, 1, PASS)
    assert bench.table.state.seats[1].bank_ms == 60_000
