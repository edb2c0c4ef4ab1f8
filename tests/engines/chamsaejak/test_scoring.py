"""Scoring against a second calculation that shares nothing with the first but the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

import pytest

from engines.chamsaejak.scoring import SHAPES, score, set_by_set

FACES = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "F", "C"]
DORAS = [None, *FACES]

# The second calculation. A tile is (rank, red): ranks 1..9, 10 for hatsu, 12 for chun, so that no two
# honours are neighbours of anything.
Six = tuple[tuple[int, bool], ...]
Worth = tuple[int, str | None]


def _rank(tile: str) -> tuple[int, bool]:
    rank = {"F": 11, "C": 13}.get(tile[0]) or int(tile[0])
    return rank, rank == 13 or tile.endswith("r")


def _set_points(ranks: list[int]) -> int | None:
    low, middle, high = sorted(ranks)
    if low == high:
        return 2
    if low + 1 == middle and middle + 1 == high <= 9:
        return 1
    return None


def _splits(six: Six) -> Iterator[tuple[list[int], list[int]]]:
    for rest in combinations(range(1, 6), 2):
        first = [0, *rest]
        yield (
            [six[i][0] for i in first],
            [six[i][0] for i in range(6) if i not in first],
        )


def brute_force(tiles: list[str], dora: str | None, allows_red: bool) -> Worth | None:
    """The points by trying every split in two threes, and the yakuman."""
    six = tuple(_rank(tile) for tile in tiles)
    ranks = [rank for rank, _ in six]
    reds = len([1 for _, red in six if red])
    best: Worth | None = None
    for one, two in _splits(six):
        a, b = _set_points(one), _set_points(two)
        if a is None or b is None:
            continue
        if reds == 6:
            worth: Worth = (a + b + 20, "super-red")
        elif all(rank in (1, 9, 11, 13) for rank in ranks):
            worth = (a + b + 15, "chinyao")
        elif all(rank in (2, 3, 4, 6, 8, 11) for rank in ranks) and (allows_red or reds == 0):
            worth = (a + b + 10, "all-green")
        else:
            points = a + b + reds
            if dora is not None:
                points += ranks.count(_rank(dora)[0])
            if min(ranks) >= 2 and max(ranks) <= 8:
                points += 1
            if all(any(r == 1 or r >= 9 for r in threes) for threes in (one, two)):
                points += 2
            worth = (points, None)
        if best is None or worth > best:
            best = worth
    return best


def _coloured(faces: tuple[str, ...]) -> Iterator[list[str]]:
    """The faces with every choice of red copies that the 44 tiles allow."""
    variants = []
    for face in sorted(set(faces)):
        count = faces.count(face)
        if face in "FC":
            variants.append([[face] * count])
            continue
        plain, red = [face] * count, [face] * (count - 1) + [face + "r"]
        variants.append([red] if count == 4 else [plain, red])
    for chosen in product(*variants):
        yield [tile for part in chosen for tile in part]


def _face_hands() -> list[tuple[str, ...]]:
    hands = combinations_with_replacement(FACES, 6)
    return [hand for hand in hands if all(hand.count(face) <= 4 for face in hand)]


FACE_HANDS = _face_hands()


def test_exactly_the_complete_hands_are_complete() -> None:
    complete = [hand for hand in FACE_HANDS if brute_force(list(hand), None, False) is not None]
    assert len(complete) == len(SHAPES) == 160
    for hand in FACE_HANDS:
        assert (score(hand) is not None) == (brute_force(list(hand), None, False) is not None)


@pytest.mark.parametrize("allows_red", [False, True])
def test_every_complete_hand_with_every_red_and_dora(allows_red: bool) -> None:
    tried = 0
    for faces in FACE_HANDS:
        if brute_force(list(faces), None, allows_red) is None:
            continue
        for tiles in _coloured(faces):
            for dora in DORAS:
                if dora is not None and faces.count(dora) == 4:
                    continue
                parts = score(tiles, dora, allows_red)
                assert parts is not None
                found = (parts.points, parts.yakuman)
                assert found == brute_force(tiles, dora, allows_red), (tiles, dora)
                tried += 1
    assert tried == 23_928


def test_order_of_tiles_and_colour_of_dora_do_not_matter() -> None:
    tiles = ["7", "5r", "3", "4", "6", "8"]
    assert score(tiles, "5") == score(sorted(tiles), "5r")


def test_parts_add_up() -> None:
    parts = score(["3", "4", "5r", "6", "7", "8"], "5")
    assert parts is not None
    assert (parts.base, parts.dora, parts.red, parts.tanyao, parts.chanta) == (2, 1, 1, 1, 0)
    assert parts.points == 5


def test_tiles_are_laid_set_by_set() -> None:
    assert set_by_set(["1", "1", "2", "2r", "3", "3"]) == ["1", "2", "3", "1", "2r", "3"]
    assert set_by_set(["C", "7", "C", "8r", "C", "9"]) in (
        ["C", "C", "C", "7", "8r", "9"],
        ["7", "8r", "9", "C", "C", "C"],
    )
    assert set_by_set(["C", "7", "F", "8r", "1", "7r"]) == ["1", "7", "7r", "8r", "F", "C"]
