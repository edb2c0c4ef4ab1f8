from __future__ import annotations

from typing import Any

import pytest

from engines.kit.contract import Action, Decline, Refused
from engines.kit.dealer import Dealer
from engines.peeper import GAME
from engines.peeper.claims import variants
from engines.peeper.messages import Mine, Pass, Play, Return
from engines.peeper.state import State
from tests.engines.peeper.tables import table, tiles


def single(tile: str, *others: str, **options: Any) -> State:
    """Seat 0 has just led a single; he keeps a 9."""
    state = table([f"{tile} 9", *others], **options)
    GAME.apply(state, 0, Play(tiles(tile)), Dealer(b"k"))
    return state


def mined(*hands: str, **options: Any) -> State:
    """Seat 1 has just mined seat 0's 5."""
    state = table(hands, **options)
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    GAME.settle(state, [(1, Mine(["5", "5"]))], Dealer(b"k"))
    return state


def rule(state: State, seat: int, action: Action) -> str:
    with pytest.raises(Refused) as refused:
        GAME.claim(state, seat, action)
    return refused.value.rule


# -- offers --------------------------------------------------------------------------------------------
def test_every_single_that_is_not_the_last_tile_opens_a_window() -> None:
    offer = GAME.offer(single("5", "1 2", "3 4", claim_ms=700))
    assert offer is not None
    assert (offer.kinds, offer.opener, offer.claim_ms) == (("mine",), 0, 700)
    assert (offer.ends, offer.wins, offer.beside) == ("next_action", "one", True)
    assert offer.legal == (Mine(["5", "5"]), Decline())


def test_the_offer_is_the_same_whatever_anybody_holds() -> None:
    assert GAME.offer(single("5", "5 5 2", "3 4")) == GAME.offer(single("5", "X 6 2", "8 9"))


def test_variants_of_a_one_name_the_red_tile() -> None:
    assert variants("mine", 1, False) == (Mine(["1", "1"]), Mine(["1r", "1"]), Decline())
    assert variants("return", 1, False) == (Return(["1r"]), Return(["1"]), Decline())
    assert variants("mine", 1, True)[2:4] == (Mine(["1r", "X"]), Mine(["1", "X"]))


def test_variants_with_an_x_need_the_option_and_a_number() -> None:
    assert variants("mine", 5, True) == (Mine(["5", "5"]), Mine(["5", "X"]), Decline())
    assert variants("mine", 16, True) == (Mine(["X", "X"]), Decline())
    assert variants("return", 16, True) == (Return(["X"]), Decline())


def test_only_singles_and_mines_open_windows() -> None:
    state = table(["5 5 1", "6 6 1"])
    assert GAME.offer(state) is None
    GAME.apply(state, 0, Play(["5", "5"]), Dealer(b"k"))
    assert GAME.offer(state) is None


def test_a_mine_opens_the_window_for_its_return() -> None:
    offer = GAME.offer(mined("5 9", "5 5 2", "3 4"))
    assert offer is not None
    assert (offer.kinds, offer.opener) == (("return",), 1)
    assert offer.legal == (Return(["5"]), Decline())


@pytest.mark.parametrize("action", [Pass(), Play(["7"])])
def test_a_turn_action_ends_the_chance(action: Action) -> None:
    state = single("5", "7 8", "5 5 2")
    GAME.apply(state, 1, action, Dealer(b"k"))
    offer = GAME.offer(state)
    assert offer is None or offer.opener == 1
    assert rule(state, 0, Mine(["5", "5"])) in ("too_late", "not_held")
    assert not GAME.can(state, 2)


def test_settling_without_a_claim_lapses_the_chance_silently() -> None:
    state = single("5", "7 8", "5 5 2")
    before = GAME.view(state, None)
    assert GAME.settle(state, [], Dealer(b"k")) == []
    assert GAME.offer(state) is None
    assert GAME.view(state, None) == before
    with pytest.raises(Refused) as refused:
        GAME.settle(state, [], Dealer(b"k"))
    assert refused.value.code == "claim_closed"


# -- who can, and what is refused --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("single_tile", "hand", "wild", "possible"),
    [
        ("5", "5 5 2", False, True),
        ("5", "5 2 3", False, False),
        ("5", "5 X 3", False, False),
        ("5", "5 X 3", True, True),
        ("5", "X X 3", True, False),
        ("1", "1r 1 3", False, True),
        ("1r", "1 1 3", False, True),
        ("1", "1r X 3", True, True),
        ("X", "X X 3", False, True),
        ("X", "X 5 5", True, False),
    ],
)
def test_who_can_mine(single_tile: str, hand: str, wild: bool, possible: bool) -> None:
    state = single(single_tile, "7 8", hand, wild_mine=wild)
    assert GAME.can(state, 2) is possible
    assert not GAME.can(state, 0)


