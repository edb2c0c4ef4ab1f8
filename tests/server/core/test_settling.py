"""Tests of server/core/settling.py; long, because every point of the claim windows stands in one place.

The windows are shown as players see them.
Peeper's windows end with the next action, Chamsae-jak's at their deadline.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from server.core.clocks import ClockRules
from server.core.inputs import Input
from server.core.refusals import Denied
from server.core.settling import with_forfeits
from tests.server.core.bench import (
    CHAMSAEJAK,
    DECLINE,
    LIVE,
    PASS,
    PEEPER,
    RON,
    Bench,
    Shown,
    chamsaejak_deck,
    mine,
    peeper_deck,
    single,
)

GRACE = LIVE
SETTLE = ClockRules(turn_ms=20_000, bank_ms=60_000, grace_ms=300, settle_ms=100)
NO_CLOCK = ClockRules()

MINE_AT_2 = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")
"""Seat 0 leads, seat 1 follows with a 6, seat 2 can mine a 5, seat 1 could return it."""


def peeper(clock: ClockRules = GRACE, deck: list[str] = MINE_AT_2, **settings: Any) -> Bench:
    return Bench(PEEPER, 4, settings.pop("options", None), clock=clock, decks=[deck], **settings)


def opened(bench: Bench, at: int = 1_000) -> Bench:
    """Seat 0 lays the 5: a window opens."""
    bench.act(at, 0, single("5"))
    return bench


# -- 1. no tell ---------------------------------------------------------------------------------------
THREE = {
    True: peeper_deck("1r 5 9 5", "6 7 8", "5 5 12 12", unused="13 13 14 14"),
    False: peeper_deck("1r 5 9 5", "6 7 8", "13 13 12 12", unused="5 5 14 14"),
}
"""Two deals that differ in what seat 2 holds, and in nothing that anybody else may know."""


def window_of_three(can: bool, seat_2: str, clock: ClockRules = SETTLE) -> Bench:
    """A single 5, whatever seat 2 does about it short of a claim, then a play of seat 1."""
    bench = Bench(PEEPER, 3, clock=clock, decks=[THREE[can]])
    bench.act(1_000, 0, single("5"))
    if seat_2 == "declines":
        bench.act(1_500, 2, DECLINE)
    elif seat_2 == "is refused":
        bench.refused(1_500, 2, mine("9", "9"))
    elif seat_2 == "orders":
        bench.handle(Input(at=1_500, seat=2, standing={"decline": ["mine"]}))
    bench.act(6_000, 1, single("6"))
    bench.tick(20_000)
    return bench


def others(bench: Bench, *mine: str) -> list[Shown]:
    return [one for one in bench.shown if one.stream not in mine]


@pytest.mark.parametrize("seat_2", ["is silent", "declines", "is refused", "orders"])
@pytest.mark.parametrize("can", [True, False])
def test_a_window_is_the_same_for_all_others_whatever_a_seat_holds_and_does(
    can: bool, seat_2: str
) -> None:
    here = window_of_three(can, seat_2)
    there = window_of_three(not can, "is silent")
    assert others(here, "seat:2") == others(there, "seat:2")
    assert here.stream("seat:2") != there.stream("seat:2")


def test_the_offer_is_the_same_bytes_for_every_seat_and_only_can_tells() -> None:
    bench = opened(peeper())
    claims = [
        msgspec.json.decode(bench.stream(f"seat:{seat}")[-1].data)["requests"][0]
        for seat in (1, 2, 3)
    ]
    assert [claim["can"] for claim in claims] == [0, 1, 0]
    assert len({msgspec.json.encode(claim["legal"]) for claim in claims}) == 1
    assert claims[0]["legal"] == [mine("5", "5"), DECLINE]


def test_every_seat_but_the_openers_gets_a_claim_request_and_the_next_player_his_turn() -> None:
    bench = opened(peeper())
    assert [bench.asked(seat) for seat in range(4)] == [
        [],
        ["claim", "turn"],
        ["claim"],
        ["claim"],
    ]


def test_a_window_that_nobody_can_claim_stays_open_as_long() -> None:
    nobody = peeper_deck("1r 5 9", "6 5", "5 8", "5 10")
    for deck in (nobody, MINE_AT_2):
        bench = opened(peeper(deck=deck))
        for seat in (1, 2, 3):
            bench.act(1_500, seat, DECLINE)
        bench.act(1_600, 1, PASS)
        assert bench.times("window_closed", "passed") == []
        bench.tick(4_299)
        assert bench.times("window_closed", "passed") == []
        bench.tick(4_300)
        assert bench.times("window_closed", "passed") == [
            (4_300, "window_closed"),
            (4_300, "passed"),
        ]


# -- early close --------------------------------------------------------------------------------------
def test_early_close_waits_for_every_seat_and_then_closes_at_once() -> None:
    bench = opened(peeper(early_close=True))
    bench.act(1_100, 1, DECLINE)
    bench.act(1_200, 2, DECLINE)
    assert not bench.told("public", "window_closed")
    turn = bench.request(1)
    bench.act(1_300, 3, DECLINE)
    assert bench.times("window_closed") == [(1_300, "window_closed")]
    # The turn's request stands and its clock runs.
    assert bench.request(1) == turn
    clock = bench.table.clock_part()
    assert clock is not None
    assert (clock.seat, clock.running) == (1, True)
    bench.act(2_000, 1, single("6"), request=turn)
    assert bench.told("public", "played")[-1]["at"] == 2_000


def test_a_held_turn_is_its_seats_answer_to_an_early_close() -> None:
    bench = opened(peeper(early_close=True))
    bench.act(1_100, 2, DECLINE)
    bench.act(1_200, 3, DECLINE)
    bench.act(1_300, 1, single("6"))
    assert bench.times("window_closed", "played")[1:] == [
        (1_300, "window_closed"),
        (1_300, "played"),
    ]


def test_a_seat_that_left_or_forfeited_has_declined() -> None:
    bench = opened(peeper(early_close=True, away_policy="forfeit", away_ms=0))
    bench.handle(Input(at=1_100, seat=2, left=True))
    bench.handle(Input(at=1_100, seat=3, away=True))
    bench.act(1_200, 1, DECLINE)
    assert bench.times("window_closed") == [(1_200, "window_closed")]


def test_early_close_settles_a_claim_at_once() -> None:
    bench = opened(peeper(early_close=True))
    bench.act(1_500, 2, mine("5", "5"))
    bench.act(1_600, 3, DECLINE)
    assert not bench.told("public", "mined")
    bench.act(1_700, 1, DECLINE)
    assert bench.told("public", "mined")[0]["at"] == 1_700


def test_early_close_of_a_window_with_a_deadline_goes_on_at_once() -> None:
    bench = Bench(CHAMSAEJAK, 3, clock=GRACE, early_close=True)
    bench.handle(Input(at=1_000, seat=0, action=default(bench, 0)))
    bench.act(1_100, 1, DECLINE)
    bench.act(1_200, 2, DECLINE)
    assert bench.times("window_closed", "drew")[-2:] == [(1_200, "window_closed"), (1_200, "drew")]


def default(bench: Bench, seat: int) -> dict[str, Any]:
    """The seat's default action as on the wire."""
    return msgspec.to_builtins(bench.game.default(bench.table.engine, seat))  # type: ignore[no-any-return]


