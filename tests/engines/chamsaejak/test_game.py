"""Who may do what, and when: turns, windows, refusals."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DECLINE, DISCARDS, RON, TSUMO
from engines.chamsaejak.state import Match
from engines.kit.contract import Action, Refused
from engines.kit.dealer import Dealer
from tests.engines.chamsaejak.situations import (
    KEY,
    begin,
    deck,
    discard,
    kinds,
    legal,
    throw,
)

# Seat 0 completes 555 777 by its first draw (5 points); seat 1 waits for 5r with 4 6 888 (5 points);
# seat 2 waits for it, too, with 3 4 999, and has only 3 + 1 = 4 points.
HANDS = ["5 5 5 7 7", "4 6 8 8 8", "3 4 9 9 9", "1 2 F F C"]


def _table(
    draws: str = "7", dora: str = "C", first: int = 0, **options: Any
) -> tuple[Match, Dealer]:
    return begin(HANDS, dora, draws, first, **options)


def _refusal(state: Match, seat: int, action: Action) -> Refused:
    """The refusal of a turn action, which must leave no trace."""
    before = msgspec.msgpack.encode(state)
    dealer = Dealer(KEY)
    with pytest.raises(Refused) as caught:
        GAME.apply(state, seat, action, dealer)
    with pytest.raises(Refused) as checked:
        GAME.check(state, seat, action)
    assert msgspec.msgpack.encode(state) == before
    assert dealer == Dealer(KEY)
    assert caught.value.rule == checked.value.rule
    return caught.value


def _claim_refusal(state: Match, seat: int) -> Refused:
    before = msgspec.msgpack.encode(state)
    with pytest.raises(Refused) as caught:
        GAME.claim(state, seat, RON)
    with pytest.raises(Refused):
        GAME.settle(state, [(seat, RON)], Dealer(KEY))
    assert msgspec.msgpack.encode(state) == before
    return caught.value


# -- turns -------------------------------------------------------------------------------------------
def test_dealer_draws_with_the_deal_and_begins() -> None:
    for first in range(4):
        state, _ = _table(first=first)
        assert GAME.turn(state) == first
        assert state.dealer == first
        assert [len(hand) for hand in state.hands] == [6 if s == first else 5 for s in range(4)]


def test_legal_actions_are_a_tsumo_and_one_discard_of_each_kind() -> None:
    state, _ = _table()
    assert legal(state, 0) == [TSUMO, DISCARDS["5"], DISCARDS["7"]]
    assert legal(state, 1) == []
    few = GAME.legal(state, 0, 2)
    assert few.actions == [TSUMO, DISCARDS["5"]]
    assert few.more


def test_no_tsumo_is_listed_where_it_is_none() -> None:
    state, _ = _table("8r")
    assert legal(state, 0) == [DISCARDS["5"], DISCARDS["7"], DISCARDS["8r"]]
    assert _refusal(state, 0, TSUMO).rule == "incomplete"


def test_tsumo_under_five_points_is_refused_with_its_points() -> None:
    state, _ = begin(["2 3 5 5 5", "1 1 1 F F"], "9", "4")
    refused = _refusal(state, 0, TSUMO)
    assert (refused.rule, refused.params) == ("too_few", {"points": 4, "enough": 5})


def test_the_dealers_bonus_does_not_help_to_reach_five_points() -> None:
    state, _ = begin(["2 3 4 5 6", "1 1 1 F F"], "9", "7", first=0)
    assert _refusal(state, 0, TSUMO).params["points"] == 3


def test_default_is_the_tile_just_drawn() -> None:
    for draw in ("1r", "7", "C"):
        state, _ = _table(draw)
        assert GAME.default(state, 0) == DISCARDS[draw]


def test_other_seats_and_tiles_that_are_not_held_are_refused() -> None:
    state, _ = _table()
    assert _refusal(state, 1, DISCARDS["4"]).code == "not_your_turn"
    assert _refusal(state, 0, DISCARDS["9"]).rule == "not_in_hand"
    assert _refusal(state, 0, DISCARDS["5r"]).rule == "not_in_hand"
    assert _refusal(state, 0, RON).rule == "no_window"
    assert _refusal(state, 0, DECLINE).rule == "no_window"


def test_explain_names_the_discard_or_the_rule() -> None:
    state, _ = _table()
    assert GAME.explain(state, 0, ["7"]).actions == [DISCARDS["7"]]
    for pieces, rule in (
        ([], "one_tile"),
        (["5", "5"], "one_tile"),
        (["X"], "no_such_tile"),
        (["9"], "not_in_hand"),
    ):
        with pytest.raises(Refused) as caught:
            GAME.explain(state, 0, pieces)
        assert caught.value.rule == rule


# -- windows -----------------------------------------------------------------------------------------
def test_every_discard_opens_the_same_window() -> None:
    state, dealer = _table(claim_ms=900)
    for _ in range(8):
        assert GAME.offer(state) is None
        seat = GAME.turn(state)
        assert seat is not None
        GAME.apply(state, seat, GAME.default(state, seat), dealer)
        offer = GAME.offer(state)
        assert offer is not None
        assert (offer.kinds, offer.legal) == (("ron",), (RON, DECLINE))
        assert (offer.claim_ms, offer.ends, offer.wins) == (900, "deadline", "all")
        assert offer.opener == seat
        assert not offer.beside
        GAME.settle(state, [], dealer)
        assert GAME.turn(state) == (seat + 1) % 4


def test_no_turn_stands_while_a_window_is_open() -> None:
    state, dealer = _table()
    discard(state, dealer, "5")
    assert GAME.turn(state) is None
    for seat in range(4):
        assert legal(state, seat) == []
        for action in (DISCARDS["4"], TSUMO):
            refused = _refusal(state, seat, action)
            assert (refused.rule, refused.code) == ("window_open", "not_your_turn")
    with pytest.raises(Refused):
        GAME.default(state, 1)


def test_ron_needs_a_window_and_another_ones_discard() -> None:
    for option in ("refuse", "penalty"):
        state, dealer = _table(false_win=option)
        refused = _claim_refusal(state, 1)
        assert (refused.rule, refused.code) == ("no_window", "claim_closed")
        discard(state, dealer, "5")
        assert _claim_refusal(state, 0).rule == "own_tile"
        assert state.scores == [40, 40, 40, 40]


def test_decline_is_no_claim() -> None:
    state, dealer = _table()
    discard(state, dealer, "5")
    with pytest.raises(Refused) as caught:
        GAME.claim(state, 1, DECLINE)
    assert caught.value.rule == "not_a_claim"


def test_who_can_ron_and_why_the_others_cannot() -> None:
    state, dealer = _table("5r")
    assert not any(GAME.can(state, seat) for seat in range(4))
    discard(state, dealer, "5r")
    assert [GAME.can(state, seat) for seat in range(4)] == [False, True, False, False]
    assert GAME.claim(state, 1, RON).valid
    assert _claim_refusal(state, 2).params == {"points": 4, "enough": 5}
    assert _claim_refusal(state, 3).rule == "incomplete"


def test_own_discards_bar_a_ron_whatever_their_colour() -> None:
    # Seat 1 has thrown the plain 5 before the red one comes.
    state, dealer = begin(["1 1 F F F", "4 6 8 8 8"], "C", "9 5 5r 9")
    throw(state, dealer, "9", "5")
    assert state.hands[1] == ["4", "6", "8", "8", "8"]
    discard(state, dealer, "5r")
    assert not GAME.can(state, 1)
    assert _claim_refusal(state, 1).rule == "own_discard"


def test_own_discards_of_an_earlier_hand_bar_nothing() -> None:
    decks = [
        deck(["1 1 F F F", "4 6 8 8 8"], "C", "9 5"),
        deck(["1 1 F F F", "4 6 8 8 8"], "C", "9 5r"),
    ]
    dealer = Dealer(KEY, decks=decks, first=0)
    state, _ = GAME.start(GAME.options("standard", {"rounds": 1}), 2, dealer)
    throw(state, dealer, "9", "5")
    while state.round == 1:
        seat = GAME.turn(state)
        assert seat is not None
        throw(state, dealer, state.drawn or "")
    assert state.dealer == 1
    throw(state, dealer, "9")
    discard(state, dealer, "5r")
    assert GAME.can(state, 1)


def test_a_waits_other_tiles_stay_open_and_tsumo_always() -> None:
    # 2 3 waits for 1 and 4; a 1 lies among the own discards.
    state, dealer = begin(["F F F 9 9", "2 3 5 5 5"], "C", "9 1 4r 9r 1r")
    throw(state, dealer, "9", "1")
    discard(state, dealer, "4r")
    assert GAME.can(state, 1)
    GAME.settle(state, [], dealer)
    throw(state, dealer, "9r")
    # Declining barred nothing, and the face of an own discard may be drawn.
    discard(state, dealer, "1r")
    assert not GAME.can(state, 1)


def test_tsumo_with_the_face_of_an_own_discard() -> None:
    state, dealer = begin(["5 5 7 7 7", "1 1 F F F"], "C", "5 9 5r")
    throw(state, dealer, "5", "9")
    assert state.drawn == "5r"
    assert TSUMO in legal(state, 0)


def test_the_window_closes_with_the_next_draw() -> None:
    state, dealer = _table("5r 1")
    discard(state, dealer, "5r")
    GAME.settle(state, [], dealer)
    assert not GAME.can(state, 1)
    assert _claim_refusal(state, 1).rule == "no_window"
    with pytest.raises(Refused):
        GAME.settle(state, [], dealer)


# -- standing orders ---------------------------------------------------------------------------------
def test_standing_orders() -> None:
    state, dealer = _table("5r")
    discard(state, dealer, "5r")
    assert GAME.standing(state, 1, {"ron": "auto"}) == RON
    assert GAME.standing(state, 3, {"ron": "auto"}) is None
    nothings: list[dict[str, Any]] = [{}, {"ron": None, "decline": None}, {"decline": []}]
    for nothing in nothings:
        assert GAME.standing(state, 1, nothing) is None
    both = {"ron": "auto", "decline": ["ron"]}
    assert GAME.standing(state, 1, both) == RON
    assert GAME.standing(state, 3, both) == DECLINE


def test_standing_orders_are_checked() -> None:
    GAME.check_orders({})
    GAME.check_orders({"ron": "auto", "decline": ["ron"]})
    GAME.check_orders({"ron": None, "decline": []})
    for orders in ({"ron": "always"}, {"mine": ["7"]}, {"decline": ["mine"]}, {"ron": ["auto"]}):
        with pytest.raises(Refused) as caught:
            GAME.check_orders(orders)
        assert caught.value.rule == "no_orders"


# -- after the match ---------------------------------------------------------------------------------
def test_nothing_is_legal_after_the_match() -> None:
    dealer = Dealer(KEY, first=0)
    state, _ = GAME.start(GAME.options("standard", {"rounds": 1}), 2, dealer)
    while not state.finished:
        assert GAME.outcome(state).places == []
        throw(state, dealer, state.drawn or "")
    assert GAME.turn(state) is None
    assert GAME.offer(state) is None
    assert GAME.outcome(state).places == [1, 1]
    for seat in range(2):
        assert legal(state, seat) == []
        for action in (DISCARDS["5"], TSUMO, RON):
            assert _refusal(state, seat, action).code == "match_over"
        assert _claim_refusal(state, seat).code == "match_over"


def test_order_is_counter_clockwise_from_the_seat() -> None:
    state, _ = _table()
    assert GAME.order(state, 2) == [3, 0, 1]


def test_settling_takes_the_nearest_first_in_whatever_order_they_come() -> None:
    hands = ["1 1 1 F F", "4 6 8 8 8", "4 6 7 7 7"]
    one, dealer = begin(hands, "C", "5r")
    two, other = begin(hands, "C", "5r")
    discard(one, dealer, "5r")
    discard(two, other, "5r")
    events = GAME.settle(one, [(1, RON), (2, RON)], dealer)
    assert events == GAME.settle(two, [(2, RON), (1, RON)], other)
    assert kinds(events)[:2] == ["won", "won"]
