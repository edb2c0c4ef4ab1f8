"""Tests of server/core/presence.py: away, back, left, forfeits, bots put in, stalls and takeovers."""

from __future__ import annotations

from typing import Any

import pytest

from server.core.clocks import ClockRules
from server.core.inputs import Input
from server.core.refusals import Denied
from tests.server.core.bench import (
    CHAMSAEJAK,
    GAMES,
    LIVE,
    PASS,
    PEEPER,
    Bench,
    mine,
    peeper_deck,
    single,
)

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")
SETTLE = ClockRules(turn_ms=20_000, bank_ms=60_000, grace_ms=300, settle_ms=100)


def peeper(**settings: Any) -> Bench:
    return Bench(PEEPER, 4, decks=[DECK], **settings)


def opened(**settings: Any) -> Bench:
    bench = peeper(**settings)
    bench.act(1_000, 0, single("5"))
    return bench


# -- away and back ------------------------------------------------------------------------------------
def test_others_see_the_seconds_left_until_the_policy() -> None:
    bench = peeper(away_ms=60_000)
    bench.handle(Input(at=1_000, seat=2, away=True))
    assert bench.told("public", "away") == [
        {"type": "away", "seat": 2, "policy": "bot", "policy_in_ms": 60_000, "at": 1_000}
    ]
    bench.tick(31_000)
    part = bench.table.seat_parts()[2]
    assert (part.state, part.policy, part.policy_in_ms) == ("away", "bot", 30_000)


def test_after_away_ms_a_bot_plays_on_until_the_player_is_back() -> None:
    bench = peeper(away_ms=10_000)
    bench.handle(Input(at=1_000, seat=0, away=True))
    bench.tick(10_999)
    assert not bench.told("public", "policy_applied")
    assert bench.table.seat_parts()[0].state == "away"
    bench.tick(11_000)
    assert bench.told("public", "policy_applied")[0] == {
        "type": "policy_applied",
        "seat": 0,
        "policy": "bot",
        "at": 11_000,
    }
    assert bench.table.bot_due == 11_000
    assert bench.table.seat_parts()[0].state == "bot"
    bench.handle(Input(at=11_500, seat=0, back=True))
    assert not [r for r in bench.table.state.requests.values() if r.bot_due is not None]
    assert bench.table.seat_parts()[0].state == "here"
    bench.act(12_000, 0, single("5"))


def test_who_comes_back_in_time_loses_nothing() -> None:
    bench = peeper(away_ms=10_000)
    bench.handle(Input(at=1_000, seat=0, away=True))
    bench.handle(Input(at=10_999, seat=0, back=True))
    bench.tick(50_000)
    assert not bench.told("public", "policy_applied")


def test_away_twice_and_back_twice_are_once() -> None:
    bench = peeper()
    kinds: tuple[dict[str, Any], ...] = (
        {"away": True},
        {"away": True},
        {"back": True},
        {"back": True},
    )
    for kind in kinds:
        bench.handle(Input(at=1_000, seat=2, **kind))
    assert [e["type"] for e in bench.events() if e.get("seat") == 2][1:] == ["away", "back"]
    assert sum(b'"away"' in e.data or b'"back"' in e.data for e in bench.entries) == 2


def test_a_clock_goes_on_while_a_seat_is_away() -> None:
    bench = peeper(away_ms=600_000)
    bench.handle(Input(at=1_000, seat=0, away=True))
    bench.tick(80_000)
    assert bench.told("public", "timed_out")[0]["at"] == 80_000


# -- forfeit ------------------------------------------------------------------------------------------
def test_a_forfeited_seat_takes_the_last_place_and_passes_on() -> None:
    bench = peeper(away_policy="forfeit", away_ms=10_000, clock=ClockRules(grace_ms=300))
    bench.handle(Input(at=0, seat=0, away=True))
    bench.tick(10_000)
    assert bench.told("public", "policy_applied")[0]["policy"] == "forfeit"
    # His default is taken at once, without a time-out.
    assert bench.told("public", "played")[0]["at"] == 10_000
    assert not bench.told("public", "timed_out")
    for seat in (1, 2, 3):
        bench.handle(Input(at=10_000, seat=seat, left=True))
    bench.play_bots()
    ended = bench.told("public", "match_ended")[0]
    assert ended["places"][0] == 4
    assert ended["forfeited"] == [0]
    assert sorted(ended["places"]) == [1, 2, 3, 4]


@pytest.mark.parametrize("how", [{"left": True}, {"bot": "steady"}])
def test_no_bot_is_asked_to_play_a_forfeited_seat(how: dict[str, Any]) -> None:
    bench = opened(away_policy="forfeit", away_ms=0)
    claiming = {r.seat for r in bench.table.state.requests.values() if r.kind == "claim"}
    assert claiming
    for seat in claiming:
        bench.handle(Input(at=1_001, seat=seat, away=True))
    bench.tick(1_001)
    for seat in claiming:
        bench.handle(Input(at=1_002, seat=seat, **how))
    gone = [r for r in bench.table.state.requests.values() if r.seat in claiming]
    assert [r.bot_due for r in gone] == [None] * len(gone)
    bench.play_bots()


