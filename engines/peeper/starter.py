"""Who starts a round (rules/peeper: Who starts)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.dealer import Dealer
from engines.peeper.messages import Flip, StarterFound
from engines.peeper.tiles import NUMBER, RED, Tile


def search(hands: Sequence[Sequence[Tile]], unused: Sequence[Tile]) -> StarterFound:
    """The search as far as the tiles decide it; with `lots` filled, one of those starts by lot.

    The seat of an undecided search is the first of the lots.
    """
    ones = [seat for seat, hand in enumerate(hands) if RED in hand or "1" in hand]
    for seat in ones:
        if RED in hands[seat]:
            return StarterFound(seat, "red_one")
    if len(ones) == 1:
        return StarterFound(ones[0], "only_one")
    flipping = ones or list(range(len(hands)))
    if len(unused) < len(flipping):
        return StarterFound(flipping[0], "lots", [], flipping)
    flips = [Flip(seat, tile) for seat, tile in zip(flipping, unused, strict=False)]
    highest = max(NUMBER[flip.tile] for flip in flips)
    best = [flip.seat for flip in flips if NUMBER[flip.tile] == highest]
    if len(best) == 1:
        return StarterFound(best[0], "flips", flips)
    return StarterFound(best[0], "lots", flips, best)


def find(hands: Sequence[Sequence[Tile]], unused: Sequence[Tile], dealer: Dealer) -> StarterFound:
    """The starter, lots drawn where the tiles leave it open."""
    found = search(hands, unused)
    if not found.lots:
        return found
    return StarterFound(dealer.lot(found.lots), "lots", found.flips, found.lots)