# -- 2. sealed ----------------------------------------------------------------------------------------
def test_a_claim_is_acknowledged_privately_and_shown_at_the_close() -> None:
    bench = opened(peeper())
    before = len(bench.shown)
    answer = bench.act(1_830, 2, mine("5", "5"))
    assert (answer.sealed, answer.held, answer.seq) == (True, False, 0)
    assert len(bench.shown) == before
    bench.tick(4_300)
    closed = bench.told("public", "window_closed")[0]
    assert closed["claims"] == [
        {"seat": 2, "action": "mine", "after_ms": 830, "outcome": "won"},
    ]
    assert [e["type"] for e in bench.stream("public")[-1].events][:2] == ["window_closed", "mined"]


def test_only_claims_that_won_lost_or_were_false_are_published() -> None:
    bench = opened(peeper())
    bench.act(1_100, 3, DECLINE)
    bench.refused(1_200, 1, mine("5", "5"))
    bench.act(1_300, 1, single("6"))
    bench.act(1_400, 2, mine("5", "5"))
    bench.tick(4_300)
    assert [c["seat"] for c in bench.told("public", "window_closed")[0]["claims"]] == [2]
    told = str(bench.events("public"))
    assert "decline" not in told
    assert "turn_dropped" not in told


def test_a_held_turn_takes_effect_at_the_end_of_the_sealed_time() -> None:
    bench = opened(peeper())
    answer = bench.act(1_500, 1, single("6"))
    assert (answer.held, answer.sealed) == (True, False)
    bench.tick(4_299)
    assert len(bench.told("public", "played")) == 1
    bench.tick(4_300)
    played = bench.told("public", "played")[1]
    assert (played["seat"], played["at"]) == (1, 4_300)
    # It opened a window of its own, from then on.
    assert bench.times("window_opened")[1] == (4_300, "window_opened")