@pytest.mark.parametrize("name", ["peeper", "pepper"])
def test_when_all_forfeit_the_match_ends_at_once(name: str) -> None:
    # In Pepper a hand that all pass is dealt again: going on would never end.
    bench = Bench(GAMES[name], 4, away_policy="forfeit", away_ms=1_000, clock=ClockRules())
    for seat in range(4):
        bench.handle(Input(at=seat, seat=seat, away=True))
    bench.tick(3_600_000)
    ended = bench.told("public", "match_ended")[0]
    assert (ended["at"], ended["places"]) == (1_003, [1, 1, 1, 1])
    assert ended["forfeited"] == [0, 1, 2, 3]
    assert bench.stream("public")[-1].at >= 1_003
    assert bench.table.state.phase == "ended"


@pytest.mark.parametrize("how", ["forfeit", "void"])
def test_a_match_that_is_given_up_takes_its_open_window_along(how: str) -> None:
    bench = opened(away_policy="forfeit", away_ms=0)
    assert bench.told("public", "window_opened")
    if how == "forfeit":
        for seat in range(4):
            bench.handle(Input(at=1_001, seat=seat, away=True))
        bench.tick(1_001)
    else:
        bench.handle(Input(at=1_001, void="engine"))
    assert bench.table.state.window is None
    assert not bench.told("public", "window_closed")
    kinds = [event["type"] for event in bench.events()]
    assert ("match_ended" if how == "forfeit" else "match_voided") in kinds


def test_a_forfeiting_partner_takes_his_side_along() -> None:
    bench = Bench(
        GAMES["pepper"], 4, {"target": 5}, away_policy="forfeit", away_ms=0, bots=(0, 2, 3)
    )
    bench.handle(Input(at=0, seat=1, away=True))
    bench.play_bots()
    assert bench.told("public", "match_ended")[0]["places"] == [1, 2, 1, 2]


def test_a_forfeit_drops_the_held_turn() -> None:
    bench = opened(away_policy="forfeit", away_ms=1_000)
    bench.act(1_100, 1, single("6"))
    bench.handle(Input(at=1_200, seat=1, away=True))
    bench.tick(4_300)
    assert bench.told("public", "passed")[0]["at"] == 4_300


# -- left ---------------------------------------------------------------------------------------------
def test_leaving_gives_the_seat_up_at_once_and_a_bot_plays_it_to_the_end() -> None:
    bench = peeper(clock=ClockRules(grace_ms=300))
    bench.handle(Input(at=1_000, seat=0, left=True))
    assert bench.told("public", "left") == [{"type": "left", "seat": 0, "at": 1_000}]
    assert bench.table.bot_due == 1_000
    bench.handle(Input(at=1_100, seat=0, back=True))
    assert bench.table.seat_parts()[0].state == "left"
    for seat in (1, 2, 3):
        bench.handle(Input(at=1_100, seat=seat, left=True))
    bench.play_bots()
    assert bench.told("public", "match_ended")[0].get("forfeited", []) == []


def test_leaving_twice_is_once_and_only_in_a_running_match() -> None:
    bench = peeper()
    bench.handle(Input(at=1_000, seat=0, left=True))
    bench.handle(Input(at=1_000, seat=0, left=True))
    assert len(bench.told("public", "left")) == 1
    waiting = peeper(start=False)
    with pytest.raises(Denied, match="not_started"):
        waiting.handle(Input(at=0, seat=0, left=True))


def test_a_bots_seat_has_no_player_to_be_away() -> None:
    bench = Bench(PEEPER, 2, bots=(1,))
    kinds: tuple[dict[str, Any], ...] = ({"away": True}, {"back": True}, {"left": True})
    for kind in kinds:
        with pytest.raises(Denied, match="not_seated"):
            bench.handle(Input(at=0, seat=1, **kind))


def test_a_bot_can_be_put_in_a_seat() -> None:
    bench = peeper()
    bench.handle(Input(at=1_000, seat=0, bot="steady"))
    assert bench.table.seat_parts()[0].state == "bot"
    assert bench.told("public", "seated")[-1] == {
        "type": "seated",
        "seat": 0,
        "name": "A",
        "bot": True,
        "at": 1_000,
    }
    assert bench.table.bot_due == 1_000
    entries = len(bench.entries)
    bench.handle(Input(at=1_000, seat=0, bot="steady"))
    assert len(bench.entries) == entries


# -- before and after a match --------------------------------------------------------------------------
def test_before_a_match_who_stays_away_gets_up() -> None:
    bench = peeper(start=False, away_ms=5_000)
    bench.handle(Input(at=0, seat=2, away=True))
    assert bench.told("public", "away")[0]["policy"] == "stand"
    bench.tick(5_000)
    assert bench.told("public", "stood")[0] == {
        "type": "stood",
        "seat": 2,
        "name": "C",
        "at": 5_000,
    }
    assert bench.table.seat_parts()[2].state == "open"


