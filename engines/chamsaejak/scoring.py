"""What six tiles are worth. Rules: chamsaejak, "A hand" and its table of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Final, Literal

import msgspec

from engines.chamsaejak.tiles import COPIES, FACES, NUMBERS, ORDER, RED, face

Yakuman = Literal["all-green", "chinyao", "super-red"]

ENOUGH: Final = 5
"""The points that a win needs, before the dealer's bonus."""
DEALER_BONUS: Final = 2
YAKUMAN_POINTS: Final[dict[str, int]] = {"all-green": 10, "chinyao": 15, "super-red": 20}

_RUN, _TRIPLET, _TANYAO, _CHANTA = 1, 2, 1, 2
_INNER: Final = frozenset("2345678")
_OUTER: Final = frozenset("19FC")
_GREEN: Final = frozenset("23468F")


class Shape(msgspec.Struct, frozen=True):
    """A complete hand by its faces alone: its two sets, their points, and what the faces earn.

    tanyao is what an all green hand earns where a red tile spoils it.
    """

    sets: tuple[str, str]
    base: int
    tanyao: int
    chanta: int
    yakuman: Yakuman | None


class Parts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the points of a complete hand come from, the dealer's bonus not among them."""

    base: int
    dora: int = 0
    red: int = 0
    tanyao: int = 0
    chanta: int = 0
    yakuman: Yakuman | None = None
    yakuman_points: int = 0

    @property
    def points(self) -> int:
        """The sum of all parts."""
        return self.base + self.dora + self.red + self.tanyao + self.chanta + self.yakuman_points


def _shape(first: str, second: str) -> Shape:
    faces = frozenset(first + second)
    yakuman: Yakuman | None = None
    if faces <= _GREEN:
        yakuman = "all-green"
    elif faces <= _OUTER:
        yakuman = "chinyao"
    # No colour can spoil a chinyao, so it replaces its chanta here already.
    mixed = yakuman != "chinyao"
    return Shape(
        sets=(first, second),
        base=sum(_TRIPLET if len(set(s)) == 1 else _RUN for s in (first, second)),
        tanyao=_TANYAO if faces <= _INNER else 0,
        chanta=_CHANTA if mixed and all(_OUTER.intersection(s) for s in (first, second)) else 0,
        yakuman=yakuman,
    )


def _shapes() -> Iterator[tuple[str, Shape]]:
    triplets = [f * 3 for f in FACES]
    runs = [NUMBERS[i : i + 3] for i in range(len(NUMBERS) - 2)]
    for first, second in combinations_with_replacement(triplets + runs, 2):
        faces = "".join(sorted(first + second))
        if all(faces.count(f) <= COPIES for f in faces):
            yield faces, _shape(first, second)


SHAPES: Final[dict[str, Shape]] = dict(_shapes())
"""The 160 complete hands by their sorted faces; no two pairs of sets have the same faces."""


def shape(tiles: Sequence[str]) -> Shape | None:
    """The two sets that six tiles make, or None where they are not complete."""
    return SHAPES.get("".join(sorted([tile[0] for tile in tiles])))


def score(
    tiles: Sequence[str], dora: str | None = None, all_green_allows_red: bool = False
) -> Parts | None:
    """The points of six tiles, or None where they are not complete.

    dora: the tile turned up, matched by face. A yakuman replaces everything but the sets' points.
    """
    found = shape(tiles)
    if found is None:
        return None
    reds = sum(tile in RED for tile in tiles)
    yakuman = found.yakuman
    if reds == len(tiles):
        yakuman = "super-red"
    elif yakuman == "all-green" and reds and not all_green_allows_red:
        yakuman = None
    if yakuman is not None:
        return Parts(base=found.base, yakuman=yakuman, yakuman_points=YAKUMAN_POINTS[yakuman])
    return Parts(
        base=found.base,
        dora=sum(tile[0] == face(dora) for tile in tiles) if dora else 0,
        red=reds,
        tanyao=found.tanyao,
        chanta=found.chanta,
    )


def set_by_set(tiles: Sequence[str]) -> list[str]:
    """Six tiles in the order of the sets they make; in hand order where they are not complete."""
    left = sorted(tiles, key=ORDER.__getitem__)
    found = shape(tiles)
    if found is None:
        return left
    laid: list[str] = []
    for wanted in "".join(found.sets):
        tile = next(tile for tile in left if tile[0] == wanted)
        left.remove(tile)
        laid.append(tile)
    return laid