def test_a_held_turn_is_replaced_and_withdrawn() -> None:
    bench = opened(peeper())
    bench.act(1_100, 1, single("6"))
    bench.act(1_200, 1, single("7"))
    parts = {part.kind: part for part in bench.table.request_parts(1)}
    assert msgspec.to_builtins(parts["turn"].held) == single("7")
    bench.handle(Input(at=1_300, seat=1, withdraw=True))
    assert bench.table.request_parts(1)[1].held is None
    bench.tick(4_300)
    assert len(bench.told("public", "played")) == 1
    bench.act(5_000, 1, PASS)
    assert bench.told("public", "passed")[0]["at"] == 5_000


def test_a_held_turn_is_dropped_with_a_notice_to_its_seat_alone_when_a_claim_wins() -> None:
    bench = opened(peeper())
    held = bench.request(1)
    bench.act(1_100, 1, single("6"))
    bench.act(4_299, 2, mine("5", "5"))
    bench.tick(4_300)
    dropped = bench.told("seat:1", "turn_dropped")
    assert dropped == [
        {"type": "turn_dropped", "request": held, "action": single("6"), "at": 4_300}
    ]
    for name in ("public", "seat:0", "seat:2", "seat:3"):
        assert not bench.told(name, "turn_dropped")
    # No number of anybody else tells of it either.
    quiet = opened(peeper())
    quiet.act(4_299, 2, mine("5", "5"))
    quiet.tick(4_300)
    assert others(bench, "seat:1") == others(quiet, "seat:1")


# -- 3. and 4. timestamps, equal time ------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim_ms", "grace_ms"), [(3_000, 300), (3_000, 0), (0, 300), (1, 0), (15_000, 300)]
)
@pytest.mark.parametrize("settle_ms", [0, 100])
@pytest.mark.parametrize("late_by", [0, 5_000])
def test_the_boundary_is_exact_to_the_millisecond(
    claim_ms: int, grace_ms: int, settle_ms: int, late_by: int
) -> None:
    rules = ClockRules(grace_ms=grace_ms, settle_ms=settle_ms)
    end = 1_000 + claim_ms + grace_ms
    for stamp, wins in ((1_000, True), (end - 1, True), (end, False), (end + 1, False)):
        # With the first message after the end, the window's tail is over.
        bench = opened(peeper(rules, options={"claim_ms": claim_ms}))
        bench.act(1_000, 1, single("6"))
        request = bench.request(2, "claim") if end + settle_ms > 1_000 else "r3"
        if late_by and stamp + late_by >= end + settle_ms:
            # It comes when the window is settled: as late as if it were stamped so.
            wins = False
        code = None
        try:
            bench.act(stamp + late_by, 2, mine("5", "5"), request=request, stamp=stamp)
        except Denied as denied:
            code = denied.code
        bench.tick(10**6)
        won = bool(bench.told("public", "mined"))
        assert won is wins, (stamp, code)
        assert (code is None) or (code == "claim_closed")