def test_who_was_played_for_at_the_end_must_be_back_for_the_next_match() -> None:
    bench = Bench(PEEPER, 2, bots=(1,), away_ms=1_000)
    bench.handle(Input(at=0, seat=0, away=True))
    now = bench.play_bots()
    assert bench.table.state.phase == "ended"
    part = bench.table.seat_parts()[0]
    assert (part.state, part.policy, part.policy_in_ms) == ("away", "stand", 1_000)
    bench.tick(now + 1_000)
    assert bench.table.seat_parts()[0].state == "open"


# -- stalls and takeovers -------------------------------------------------------------------------------
def test_a_stall_moves_every_running_deadline() -> None:
    bench = opened(away_ms=10_000, clock=SETTLE)
    bench.handle(Input(at=1_000, seat=3, away=True))
    bench.handle(Input(at=1_000, stalled=700))
    assert bench.told("public", "delayed") == [{"type": "delayed", "ms": 700, "at": 1_000}]
    bench.act(4_999, 2, mine("5", "5"))
    bench.tick(5_100)
    assert bench.told("public", "window_closed")[0]["at"] == 5_100
    bench.tick(11_700)
    assert bench.told("public", "policy_applied")[0]["at"] == 11_700


def test_times_of_claims_count_from_a_late_publication() -> None:
    bench = opened()
    bench.handle(Input(at=1_000, stalled=700))
    bench.act(2_000, 2, mine("5", "5"))
    bench.tick(5_000)
    assert bench.told("public", "window_closed")[0]["claims"][0]["after_ms"] == 300


def test_a_stall_in_mid_window_shuts_out_no_claim_that_was_read_meanwhile() -> None:
    bench = opened()
    bench.act(2_000, 3, {"type": "decline"})
    bench.handle(Input(at=2_000, stalled=700))
    bench.act(2_700, 2, mine("5", "5"), stamp=2_100)
    bench.tick(5_000)
    assert bench.told("public", "window_closed")[0]["claims"][0]["after_ms"] == 1_100


def test_a_stall_makes_in_time_what_came_in_the_gap() -> None:
    bench = opened(clock=SETTLE)
    bench.act(4_310, 2, mine("5", "5"))
    bench.handle(Input(at=4_310, stalled=60))
    bench.act(4_320, 1, single("6"), stamp=4_200)
    bench.tick(4_460)
    assert bench.told("public", "mined")[0]["at"] == 4_460


def test_what_was_due_before_a_stall_is_settled_first() -> None:
    bench = opened()
    bench.act(1_100, 1, single("6"))
    bench.handle(Input(at=4_300, stalled=500))
    assert bench.told("public", "played")[1]["at"] == 4_300


def test_after_a_takeover_an_open_window_begins_again_and_what_was_sealed_stands() -> None:
    bench = opened()
    bench.act(1_500, 2, mine("5", "5"))
    bench.act(1_600, 1, single("6"))
    bench.handle(Input(at=1_600, stalled=6_000))
    bench.handle(Input(at=7_600, resumed=0))
    assert bench.told("public", "delayed")[-1] == {
        "type": "delayed",
        "ms": 0,
        "resumed": True,
        "at": 7_600,
    }
    bench.tick(10_899)
    assert not bench.told("public", "window_closed")
    bench.tick(10_900)
    closed = bench.told("public", "window_closed")[0]
    assert closed["claims"] == [{"seat": 2, "action": "mine", "after_ms": 500, "outcome": "won"}]
    assert bench.told("seat:1", "turn_dropped")


def test_a_claim_that_was_on_its_way_during_a_takeover_counts() -> None:
    bench = opened()
    bench.handle(Input(at=1_000, stalled=6_000))
    bench.handle(Input(at=7_000, resumed=0))
    bench.act(7_010, 2, mine("5", "5"), stamp=1_800)
    bench.tick(10_300)
    assert bench.told("public", "window_closed")[0]["claims"][0]["after_ms"] == 0


def test_a_takeover_leaves_a_tail_alone() -> None:
    bench = opened()
    bench.tick(4_300)
    bench.handle(Input(at=5_000, resumed=1_000))
    window = bench.table.state.window
    assert window is not None
    assert window.tail
    assert bench.table.deadline == 4_300 + 1_000 + 70_000


def test_a_takeover_is_announced_even_where_nothing_runs() -> None:
    bench = peeper(clock=ClockRules())
    bench.handle(Input(at=5_000, resumed=800))
    assert bench.told("public", "delayed")
    bench.handle(Input(at=6_000, stalled=800))
    assert len(bench.told("public", "delayed")) == 1
    assert sum(b'"stalled"' in e.data for e in bench.entries) == 1


def test_bots_wait_as_much_longer() -> None:
    bench = Bench(CHAMSAEJAK, 2, bots=(0, 1), pace_ms=1_500, clock=LIVE)
    due = bench.table.bot_due
    assert due is not None
    bench.handle(Input(at=0, stalled=900))
    assert bench.table.bot_due == due + 900


def test_an_absent_seat_does_not_stop_the_others() -> None:
    bench = opened()
    bench.handle(Input(at=1_100, seat=3, away=True))
    bench.act(5_000, 1, PASS)
    assert bench.told("public", "passed")[0]["at"] == 5_000
