"""The auction: who speaks, what is higher, when it is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kit.contract import Refused
from engines.pepper.auction import Auction, call, check, higher, ladder, opened, stuck
from engines.pepper.messages import Bid, PepperOptions

STANDARD = PepperOptions()
LOCKS = PepperOptions(pass_locks_out=True)
STICK = PepperOptions(all_pass="stick_dealer")


def held(
    *calls: Bid | None, seats: int = 4, dealer: int = 0, options: PepperOptions = STANDARD
) -> Auction:
    """An auction after these calls, each of them checked."""
    auction = opened(dealer, seats)
    for bid in calls:
        check(auction, options, bid)
        call(auction, options, bid)
    return auction


def test_ladders() -> None:
    assert ladder(4) == (1, 2, 3, 4, 5, "small", "big")
    assert ladder(3) == ladder(2) == (1, 2, 3, 4, 5, 6, 7, "small", "big")


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (3, 0)])
def test_the_seat_after_the_dealer_begins(dealer: int, first: int) -> None:
    assert opened(dealer, 4).turn == first


def test_bids_rise_strictly() -> None:
    auction = held(3)
    assert higher(auction) == (4, 5, "small", "big")
    for bid in (1, 3):
        with pytest.raises(Refused) as caught:
            check(auction, STANDARD, bid)
        assert caught.value.rule == "not_higher"
    with pytest.raises(Refused):
        check(held("small"), STANDARD, 5)
    check(held("small"), STANDARD, "big")


@pytest.mark.parametrize(("seats", "bid"), [(4, 6), (4, 7), (3, 8), (4, 0), (2, -1), (2, 10**30)])
def test_there_is_no_such_bid(seats: int, bid: int) -> None:
    with pytest.raises(Refused) as caught:
        check(opened(0, seats), STANDARD, bid)
    assert caught.value.rule == "no_such_bid"


def test_a_pass_is_not_final() -> None:
    auction = held(None, 2, None, None, None, options=STANDARD)
    assert (auction.turn, auction.by) == (None, 2)
    auction = held(None, 2, None, None, 3)
    assert (auction.turn, auction.by, auction.best) == (2, 1, 3)


def test_a_locked_out_player_is_not_asked_again() -> None:
    auction = held(None, 2, None, options=LOCKS)
    assert auction.turn == 0
    auction = held(None, 2, None, 3, options=LOCKS)
    assert auction.turn == 2
    auction = held(None, 2, None, 3, None, options=LOCKS)
    assert (auction.turn, auction.by) == (None, 0)


def test_a_bid_after_all_others_passed_ends_a_locked_auction() -> None:
    auction = held(None, None, None, 1, options=LOCKS)
    assert (auction.turn, auction.by, auction.best) == (None, 0, 1)
    assert held(None, None, None, 1).turn == 1


@pytest.mark.parametrize("options", [STANDARD, LOCKS])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_pass(seats: int, options: PepperOptions) -> None:
    auction = held(*[None] * seats, seats=seats, options=options)
    assert (auction.turn, auction.best) == (None, None)


@pytest.mark.parametrize("locks", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_stuck_dealer_must_bid(seats: int, locks: bool) -> None:
    options = PepperOptions(all_pass="stick_dealer", pass_locks_out=locks)
    auction = held(*[None] * (seats - 1), seats=seats, options=options)
    assert stuck(auction, options)
    with pytest.raises(Refused) as caught:
        check(auction, options, None)
    assert caught.value.rule == "stuck_dealer"
    call(auction, options, 2)
    assert auction.turn == (None if locks else 1)


def test_a_dealer_is_not_stuck_behind_a_bid() -> None:
    auction = held(None, 2, None, options=STICK)
    check(auction, STICK, None)
    assert not stuck(auction, STICK)


def test_big_pepper_ends_it_at_once() -> None:
    assert held(1, None, "big").turn is None


@given(
    st.integers(2, 4),
    st.booleans(),
    st.sampled_from(["next_dealer", "stick_dealer"]),
    st.data(),
)
def test_every_auction_ends_with_its_last_bid(
    seats: int, locks: bool, all_pass: str, data: st.DataObject
) -> None:
    options = PepperOptions(pass_locks_out=locks, all_pass=all_pass)  # type: ignore[arg-type]  # sampled
    auction = opened(data.draw(st.integers(0, seats - 1)), seats)
    while auction.turn is not None:
        choices: list[Bid | None] = [None, None, *higher(auction)]
        if stuck(auction, options):
            choices = [*higher(auction)]
        bid = data.draw(st.sampled_from(choices))
        check(auction, options, bid)
        call(auction, options, bid)
    bids = [(made.seat, made.bid) for made in auction.calls if made.bid is not None]
    assert (auction.by, auction.best) == (bids[-1] if bids else (None, None))
    places = [ladder(seats).index(bid) for _, bid in bids]
    assert places == sorted(set(places))
    if not bids:
        assert (len(auction.calls), all_pass) == (seats, "next_dealer")
    elif auction.best != "big":
        others = {made.seat for made in auction.calls if made.bid is None} - {auction.by}
        assert len(others) == seats - 1
