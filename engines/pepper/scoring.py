"""Sides, points, the end of the match, the next dealer (rules/pepper: Table, Scoring)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.contract import places
from engines.pepper.messages import Bid, PepperOptions

_SIDES = {2: [0, 1], 3: [0, 1, 2], 4: [0, 1, 0, 1]}


def sides(seats: int) -> list[int]:
    """The side of each seat, the same list every time: at four seats 0, 2 against 1, 3, else everybody alone."""
    return _SIDES[seats]


def by_seat(values: Sequence[int], seats: int) -> list[int]:
    """A value a side, written out a seat."""
    return [*values, *values] if seats == 4 else list(values)


def hand_size(seats: int) -> int:
    """Cards a seat: 6 at four seats, else 8."""
    return 6 if seats == 4 else 8


def hand_points(seats: int, bid: Bid, declarer: int, taken: Sequence[int]) -> list[int]:
    """The points of a hand, a side. declarer: the side. taken: tricks, a side."""
    all_tricks = hand_size(seats)
    points = list(taken)
    if not made(seats, bid, taken[declarer]):
        points[declarer] = -all_tricks
    if bid == "big":
        points[declarer] = 2 * all_tricks if taken[declarer] == all_tricks else -2 * all_tricks
    return points


def made(seats: int, bid: Bid, taken: int) -> bool:
    """Whether so many tricks keep the contract."""
    return taken >= (bid if isinstance(bid, int) else hand_size(seats))


def winning_sides(scores: Sequence[int], target: int) -> list[int] | None:
    """The sides with the highest score once one has the target, None before."""
    best = max(scores)
    return [side for side, score in enumerate(scores) if score == best] if best >= target else None


def seat_places(scores: Sequence[int], seats: int) -> list[int]:
    """Places a seat; they count sides, so a beaten side of two is second."""
    return by_seat(places(scores), seats)


def next_dealer(options: PepperOptions, dealer: int, seats: int, thrown_in: bool) -> int:
    """Clockwise; the same again only after a thrown-in hand with `same_dealer`."""
    if thrown_in and options.all_pass == "same_dealer":
        return dealer
    return (dealer + 1) % seats
