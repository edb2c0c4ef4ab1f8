"""The 44 tiles: their names, their order, their faces and colours.

Rules: four each of 1..9, hatsu and chun; one copy of each number is red, every chun is red.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, get_args

Tile = Literal[
    "1", "1r", "2", "2r", "3", "3r", "4", "4r", "5", "5r",
    "6", "6r", "7", "7r", "8", "8r", "9", "9r", "F", "C",
]  # fmt: skip
"""A tile's name on the wire: the face, then `r` for the red copy of a number."""

NAMES: Final[tuple[Tile, ...]] = get_args(Tile)
HATSU: Final = "F"
CHUN: Final = "C"
NUMBERS: Final = "123456789"
FACES: Final = NUMBERS + HATSU + CHUN
COPIES: Final = 4

ORDER: Final[dict[str, int]] = {name: place for place, name in enumerate(NAMES)}
RED: Final[frozenset[str]] = frozenset(f"{number}r" for number in NUMBERS) | {CHUN}


def _copies(face: str) -> list[str]:
    if face in NUMBERS:
        return [face] * (COPIES - 1) + [face + "r"]
    return [face] * COPIES


PIECES: Final[tuple[str, ...]] = tuple(tile for face in FACES for tile in _copies(face))


def face(tile: str) -> str:
    """The tile without its colour: `5` for `5` and `5r`."""
    return tile[:1]


def in_order(tiles: Iterable[str]) -> list[str]:
    """The tiles as every hand is listed: by face, the plain copies before the red one."""
    return sorted(tiles, key=ORDER.__getitem__)
