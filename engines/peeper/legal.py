"""The turn actions of a hand, lowest first (rules/peeper: Combinations; the order is documented here).

First comes one action of every kind and length, its lowest: single, pair, straights from the shortest,
pair straights from the shortest, bomb1, bomb2; then the pass, where there is one; then all others in
the same order. Within a kind and length: by rank, then by the number of X, then by what the X stand for,
then with the red 1 before another 1. Everything is made only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain, combinations, combinations_with_replacement, islice

from engines.kit.contract import Action, Legal
from engines.peeper.combinations import Kind, Reading
from engines.peeper.messages import Pass, Play
from engines.peeper.tiles import NAMES, NUMBER, RED, WILD, Tile, X

_PASS = Pass()


class _Hand:
    """A hand counted.

    have[n]: tiles of the number n. wild: X. red: whether one of the 1s is the red one. bombs: numbers
    held three times or more.
    """

    __slots__ = ("bombs", "have", "red", "wild")

    def __init__(self, hand: list[Tile]) -> None:
        have = [0] * 17
        bombs = []
        for tile in hand:
            number = NUMBER[tile]
            have[number] += 1
            if have[number] == 3:
                bombs.append(number)
        self.wild = have[X]
        if self.wild > 2:
            bombs.remove(X)
        have[X] = 0
        self.have = have
        self.red = hand[:1] == [RED]
        self.bombs = bombs

    def upto(self, most: int) -> list[int]:
        """How many tiles runs can take from the numbers up to n, at most so many of each."""
        return list(accumulate([held if held < most else most for held in self.have]))

    def laid(self, numbers: list[int], wild: int) -> tuple[list[Tile], ...]:
        """The tiles of these ascending numbers and so many X; twice where a 1 may be the red one."""
        tiles = [NAMES[number] for number in numbers]
        if wild:
            tiles += [WILD] * wild
        if not self.red or not numbers or numbers[0] != 1:
            return (tiles,)
        red: list[Tile] = [RED, *tiles[1:]]
        return (red,) if numbers.count(1) == self.have[1] else (red, tiles)


# -- what has one reading only ----------------------------------------------------------------------------
def _singles(hand: _Hand, above: int) -> Iterator[Play]:
    for number in range(above + 1, 16):
        if hand.have[number]:
            for tiles in hand.laid([number], 0):
                yield Play(tiles)
    if hand.wild and above < X:
        yield Play([WILD])


def _pairs(hand: _Hand, above: int) -> Iterator[Play]:
    for number in range(above + 1, 16):
        held = hand.have[number]
        if held >= 2:
            for tiles in hand.laid([number, number], 0):
                yield Play(tiles)
        if held and hand.wild:
            for tiles in hand.laid([number], 1):
                yield Play(tiles)
    if hand.wild >= 2 and above < X:
        yield Play([WILD, WILD])


def _bombs(hand: _Hand, size: int, above: int) -> Iterator[Play]:
    for number in hand.bombs:
        if number > above and hand.have[number] >= size:
            for tiles in hand.laid([number] * size, 0):
                yield Play(tiles)
    if hand.wild >= size and above < X:
        yield Play([WILD] * size)


# -- straights ------------------------------------------------------------------------------------------
def _play(tiles: list[Tile], natural: list[int], mine: Reading, above: int) -> Play:
    """The play with as much of its reading declared as its other readings demand.

    The kind is declared whenever the tiles have two, also where the table would decide it: so an
    action tells by itself how it is read.
    """
    kind, low, size = mine
    if size == len(natural):
        return Play(tiles)
    values = size if kind == "straight" else size // 2
    lowest = max(above + 1, natural[-1] - values + 1, 1)
    highest = min(natural[0], X + 1 - values)
    other = size >= 6 and size % 2 == 0 and _other_kind(kind, natural, size)
    return Play(
        tiles,
        kind=kind if other else None,
        low=low if lowest < highest else None,
    )


def _other_kind(kind: Kind, natural: list[int], size: int) -> bool:
    """Whether the tiles of a straight are a pair straight too, or the other way round."""
    span = natural[-1] - natural[0]
    if kind == "straight":
        return span < size // 2
    return len(set(natural)) == len(natural) and span < size


def _ranks(upto: list[int], values: int, size: int, wild: int, above: int) -> list[int]:
    """The ranks of the runs over so many values that the hand can fill with its X."""
    least = max(size - wild, 1)
    return [
        low
        for low in range(above + 1, X - values + 2)
        if upto[low + values - 1] - upto[low - 1] >= least
    ]


def _straights(hand: _Hand, upto: list[int], size: int, above: int) -> Iterator[Play]:
    have, wild = hand.have, hand.wild
    for low in _ranks(upto, size, size, wild, above):
        held = [number for number in range(low, low + size) if have[number]]
        missing = size - len(held)
        if not missing:
            for tiles in hand.laid(held, 0):
                yield Play(tiles)
        reading = Reading("straight", low, size)
        for more in range(0 if missing else 1, min(wild - missing, len(held) - 1) + 1):
            for replaced in combinations(held, more):
                natural = [number for number in held if number not in replaced]
                for tiles in hand.laid(natural, missing + more):
                    yield _play(tiles, natural, reading, above)


def _pair_straights(hand: _Hand, upto: list[int], size: int, above: int) -> Iterator[Play]:
    have, wild = hand.have, hand.wild
    values = size // 2
    for low in _ranks(upto, values, size, wild, above):
        held = [number for number in range(low, low + values) for _ in range(min(have[number], 2))]
        missing = size - len(held)
        reading = Reading("pair_straight", low, size)
        distinct = sorted(set(held))
        for more in range(min(wild - missing, len(held) - 1) + 1):
            for replaced in combinations_with_replacement(distinct, more):
                natural = held.copy()
                if not _remove(natural, replaced):
                    continue
                for tiles in hand.laid(natural, missing + more):
                    yield _play(tiles, natural, reading, above)


def _longest(upto: list[int], each: int, wild: int) -> int:
    """How many values the longest run spans that the hand can fill, taking `each` tiles a value."""
    low = best = 1
    for high in range(1, 17):
        while each * (high - low + 1) - (upto[high] - upto[low - 1]) > wild:
            low += 1
        if high - low >= best:
            best = high - low + 1
    return best


def _remove(numbers: list[int], taken: tuple[int, ...]) -> bool:
    for number in taken:
        if number not in numbers:
            return False
        numbers.remove(number)
    return True


# -- the list -------------------------------------------------------------------------------------------
def _leads(hand: _Hand, tiles: int) -> Iterator[Iterator[Play]]:
    yield _singles(hand, 0)
    yield _pairs(hand, 0)
    if tiles >= 3:
        upto = hand.upto(1)
        for size in range(3, _longest(upto, 1, hand.wild) + 1):
            yield _straights(hand, upto, size, 0)
    if tiles >= 6:
        upto = hand.upto(2)
        for values in range(3, _longest(upto, 2, hand.wild) + 1):
            yield _pair_straights(hand, upto, 2 * values, 0)
    yield _bombs(hand, 3, 0)
    yield _bombs(hand, 4, 0)


def _follows(hand: _Hand, top: Reading) -> Iterator[Iterator[Play]]:
    kind, low, size = top
    if kind == "single":
        yield _singles(hand, low)
    elif kind == "pair":
        yield _pairs(hand, low)
    elif kind == "straight":
        yield _straights(hand, hand.upto(1), size, low)
    elif kind == "pair_straight":
        yield _pair_straights(hand, hand.upto(2), size, low)
    if kind != "bomb2":
        yield _bombs(hand, 3, low if kind == "bomb1" else 0)
    yield _bombs(hand, 4, low if kind == "bomb2" else 0)


def actions(hand: list[Tile], top: Reading | None) -> Iterator[Action]:
    """Every turn action of a hand as leader (top None) or on what lies on the table."""
    counted = _Hand(hand)
    groups = _leads(counted, len(hand)) if top is None else _follows(counted, top)
    started = []
    for group in groups:
        first = next(group, None)
        if first is not None:
            yield first
            started.append(group)
    if top is not None:
        yield _PASS
    yield from chain.from_iterable(started)


def legal(hand: list[Tile], top: Reading | None, limit: int) -> Legal:
    """The first of them, and whether there are more."""
    found = list(islice(actions(hand, top), limit + 1))
    return Legal(found[:limit], len(found) > limit)
