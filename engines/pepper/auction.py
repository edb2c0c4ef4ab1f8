"""The auction (rules/pepper: Bidding)."""

from __future__ import annotations

from msgspec import Struct

from engines.kit.contract import Refused
from engines.pepper.messages import Bid, Call, PepperOptions


class Auction(Struct):
    """An auction under way.

    turn: the seat to speak, None when the auction is over. best, by: the highest bid and its seat.
    run: passes in a row. out: seats that passed and, with `pass_locks_out`, are not asked again.
    """

    dealer: int
    seats: int
    turn: int | None
    calls: list[Call]
    best: Bid | None = None
    by: int | None = None
    run: int = 0
    out: list[int] = []


def opened(dealer: int, seats: int) -> Auction:
    """A new auction; the seat after the dealer speaks first."""
    return Auction(dealer, seats, (dealer + 1) % seats, [])


def ladder(seats: int) -> tuple[Bid, ...]:
    """All bids, lowest first."""
    return (*range(1, 6 if seats == 4 else 8), "small", "big")


def stuck(auction: Auction, options: PepperOptions) -> bool:
    """Whether the seat to speak is the dealer, who must bid because all others have passed."""
    return (
        options.all_pass == "stick_dealer"
        and auction.turn == auction.dealer
        and auction.best is None
    )


def higher(auction: Auction) -> tuple[Bid, ...]:
    """The bids that are still possible, lowest first."""
    steps = ladder(auction.seats)
    return steps if auction.best is None else steps[steps.index(auction.best) + 1 :]


def check(auction: Auction, options: PepperOptions, bid: Bid | None) -> None:
    """Raise Refused unless the seat to speak may call this; None is a pass."""
    if bid is None:
        if stuck(auction, options):
            raise Refused("stuck_dealer")
    elif bid not in ladder(auction.seats):
        raise Refused("no_such_bid", bid=bid, most=ladder(auction.seats)[-3])
    elif bid not in higher(auction):
        raise Refused("not_higher", bid=bid, best=auction.best)


def call(auction: Auction, options: PepperOptions, bid: Bid | None) -> None:
    """Make a call that was checked: change the auction in place."""
    seat = auction.turn
    assert seat is not None
    auction.calls = [*auction.calls, Call(seat, bid)]
    if bid is None:
        auction.run += 1
        auction.out = [*auction.out, seat]
    else:
        auction.best, auction.by, auction.run = bid, seat, 0
    auction.turn = _next(auction, options, seat)


def _next(auction: Auction, options: PepperOptions, seat: int) -> int | None:
    if auction.best == "big":
        return None
    passes_to_end = auction.seats if auction.best is None else auction.seats - 1
    if not options.pass_locks_out:
        return None if auction.run == passes_to_end else (seat + 1) % auction.seats
    if len(auction.out) == passes_to_end:
        return None
    after = ((seat + step) % auction.seats for step in range(1, auction.seats + 1))
    return next(seat for seat in after if seat not in auction.out)
