"""What a set of tiles can be read as (rules/peeper: Combinations, Following)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import eq
from typing import Final, Literal, NamedTuple, TypeAlias

from engines.peeper.tiles import NUMBER, X

Kind: TypeAlias = Literal["single", "pair", "straight", "pair_straight", "bomb1", "bomb2"]

KINDS: Final[tuple[Kind, ...]] = (
    "single",
    "pair",
    "straight",
    "pair_straight",
    "bomb1",
    "bomb2",
)
_BOMBS: Final[dict[Kind, int]] = {"bomb1": 1, "bomb2": 2}


class Reading(NamedTuple):
    """One reading of a set of tiles. low: its rank, the lowest number of a straight, 16 for X alone."""

    kind: Kind
    low: int
    size: int


def readings(tiles: Iterable[str]) -> list[Reading]:
    """Every legal reading, in the order of `KINDS`, each kind lowest first; empty where none is."""
    numbers = sorted([NUMBER[tile] for tile in tiles])
    size = len(numbers)
    wild = numbers.count(X)
    natural = numbers[: size - wild]
    if not natural or natural[0] == natural[-1]:
        found = _alike(natural[0] if natural else X, size, wild)
        if found is not None:
            return [found]
    if not natural or not 3 <= size <= X:
        return []
    found_all: list[Reading] = []
    distinct = len(set(natural))
    if distinct == len(natural):
        found_all += _runs("straight", natural, size, size)
    if size >= 6 and size % 2 == 0 and not any(map(eq, natural, natural[2:])):
        found_all += _runs("pair_straight", natural, size // 2, size)
    return found_all


def _alike(number: int, size: int, wild: int) -> Reading | None:
    """Single, pair and bombs; an X joins a number in a pair only."""
    if size == 1:
        return Reading("single", number, 1)
    if size == 2:
        return Reading("pair", number, 2)
    if wild in (0, size):
        if size == 3:
            return Reading("bomb1", number, 3)
        if size == 4:
            return Reading("bomb2", number, 4)
    return None


def _runs(kind: Kind, natural: list[int], values: int, size: int) -> list[Reading]:
    """The straights of so many values that hold all the natural numbers; 16 is the top, an X."""
    first = max(1, natural[-1] - values + 1)
    last = min(natural[0], X - values + 1)
    return [Reading(kind, low, size) for low in range(first, last + 1)]


def beats(reading: Reading, table: Reading) -> bool:
    """Whether the reading may be laid on the table's (rules/peeper: Following)."""
    bomb, lying = _BOMBS.get(reading.kind, 0), _BOMBS.get(table.kind, 0)
    if bomb != lying:
        return bomb > lying
    same = reading.kind == table.kind and reading.size == table.size
    return same and reading.low > table.low
