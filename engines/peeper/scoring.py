"""Places and points of a round (rules/peeper: End of a round, match)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal


def places(
    counts: Sequence[int],
    sums: Sequence[int],
    rank_by: Literal["count", "sum"],
    tie: Literal["shared", "sum"],
) -> list[int]:
    """1 for the player who went out, the others by what they have left; equals share the better place."""
    keys: list[tuple[int, int]]
    if rank_by == "sum":
        keys = [(total, 0) for total in sums]
    elif tie == "sum":
        keys = list(zip(counts, sums, strict=True))
    else:
        keys = [(count, 0) for count in counts]
    return [1 + sum(other < key for other in keys) for key in keys]


def points(places: Sequence[int]) -> list[int]:
    """n for the first of n players, one less a place."""
    return [len(places) + 1 - place for place in places]