def test_what_is_due_at_a_time_precedes_an_input_stamped_with_it() -> None:
    bench = opened(peeper())
    bench.act(1_500, 1, single("6"))
    assert bench.refused(4_300, 2, mine("5", "5"), request=bench.request(2, "claim")) == (
        "claim_closed"
    )
    assert bench.told("public", "window_closed")[0]["claims"] == []


def test_a_claim_read_in_time_by_another_process_counts_until_the_closing() -> None:
    bench = opened(peeper(SETTLE))
    bench.act(1_500, 1, single("6"))
    bench.tick(4_399)
    assert not bench.told("public", "window_closed")
    bench.act(4_399, 2, mine("5", "5"), stamp=4_299)
    bench.tick(4_400)
    closed = bench.told("public", "window_closed")[0]
    assert (closed["at"], closed["claims"][0]["after_ms"]) == (4_400, 3_299)
    # What takes effect is dated at the closing, and the window that it opens starts then.
    assert bench.times("mined", "window_opened")[-2:] == [
        (4_400, "mined"),
        (4_400, "window_opened"),
    ]


def test_what_is_read_between_the_end_and_the_closing_takes_effect_only_if_nothing_else_does() -> (
    None
):
    bench = opened(peeper(SETTLE))
    bench.act(4_350, 2, mine("5", "5"))
    bench.tick(4_400)
    assert bench.told("public", "mined")[0]["at"] == 4_400

    bench = opened(peeper(SETTLE))
    bench.act(4_350, 1, single("6"))
    bench.act(4_360, 2, mine("5", "5"))
    bench.tick(4_400)
    assert bench.told("public", "played")[1]["at"] == 4_400
    assert bench.told("seat:2", "claim_dropped")
    assert not bench.told("public", "claim_dropped")

    bench = opened(peeper(SETTLE))
    bench.act(1_500, 1, single("6"))
    bench.act(4_350, 2, mine("5", "5"))
    bench.tick(4_400)
    assert not bench.told("public", "mined")
    assert bench.told("seat:2", "claim_dropped")


def test_a_held_turn_can_no_longer_be_changed_after_the_sealed_time() -> None:
    bench = opened(peeper(SETTLE))
    bench.act(4_299, 1, single("6"))
    assert bench.refused(4_300, 1, single("7")) == "stale_request"
    with pytest.raises(Denied, match="not_held"):
        bench.handle(Input(at=4_300, seat=1, withdraw=True))
    # A replacement that another process read in time still counts; an older one does not.
    bench.act(4_350, 1, single("7"), stamp=4_299)
    assert bench.refused(4_360, 1, single("6"), stamp=4_000) == "stale_request"
    bench.tick(4_400)
    assert bench.told("public", "played")[1]["tiles"] == ["7"]


def test_a_late_tick_changes_no_result() -> None:
    prompt, late = peeper(SETTLE), peeper(SETTLE)
    for bench in (prompt, late):
        opened(bench)
        bench.act(1_500, 1, single("6"))
    for now in range(1_500, 30_000, 7):
        prompt.tick(now)
    late.tick(30_000)
    prompt.tick(30_000)
    assert prompt.shown == late.shown
    assert prompt.entries == late.entries


def test_a_claim_stamped_before_the_opening_is_none() -> None:
    bench = opened(peeper())
    assert bench.refused(1_100, 2, mine("5", "5"), stamp=999) == "claim_closed"
    assert bench.refused(1_100, 2, DECLINE, stamp=999) == "stale_request"


