"""The 64 tiles: four each of 1..15 and X; one of the 1s is the red 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

Tile: TypeAlias = Literal[
    "1r", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "X"
]

RED: Final = "1r"
WILD: Final = "X"
X: Final = 16
"""The number of an X that stands alone."""

NAMES: Final[tuple[Tile, ...]] = (
    "X", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "X"
)  # fmt: skip
"""The tile of each number; 16 is an X."""

ORDER: Final[tuple[Tile, ...]] = (
    "1r", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "X"
)  # fmt: skip
"""The order in which tiles stand in a hand."""

NUMBER: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES) if number}
NUMBER[RED] = 1
POSITION: Final[dict[str, int]] = {name: position for position, name in enumerate(ORDER)}

PIECES: Final[tuple[Tile, ...]] = (
    RED,
    *("1",) * 3,
    *(NAMES[number] for number in range(2, 17) for _ in range(4)),
)


def ordered(tiles: Iterable[Tile]) -> list[Tile]:
    """The tiles in the order of a hand."""
    return sorted(tiles, key=POSITION.__getitem__)


def total(tiles: Iterable[Tile]) -> int:
    """The sum of the numbers, X = 16 (rules/peeper: End of a round)."""
    return sum(NUMBER[tile] for tile in tiles)


def lacks(hand: list[Tile], tiles: Iterable[Tile]) -> Tile | None:
    """The first of the tiles that the hand does not hold, every tile counted once."""
    rest = hand.copy()
    for tile in tiles:
        if tile not in rest:
            return tile
        rest.remove(tile)
    return None


def without(hand: list[Tile], tiles: Iterable[Tile]) -> list[Tile]:
    """The hand after these tiles have left it."""
    rest = hand.copy()
    for tile in tiles:
        rest.remove(tile)
    return rest
