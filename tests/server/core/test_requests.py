"""Tests of server/core/requests.py: what an action answers, once, and what is said to a late one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.registry import AnyGame
from server.core.inputs import Input, decoder
from server.core.refusals import Denied
from server.core.state import KEEP_ANSWERED
from tests.server.core.bench import (
    CHAMSAEJAK,
    DECLINE,
    DUEL,
    PASS,
    PEEPER,
    RON,
    Bench,
    mine,
    peeper_deck,
    single,
)

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


def peeper(**settings: Any) -> Bench:
    return Bench(PEEPER, 4, decks=[DECK], **settings)


def opened() -> Bench:
    bench = peeper()
    bench.act(1_000, 0, single("5"))
    return bench


def test_every_request_has_an_id_a_kind_the_legal_actions_and_the_default() -> None:
    parts = msgspec.to_builtins(opened().table.request_parts(1))
    claim, turn = parts
    assert (claim["kind"], claim["window"], claim["default"]) == ("claim", "w1", DECLINE)
    assert (turn["kind"], turn["default"], turn["left_ms"]) == ("turn", PASS, 20_000)
    assert claim["request"] != turn["request"]
    assert PASS in turn["legal"]


def test_an_action_answers_the_request_that_it_names_and_no_other() -> None:
    bench = opened()
    claim, turn = bench.request(1, "claim"), bench.request(1, "turn")
    assert bench.refused(1_500, 1, single("6"), request=claim) == "illegal_action"
    assert bench.refused(1_500, 1, DECLINE, request=turn) == "illegal_action"
    assert bench.refused(1_500, 2, single("6"), request=turn) == "stale_request"
    assert bench.refused(1_500, 1, single("6"), request="r999") == "stale_request"


def test_a_late_action_is_never_applied_to_something_else() -> None:
    bench = peeper()
    first = bench.request(0)
    bench.tick(80_000)
    hands = bench.game.hands(bench.table.engine)
    assert bench.refused(80_001, 0, single("5"), request=first) == "stale_request"
    assert bench.game.hands(bench.table.engine) == hands


def test_a_late_claim_is_told_so() -> None:
    bench = opened()
    claim = bench.request(2, "claim")
    bench.act(5_000, 1, PASS)
    assert bench.refused(5_001, 2, mine("5", "5"), request=claim) == "claim_closed"
    assert bench.refused(5_001, 2, DECLINE, request=claim) == "stale_request"


def test_the_same_action_again_gets_the_same_answer_and_has_no_second_effect() -> None:
    bench = peeper()
    request = bench.request(0)
    answer = bench.act(1_000, 0, single("5"), request=request)
    assert answer.seq > 0
    shown, entries = len(bench.shown), len(bench.entries)
    assert bench.act(1_500, 0, single("5"), request=request) == answer
    bench.tick(4_300)
    shown = len(bench.shown)
    assert bench.act(9_000, 0, single("5"), request=request) == answer
    assert len(bench.shown) == shown
    assert len(bench.entries) == entries + 1  # the tick
    assert len(bench.told("public", "played")) == 1


@pytest.mark.parametrize("later", [1_600, 4_300, 8_000])
def test_a_repeated_held_turn_and_claim_get_their_first_answers(later: int) -> None:
    bench = opened()
    turn, claim, other = bench.request(1), bench.request(2, "claim"), bench.request(3, "claim")
    held = bench.act(1_100, 1, single("6"), request=turn)
    declined = bench.act(1_200, 3, DECLINE, request=other)
    sealed = bench.act(1_300, 2, mine("5", "5"), request=claim) if later == 1_600 else None
    entries = len([e for e in bench.entries if b'"action"' in e.data])
    assert bench.act(later, 1, single("6"), request=turn) == held
    assert bench.act(later, 3, DECLINE, request=other) == declined
    if sealed is not None:
        assert bench.act(later, 2, mine("5", "5"), request=claim) == sealed
    assert len([e for e in bench.entries if b'"action"' in e.data]) == entries


def test_another_answer_is_stale() -> None:
    bench = opened()
    claim = bench.request(2, "claim")
    bench.act(1_100, 2, DECLINE, request=claim)
    assert bench.refused(1_200, 2, mine("5", "5"), request=claim) == "stale_request"
    bench = opened()
    bench.act(1_100, 2, mine("5", "5"))
    assert bench.refused(1_200, 2, DECLINE) == "stale_request"
    bench.tick(4_300)
    assert bench.told("public", "mined")


def test_a_withdrawn_turn_leaves_the_request_unanswered() -> None:
    bench = opened()
    request = bench.request(1)
    bench.act(1_100, 1, single("6"), request=request)
    bench.handle(Input(at=1_200, seat=1, withdraw=True, request=request))
    assert bench.request(1) == request
    assert bench.act(1_300, 1, single("7"), request=request).held
    bench.tick(4_300)
    assert bench.told("public", "played")[1]["tiles"] == ["7"]


@pytest.mark.parametrize("game", [DUEL, PEEPER], ids=lambda g: g.name)
def test_the_last_answer_of_a_match_can_be_repeated_after_it(game: AnyGame) -> None:
    bench = Bench(game, 2, bots=(0, 1))
    now = bench.play_bots()
    last = next(e for e in reversed(bench.entries) if b'"action"' in e.data and not e.snapshot)
    inp = decoder.decode(last.data)
    assert inp.seat is not None
    kept = bench.table.state.answered[inp.seat][-1]
    again = Input(at=now, seat=inp.seat, action=inp.action, request=inp.request)
    assert bench.handle(again) == kept.answer
    other = {**inp.action, "type": "pass"} if inp.action["type"] != "pass" else {"type": "accept"}
    other.pop("tiles", None)
    with pytest.raises(Denied):
        bench.act(now, inp.seat, other, request=inp.request)
    with pytest.raises(Denied, match="match_over"):
        bench.act(now, inp.seat, inp.action)


def test_only_so_many_answers_of_a_seat_are_kept() -> None:
    bench = Bench(CHAMSAEJAK, 2, bots=(0, 1))
    bench.play_bots(until=200_000)
    assert bench.table.state.next_request > 40
    assert all(len(kept) <= KEEP_ANSWERED for kept in bench.table.state.answered)


def test_others_cannot_push_a_seats_answer_out() -> None:
    # Bots answer claims by the dozen while a human has answered but one thing.
    bench = Bench(CHAMSAEJAK, 5, bots=(1, 2, 3, 4))
    request = bench.request(0)
    tile = msgspec.to_builtins(bench.game.default(bench.table.engine, 0))
    answer = bench.act(1_000, 0, tile, request=request)
    bench.play_bots(until=60_000)
    assert bench.act(60_000, 0, tile, request=request) == answer


# -- actions without a request, as in a record -----------------------------------------------------------
def test_claims_and_declines_answer_the_window_and_all_else_the_turn() -> None:
    bench = opened()
    assert bench.act(1_100, 1, DECLINE).sealed
    assert bench.act(1_200, 1, single("6")).held
    assert bench.act(1_300, 2, mine("5", "5")).sealed
    assert bench.refused(1_400, 3, single("10")) == "not_your_turn"


def test_the_opener_has_nothing_to_claim() -> None:
    bench = opened()
    assert bench.refused(1_100, 0, mine("5", "5")) == "illegal_action"
    assert bench.refused(1_100, 0, DECLINE) == "illegal_action"


def test_the_opener_of_a_later_window_is_not_taken_at_an_earlier_answer() -> None:
    bench = opened()
    bench.act(1_100, 1, DECLINE)
    bench.act(5_000, 1, single("6"))
    assert bench.refused(5_100, 1, DECLINE) == "illegal_action"
    assert bench.refused(5_100, 1, mine("6", "6")) == "illegal_action"


def test_without_a_window_a_claim_is_closed() -> None:
    bench = peeper()
    assert bench.refused(100, 2, mine("5", "5")) == "claim_closed"
    assert bench.refused(100, 2, DECLINE) == "stale_request"
    ron = Bench(CHAMSAEJAK, 3)
    assert ron.refused(100, 1, RON) == "claim_closed"


def test_a_refusal_names_the_games_rule() -> None:
    bench = opened()
    with pytest.raises(Denied) as caught:
        bench.act(1_100, 3, single("10"))
    assert caught.value.game
    assert PEEPER.text.catalog.has(f"refusal.{caught.value.rule}")
