"""The course of hands and matches: deals, wins, false wins, the end of the stock, the dealers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DISCARDS, RON, TSUMO, Dealt, FalseWin, Finished, Won
from engines.chamsaejak.state import Match
from engines.chamsaejak.tiles import PIECES
from engines.kit.contract import Event
from engines.kit.dealer import Dealer
from tests.engines.chamsaejak.situations import (
    KEY,
    begin,
    deck,
    discard,
    kinds,
    legal,
    play_out,
    throw,
)


def _won(events: list[Event]) -> list[Won]:
    return [event for event in events if isinstance(event, Won)]


def _false(events: list[Event]) -> list[FalseWin]:
    return [event for event in events if isinstance(event, FalseWin)]


# -- deals -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("first", [0, 1])
def test_an_explicit_deck_is_dealt_in_blocks_from_seat_0(seats: int, first: int) -> None:
    tiles = list(PIECES)
    dealer = Dealer(KEY, decks=[tiles], first=first)
    state, events = GAME.start(GAME.options(), seats, dealer)
    hands = [tiles[5 * seat : 5 * seat + 5] for seat in range(seats)]
    assert isinstance(events[0], Dealt)
    assert events[0].hands == hands
    assert state.dora == tiles[5 * seats]
    assert state.drawn == tiles[5 * seats + 1]
    assert state.seat == first
    stock = list(state.stock)
    assert stock[::-1] == tiles[5 * seats + 2 :]
    assert state.scores == [40] * seats


def test_a_match_takes_one_deck_a_hand_then_shuffles() -> None:
    decks = [list(PIECES), list(PIECES[::-1])]
    dealer = Dealer(KEY, decks=decks, first=0)
    state, _ = GAME.start(GAME.options("standard", {"rounds": 2}), 2, dealer)
    play_out(state, dealer)
    assert (state.round, state.dealer, state.dora) == (2, 1, decks[1][10])
    play_out(state, dealer)
    assert (state.round, state.dealer) == (3, 0)
    assert dealer.deals == 3
    assert len(state.stock) == 44 - 12


@pytest.mark.parametrize(("seats", "rounds"), [(2, 4), (3, 4), (4, 4), (5, 4), (3, 1), (4, 2)])
def test_a_match_has_so_many_dealerships_of_each(seats: int, rounds: int) -> None:
    dealer = Dealer(KEY, first=1)
    state, events = GAME.start(GAME.options("standard", {"rounds": rounds}), seats, dealer)
    dealers = []
    while not state.finished:
        dealers.append(state.dealer)
        events = play_out(state, dealer)
    assert dealers == [(1 + i) % seats for i in range(seats * rounds)]
    assert kinds(events) == ["exhausted", "finished"]
    assert dealer.deals == seats * rounds


# -- wins --------------------------------------------------------------------------------------------
def test_dealers_tsumo_on_the_first_draw() -> None:
    state, dealer = begin(["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C", "1 9 9 9 C"], "8", "7")
    events = GAME.apply(state, 0, TSUMO, dealer)
    assert kinds(events) == ["won", "dealt", "drew"]
    (won,) = _won(events)
    assert (won.points, won.payout) == (5, 7)
    # 7 shared by three is 2.33, rounded to 2.
    assert won.delta == [6, -2, -2, -2]
    assert won.scores == state.scores == [46, 38, 38, 38]
    assert won.tiles == ["5", "5", "5", "7", "7", "7"]
    assert (won.tile, won.discarder) == (None, None)
    assert (state.round, state.dealer, state.seat) == (2, 1, 1)


def test_tsumo_rounding_up() -> None:
    hands = ["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C", "1 9 9 9 C"]
    state, dealer = begin(hands, "8", "7", tsumo_rounding="ceil")
    GAME.apply(state, 0, TSUMO, dealer)
    assert state.scores == [49, 37, 37, 37]


def test_ron_is_paid_by_the_discarder_alone() -> None:
    state, dealer = begin(["1 1 1 F F", "4 6 8 8 8", "2 2 9 9 C"], "C", "5r")
    discard(state, dealer, "5r")
    events = GAME.settle(state, [(1, RON)], dealer)
    (won,) = _won(events)
    assert won.tiles == ["4", "5r", "6", "8", "8", "8"] or won.tiles == [
        "8",
        "8",
        "8",
        "4",
        "5r",
        "6",
    ]
    assert (won.by, won.tile, won.discarder) == ("ron", "5r", 0)
    # A run, a triplet, tanyao, a red tile.
    assert (won.points, won.payout, won.delta) == (5, 5, [-5, 5, 0])
    assert state.scores == [35, 45, 40]


def test_several_rons_of_a_short_discarder() -> None:
    hands = ["4 6 8 8 8", "1 1 1 F F", "4 6 7 7 7", "2 2 9 9 C"]
    state, dealer = begin(hands, "C", "5r", first=1)
    state.scores[:] = [40, 6, 74, 40]
    discard(state, dealer, "5r")
    events = GAME.settle(state, [(2, RON), (0, RON)], dealer)
    assert [(w.seat, w.payout, w.delta) for w in _won(events)] == [
        (2, 5, [0, -5, 5, 0]),
        (0, 5, [1, -1, 0, 0]),
    ]
    assert state.scores == [41, 0, 79, 40]
    assert kinds(events) == ["won", "won", "dealt", "drew"]


def test_play_goes_on_at_no_points() -> None:
    state, dealer = begin(["1 1 1 F F", "4 6 8 8 8", "2 2 9 9 C"], "C", "5r 5 6")
    state.scores[:] = [0, 60, 60]
    discard(state, dealer, "5r")
    (won,) = _won(GAME.settle(state, [(1, RON)], dealer))
    assert won.delta == [0, 0, 0]
    assert GAME.turn(state) == 1


def test_a_dealer_wins_by_ron_with_the_bonus() -> None:
    state, dealer = begin(["4 6 8 8 8", "1 1 1 F F"], "C", "9 5r")
    throw(state, dealer, "9")
    discard(state, dealer, "5r")
    (won,) = _won(GAME.settle(state, [(0, RON)], dealer))
    assert (won.points, won.payout, won.delta) == (5, 7, [7, -7])


def test_all_green_and_the_red_option() -> None:
    hands = ["3 4 F F F", "1 1 1 9 9"]
    state, _ = begin(hands, "C", "2r")
    assert TSUMO not in legal(state, 0)
    state, dealer = begin(hands, "C", "2r", all_green_allows_red=True)
    (won,) = _won(GAME.apply(state, 0, TSUMO, dealer))
    assert (won.points, won.payout, won.parts.yakuman) == (13, 15, "all-green")


# -- the end of the stock ----------------------------------------------------------------------------
def _last_discard(**options: Any) -> tuple[Match, Dealer]:
    """Two seats, the window of the very last discard open: a 5r for which seat 0 waits."""
    hands = ["4 6 8 8 8", "1 1 1 F F"]
    tiles = deck(hands, "C")
    tiles.remove("5r")
    # 33 draws: the dealer's first to seat 0, the last one to seat 0 as well; so seat 1 begins.
    tiles.append("5r")
    dealer = Dealer(KEY, decks=[tiles], first=0)
    state, _ = GAME.start(GAME.options("standard", options), 2, dealer)
    while state.stock:
        throw(state, dealer, state.drawn or "")
    return state, dealer


def test_the_last_discard_can_be_claimed() -> None:
    state, dealer = _last_discard()
    assert state.seat == 0
    state.hands[1] = ["4", "6", "8", "8", "8"]
    state.discards = [state.discards[0], ["1"]]
    discard(state, dealer, "5r")
    assert GAME.offer(state) is not None
    events = GAME.settle(state, [(1, RON)], dealer)
    assert kinds(events) == ["won", "dealt", "drew"]


def test_the_last_discard_without_a_ron_ends_the_hand_unpaid() -> None:
    state, dealer = _last_discard()
    assert kinds(discard(state, dealer, "5r")) == ["discarded"]
    assert state.round == 1
    assert kinds(GAME.settle(state, [], dealer)) == ["exhausted", "dealt", "drew"]
    assert state.scores == [40, 40]
    assert (state.round, state.dealer) == (2, 1)


def test_a_false_ron_on_the_last_discard_pays_and_the_hand_ends() -> None:
    state, dealer = _last_discard(false_win="penalty")
    discard(state, dealer, "5r")
    events = GAME.settle(state, [(1, RON)], dealer)
    assert kinds(events) == ["false_win", "exhausted", "dealt", "drew"]
    assert state.scores == [42, 38]


# -- false wins --------------------------------------------------------------------------------------
def test_after_a_false_tsumo_one_can_only_discard() -> None:
    hands = ["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C"]
    state, dealer = begin(hands, "8", "9", false_win="penalty")
    assert legal(state, 0)[0] == TSUMO
    events = GAME.apply(state, 0, TSUMO, dealer)
    (false,) = _false(events)
    assert kinds(events) == ["false_win"]
    assert (false.by, false.why, false.points) == ("tsumo", "incomplete", None)
    assert false.tiles == ["5", "5", "5", "7", "7", "9"]
    assert state.scores == false.scores == [36, 42, 42]
    assert GAME.turn(state) == 0
    assert legal(state, 0) == [DISCARDS["5"], DISCARDS["7"], DISCARDS["9"]]
    throw(state, dealer, "9")
    # It bars nothing later.
    throw(state, dealer, state.drawn or "", state.drawn or "")
    assert TSUMO in legal(state, 0)


def test_a_true_tsumo_under_penalty_wins() -> None:
    state, dealer = begin(["5 5 5 7 7", "1 2 3 F F"], "8", "7", false_win="penalty")
    assert kinds(GAME.apply(state, 0, TSUMO, dealer)) == ["won", "dealt", "drew"]


def test_false_rons_pay_first_then_the_true_one_is_paid() -> None:
    # Seat 0 discards; 1 and 3 declare falsely, 2 truly. 0 has nothing but what they pay.
    hands = ["1 1 1 F F", "2 3 9 9 9", "4 6 8 8 8", "1r 2 F F C"]
    state, dealer = begin(hands, "C", "5r", false_win="penalty")
    state.scores[:] = [0, 3, 40, 117]
    discard(state, dealer, "5r")
    assert [GAME.claim(state, seat, RON).valid for seat in (1, 2, 3)] == [False, True, False]
    events = GAME.settle(state, [(1, RON), (2, RON), (3, RON)], dealer)
    assert kinds(events) == ["false_win", "false_win", "won", "dealt", "drew"]
    false = _false(events)
    # Seat 1 has 3: two to seat 2, one to seat 3, nothing for seat 0.
    assert [(f.seat, f.delta) for f in false] == [(1, [0, -3, 2, 1]), (3, [2, 2, 2, -6])]
    (won,) = _won(events)
    assert won.delta == [-2, 0, 2, 0]
    assert state.scores == [0, 2, 46, 112]


def test_a_false_ron_alone_lets_play_go_on() -> None:
    state, dealer = begin(["1 1 1 F F", "2 3 5 5 5", "1r 2 F F C"], "8", "4 9", false_win="penalty")
    discard(state, dealer, "4")
    events = GAME.settle(state, [(1, RON)], dealer)
    assert kinds(events) == ["false_win", "drew"]
    (false,) = _false(events)
    assert (false.why, false.points, false.tile, false.discarder) == ("too_few", 4, "4", 0)
    assert false.tiles == ["2", "3", "4", "5", "5", "5"]
    assert GAME.turn(state) == 1
    assert state.scores == [42, 36, 42]
    assert not state.only_discard


def test_a_barred_ron_is_false_under_penalty() -> None:
    state, dealer = begin(["1 1 F F F", "4 6 8 8 8"], "C", "9 5 5r", false_win="penalty")
    throw(state, dealer, "9", "5")
    discard(state, dealer, "5r")
    (false,) = _false(GAME.settle(state, [(1, RON)], dealer))
    assert (false.why, false.points, false.delta) == ("own_discard", 5, [2, -2])


# -- the end of the match ----------------------------------------------------------------------------
def test_hands_of_a_finished_match_are_those_of_its_last_hand() -> None:
    decks = [
        deck(["1 1 1 F F", "4 6 8 8 8"], "C"),
        deck(["4 6 8 8 8", "1 1 1 F F"], "C", "5r"),
    ]
    dealer = Dealer(KEY, decks=decks, first=0)
    state, _ = GAME.start(GAME.options("standard", {"rounds": 1}), 2, dealer)
    play_out(state, dealer)
    discard(state, dealer, "5r")
    events = GAME.settle(state, [(0, RON)], dealer)
    assert kinds(events) == ["won", "finished"]
    assert GAME.hands(state) == [["4", "6", "8", "8", "8"], ["1", "1", "1", "F", "F"]]
    assert GAME.outcome(state).scores == [45, 35]
    assert GAME.outcome(state).places == [1, 2]
    assert events[-1] == Finished(scores=[45, 35], places=[1, 2])


def test_a_drawn_tile_is_in_the_hand() -> None:
    state, _ = begin(["5 5 5 7 7", "1 2 3 F F"], "8", "7r")
    assert GAME.hands(state)[0] == ["5", "5", "5", "7", "7", "7r"]


def test_equal_points_share_a_place() -> None:
    state, _ = begin(["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C", "1 9 9 9 C"], "8", "7")
    state.scores[:] = [50, 35, 35, 40]
    state.finished = True
    assert GAME.outcome(state).places == [1, 3, 3, 2]
    state.scores[:] = [50, 50, 30, 30]
    assert GAME.outcome(state).places == [1, 1, 3, 3]


def test_points_are_conserved_over_a_match() -> None:
    dealer = Dealer(KEY)
    state, _ = GAME.start(GAME.options("standard", {"false_win": "penalty"}), 4, dealer)
    totals = [sum(state.scores)]
    while not state.finished:
        seat = GAME.turn(state)
        if seat is None:
            GAME.settle(state, [(s, RON) for s in range(4) if s != state.seat], dealer)
        else:
            GAME.apply(state, seat, legal(state, seat)[0], dealer)
        totals.append(sum(state.scores))
    assert all(a == b for a, b in pairwise(totals))