# -- 5. settling --------------------------------------------------------------------------------------
CONTEST = peeper_deck("1r 5 9", "6 5 X", "5 5", "8 10")
"""Under wild_mine seat 1 can mine a 5 with an X, and seat 2 with two natural ones."""
BOTH_WILD = peeper_deck("1r 5 9", "6 5 X", "5 X", "8 5")


@pytest.mark.parametrize("order", list(permutations(["wild", "natural", "held"])))
@pytest.mark.parametrize("late", [False, True])
def test_rank_goes_before_turn_order_in_every_order_of_arrival(
    order: tuple[str, ...], late: bool
) -> None:
    bench = opened(peeper(SETTLE, CONTEST, options={"wild_mine": True}))
    at = 4_310 if late else 1_500
    for number, what in enumerate(order):
        stamp = 4_200 + number if late else None
        if what == "wild":
            bench.act(at + number, 1, mine("5", "X"), stamp=stamp)
        elif what == "natural":
            bench.act(at + number, 2, mine("5", "5"), stamp=stamp)
        else:
            bench.act(at + number, 1, single("6"), stamp=stamp)
    bench.tick(4_400)
    closed = bench.told("public", "window_closed")[0]["claims"]
    assert [(claim["seat"], claim["outcome"]) for claim in closed] == [(1, "lost"), (2, "won")]
    assert bench.told("public", "mined")[0]["seat"] == 2
    assert bench.told("seat:1", "turn_dropped")


@pytest.mark.parametrize("first", [1, 2])
def test_equals_go_by_turn_order_from_the_opener(first: int) -> None:
    bench = opened(peeper(deck=BOTH_WILD, options={"wild_mine": True}))
    for seat in (first, 3 - first):
        bench.act(2_000, seat, mine("5", "X"))
    bench.tick(4_300)
    assert bench.told("public", "mined")[0]["seat"] == 1


RONS = chamsaejak_deck("9 9 C C F", "5 5 5r 7 7", "2r 3 4 6r 8r", then="1 7 2 3 4 1 2")
"""Seat 0 draws and discards the 7, on which seats 1 and 2 may win."""


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_where_all_win_all_do_nearest_to_the_discarder_first(order: tuple[int, int]) -> None:
    bench = Bench(CHAMSAEJAK, 3, {"false_win": "penalty"}, decks=[RONS])
    bench.act(1_000, 0, {"type": "discard", "tile": "7"})
    for seat in order:
        bench.act(1_500 + order.index(seat), seat, RON)
    bench.tick(3_300)
    closed = bench.told("public", "window_closed")[0]["claims"]
    assert [(claim["seat"], claim["outcome"]) for claim in closed] == [(1, "won"), (2, "won")]
    assert [won["seat"] for won in bench.told("public", "won")] == [1, 2]


def test_a_false_claim_is_shown_where_the_rule_shows_it() -> None:
    bench = Bench(CHAMSAEJAK, 3, {"false_win": "penalty"}, decks=[RONS])
    bench.act(1_000, 0, {"type": "discard", "tile": "9"})
    bench.act(1_500, 2, RON)
    bench.tick(3_300)
    closed = bench.told("public", "window_closed")[0]["claims"]
    assert closed == [{"seat": 2, "action": "ron", "after_ms": 500, "outcome": "false"}]
    assert bench.told("public", "false_win")[0]["seat"] == 2


# -- 6. how a window ends ------------------------------------------------------------------------------
def test_a_window_with_a_deadline_closes_there_and_goes_on() -> None:
    bench = Bench(CHAMSAEJAK, 3, clock=SETTLE)
    bench.handle(Input(at=1_000, seat=0, action=default(bench, 0)))
    assert bench.asked(0) == bench.asked(1)[:0]
    assert bench.refused(2_000, 1, default_of_nobody()) == "not_your_turn"
    bench.tick(3_399)
    assert not bench.told("public", "window_closed")
    bench.tick(3_400)
    assert bench.times("window_closed", "drew")[-2:] == [(3_400, "window_closed"), (3_400, "drew")]