def test_who_can_return() -> None:
    state = mined("5 5 9", "5 5 5 2", "5 4", "X 3")
    assert [GAME.can(state, seat) for seat in range(4)] == [True, False, True, False]


@pytest.mark.parametrize(
    ("seat", "action", "broken"),
    [
        (0, Mine(["5", "5"]), "own_single"),
        (2, Return(["5"]), "nothing_to_return"),
        (2, Mine(["6", "6"]), "mine_number"),
        (2, Mine(["5", "6"]), "mine_number"),
        (2, Mine(["5", "X"]), "mine_wild"),
        (2, Mine(["5"]), "mine_two"),
        (2, Mine(["5", "5", "5"]), "mine_two"),
        (2, Mine([]), "mine_two"),
        (1, Mine(["5", "5"]), "not_held"),
        (1, Pass(), "no_claim"),
        (1, Play(["7"]), "no_claim"),
        (1, Decline(), "no_claim"),
    ],
)
def test_what_a_mine_window_refuses(seat: int, action: Action, broken: str) -> None:
    state = single("5", "7 8", "5 5 5 6 6 X")
    assert rule(state, seat, action) == broken


@pytest.mark.parametrize(
    ("seat", "action", "broken"),
    [
        (1, Return(["5"]), "own_mine"),
        (2, Return(["4"]), "return_number"),
        (2, Return(["X"]), "return_number"),
        (2, Return(["5", "4"]), "return_one"),
        (3, Return(["5"]), "not_held"),
        (2, Mine(["4", "4"]), "mine_on_mine"),
    ],
)
def test_what_a_return_window_refuses(seat: int, action: Action, broken: str) -> None:
    state = mined("5 9", "5 5 5 2", "5 4 4 X", "3 3")
    assert rule(state, seat, action) == broken


def test_nothing_can_be_claimed_after_the_match() -> None:
    state = table(["5", "5 5"])
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert rule(state, 1, Mine(["5", "5"])) == "match_over"


def test_judging_changes_nothing() -> None:
    state = single("5", "7 8", "5 5 2")
    before = GAME.view(state, 2)
    assert GAME.claim(state, 2, Mine(["5", "5"])).rank == 0
    assert GAME.view(state, 2) == before


def test_a_pair_with_an_x_ranks_behind_a_natural_one() -> None:
    state = single("5", "5 X 8", "5 5 2", wild_mine=True)
    assert GAME.claim(state, 1, Mine(["X", "5"])).rank == 1
    assert GAME.claim(state, 2, Mine(["5", "5"])).rank == 0


# -- standing orders -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "orders",
    [
        {},
        {"mine": "all"},
        {"mine": ["7", "X"], "return": ["1"], "decline": ["mine", "return"]},
        {"mine": [], "return": None},
    ],
)
def test_orders_that_are_known(orders: dict[str, Any]) -> None:
    GAME.check_orders(orders)


@pytest.mark.parametrize(
    ("orders", "broken"),
    [
        ({"ron": "auto"}, "unknown_order"),
        ({"mine": ["16"]}, "number_order"),
        ({"mine": 7}, "number_order"),
        ({"return": [7]}, "number_order"),
        ({"return": "some"}, "number_order"),
        ({"decline": "all"}, "decline_order"),
        ({"decline": ["pass"]}, "decline_order"),
    ],
)
def test_orders_that_are_refused(orders: dict[str, Any], broken: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.check_orders(orders)
    assert refused.value.rule == broken


@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        ({"mine": ["5"]}, Mine(["5", "5"])),
        ({"mine": "all"}, Mine(["5", "5"])),
        ({"mine": ["6"]}, None),
        ({"mine": ["6"], "decline": ["mine"]}, Decline()),
        ({"mine": ["5"], "decline": ["mine"]}, Mine(["5", "5"])),
        ({"return": ["5"], "decline": ["return"]}, None),
        ({"mine": None, "decline": None}, None),
    ],
)
def test_what_orders_answer_to_a_single(orders: dict[str, Any], answer: Action | None) -> None:
    state = single("5", "7 8", "5 5 2")
    assert GAME.standing(state, 2, orders) == answer


def test_orders_answer_only_where_the_tiles_are_there() -> None:
    state = single("5", "5 X 8", "5 5 2", wild_mine=True)
    assert GAME.standing(state, 1, {"mine": "all"}) is None
    assert GAME.standing(state, 0, {"mine": "all", "decline": ["mine"]}) is None
    assert GAME.standing(single("1", "3 4", "1r 1 2"), 2, {"mine": ["1"]}) == Mine(["1r", "1"])


def test_orders_answer_a_mine_with_a_return() -> None:
    state = mined("5 9", "5 5 2", "5 4")
    assert GAME.standing(state, 2, {"return": "all"}) == Return(["5"])
    assert GAME.standing(state, 0, {"return": "all", "decline": ["return"]}) == Decline()