def default_of_nobody() -> dict[str, Any]:
    return {"type": "discard", "tile": "1"}


def test_in_the_gap_a_late_ron_is_refused() -> None:
    bench = Bench(CHAMSAEJAK, 3, {"false_win": "penalty"}, clock=SETTLE, decks=[RONS])
    bench.act(1_000, 0, {"type": "discard", "tile": "7"})
    assert bench.refused(3_300, 1, RON) == "claim_closed"
    assert bench.refused(3_300, 1, DECLINE) == "stale_request"
    bench.act(3_350, 1, RON, stamp=3_299)
    bench.tick(3_400)
    assert bench.told("public", "won")[0]["seat"] == 1


def test_in_the_tail_the_first_valid_claim_closes_the_window() -> None:
    bench = opened(peeper())
    bench.tick(4_300)
    assert bench.refused(5_000, 1, mine("5", "5")) == "illegal_action"
    answer = bench.act(6_000, 2, mine("5", "5"))
    assert not answer.sealed
    assert answer.seq == bench.stream("seat:2")[-1].seq
    closed = bench.told("public", "window_closed")[0]
    assert (closed["at"], closed["claims"][0]["after_ms"]) == (6_000, 5_000)


@pytest.mark.parametrize("action", [single("6"), PASS])
def test_in_the_tail_the_next_turn_action_closes_the_window(action: dict[str, Any]) -> None:
    bench = opened(peeper())
    bench.act(6_000, 1, action)
    assert bench.times("window_closed") == [(6_000, "window_closed")]
    claim = bench.shown[-1]
    assert claim
    code = bench.refused(6_001, 2, mine("5", "5"))
    assert code == ("illegal_action" if action != PASS else "claim_closed")


def test_a_time_out_in_the_tail_closes_the_window_too() -> None:
    bench = opened(peeper())
    bench.tick(84_300)
    assert bench.times("timed_out", "window_closed", "passed") == [
        (84_300, "timed_out"),
        (84_300, "window_closed"),
        (84_300, "passed"),
    ]


def test_the_tail_can_be_entered_and_left_without_anybody_seeing_who_could() -> None:
    bench = opened(peeper(NO_CLOCK))
    before = len(bench.shown)
    bench.tick(10_000)
    assert len(bench.shown) == before
    parts = bench.table.request_parts(2)
    assert parts[0].left_ms is None


def test_with_no_claim_time_and_no_grace_the_first_message_wins() -> None:
    for first in ("mine", "play"):
        bench = opened(peeper(NO_CLOCK, options={"claim_ms": 0}))
        if first == "mine":
            bench.act(1_000, 2, mine("5", "5"))
            assert bench.told("public", "mined")
        else:
            bench.act(1_000, 1, single("6"))
            assert bench.told("public", "played")[1]["at"] == 1_000


# -- 7. standing orders --------------------------------------------------------------------------------
def ordered(orders: dict[str, Any], **settings: Any) -> Bench:
    bench = peeper(**settings)
    bench.handle(Input(at=500, seat=2, standing=orders))
    return opened(bench)


def test_a_standing_order_claims_at_the_opening_and_looks_like_a_quick_player() -> None:
    bench = ordered({"mine": ["5"]})
    assert bench.asked(2) == []
    bench.tick(4_300)
    claim = bench.told("public", "window_closed")[0]["claims"][0]
    assert claim["seat"] == 2
    assert 200 <= claim["after_ms"] <= 1_200
    quick = peeper()
    opened(quick)
    quick.act(1_000 + claim["after_ms"], 2, mine("5", "5"))
    quick.tick(4_300)
    assert others(bench, "seat:2") == others(quick, "seat:2")


def test_an_order_for_another_number_does_nothing() -> None:
    bench = ordered({"mine": ["6"]})
    assert bench.asked(2) == ["claim"]


def test_an_order_to_decline_answers_the_request() -> None:
    bench = ordered({"decline": ["mine"]})
    assert bench.asked(2) == []
    assert bench.refused(1_500, 2, mine("5", "5")) == "stale_request"
    assert bench.act(1_500, 2, DECLINE).sealed


def test_a_drawn_time_stays_within_a_window_that_closed_early() -> None:
    bench = peeper(early_close=True)
    bench.handle(Input(at=500, seat=2, standing={"mine": ["5"]}))
    for seat in (1, 3):
        bench.handle(Input(at=500, seat=seat, standing={"decline": ["mine"]}))
    opened(bench)
    closed = bench.told("public", "window_closed")[0]
    assert (closed["at"], closed["claims"][0]["after_ms"]) == (1_000, 0)


def test_ron_auto_claims_every_win() -> None:
    bench = Bench(CHAMSAEJAK, 3, decks=[RONS])
    bench.handle(Input(at=0, seat=1, standing={"ron": "auto"}))
    bench.act(1_000, 0, {"type": "discard", "tile": "7"})
    bench.tick(3_300)
    assert bench.told("public", "won")[0]["seat"] == 1


def test_orders_are_logged() -> None:
    bench = ordered({"mine": ["5"]})
    assert any(b'"standing":{"mine":["5"]}' in entry.data for entry in bench.entries)


@pytest.mark.parametrize(("until", "kept"), [("round", False), ("match", True)])
def test_orders_end_with_the_round_unless_they_say_otherwise(until: Any, kept: bool) -> None:
    bench = Bench(CHAMSAEJAK, 3, decks=[RONS])
    bench.handle(Input(at=0, seat=2, standing={"ron": "auto"}, until=until))
    bench.handle(Input(at=0, seat=1, standing={"ron": "auto"}))
    bench.act(1_000, 0, {"type": "discard", "tile": "7"})
    bench.tick(3_300)
    assert bench.table.match.round == 2
    assert bool(bench.table.state.seats[2].orders) is kept
    assert not bench.table.state.seats[1].orders


# -- 8. time is the table's ---------------------------------------------------------------------------
def test_a_window_has_the_same_length_for_all_and_says_so() -> None:
    bench = opened(peeper())
    told = {name: bench.told(name, "window_opened")[0] for name in bench.table.streams}
    assert len({msgspec.json.encode(event) for event in told.values()}) == 1
    assert told["public"] == {
        "type": "window_opened",
        "window": "w1",
        "kinds": ["mine"],
        "opener": 0,
        "claim_ms": 3_000,
        "grace_ms": 300,
        "ends": "next_action",
        "at": 1_000,
    }


# -- the end of a match --------------------------------------------------------------------------------
def test_places_with_forfeits_put_their_sides_last() -> None:
    alone = [0, 1, 2, 3]
    assert with_forfeits([1, 2, 2, 4], alone, [0]) == [4, 1, 1, 3]
    assert with_forfeits([1, 2, 3, 4], alone, [0, 2]) == [3, 1, 3, 2]
    assert with_forfeits([1, 2, 3, 4], alone, [0, 1, 2, 3]) == [1, 1, 1, 1]
    pairs = [0, 1, 0, 1]
    assert with_forfeits([1, 2, 1, 2], pairs, [2]) == [2, 1, 2, 1]
    assert with_forfeits([2, 1, 2, 1], pairs, [2]) == [2, 1, 2, 1]


def test_the_end_is_told_with_match_record_scores_and_places() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1))
    bench.play_bots()
    ended = bench.told("public", "match_ended")[0]
    assert (ended["match"], ended["record"]) == ("m1", "m1")
    assert sorted(ended["scores"]) == [1, 2]
    assert sorted(ended["places"]) == [1, 2]
    assert bench.table.match.places == ended["places"]
    assert bench.table.deadline is None
