"""Which reading a play has: what is declared, what beats the table, what is left (rules/peeper)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.contract import Refused
from engines.peeper.combinations import Kind, Reading, beats, readings
from engines.peeper.messages import Play, Top
from engines.peeper.tiles import Tile, lacks


def of_top(top: Top) -> Reading:
    """The reading that lies on the table."""
    return Reading(top.kind, top.low, len(top.tiles))


def possible(hand: list[Tile], tiles: Sequence[Tile], top: Top | None) -> list[Reading]:
    """The readings under which a seat with this hand may lay these tiles now.

    Raises Refused with the rule that forbids them all.
    """
    if not tiles:
        raise Refused("no_tiles")
    missing = lacks(hand, tiles)
    if missing is not None:
        raise Refused("not_held", tile=missing)
    found = readings(tiles)
    if not found:
        raise Refused("no_combination")
    return found if top is None else _beating(found, top)


def _beating(found: list[Reading], top: Top) -> list[Reading]:
    table = of_top(top)
    left = [reading for reading in found if beats(reading, table)]
    if left:
        return left
    if table.kind in ("bomb1", "bomb2") and found[0].kind != table.kind:
        raise Refused("bomb_needed", kind=table.kind, low=table.low, size=table.size)
    if all(reading.kind != table.kind for reading in found):
        raise Refused("other_kind", kind=table.kind)
    if found[0].size != table.size:
        raise Refused("other_size", size=table.size)
    raise Refused("not_higher", kind=table.kind, low=table.low, size=table.size)


def _narrow(found: list[Reading], kind: Kind | None, low: int | None) -> list[Reading]:
    return [
        reading
        for reading in found
        if (kind is None or reading.kind == kind) and (low is None or reading.low == low)
    ]


def resolve(hand: list[Tile], play: Play, top: Top | None) -> Reading:
    """The reading under which the play stands. Raises Refused."""
    found = possible(hand, play.tiles, top)
    left = _narrow(found, play.kind, play.low)
    if not left:
        if top is not None and _narrow(readings(play.tiles), play.kind, play.low):
            raise Refused("not_higher", kind=top.kind, low=top.low, size=len(top.tiles))
        raise Refused("not_as_declared")
    if any(reading.kind != left[0].kind for reading in left):
        raise Refused("ambiguous", code="ambiguous_action")
    return left[-1]


def declared(tiles: list[Tile], found: list[Reading]) -> list[Play]:
    """A play for each of the readings, declared as far as the tiles leave it open (as in `legal`)."""
    kinds = {reading.kind for reading in readings(tiles)}
    plays = []
    for reading in found:
        several = sum(other.kind == reading.kind for other in found) > 1
        plays.append(
            Play(
                tiles,
                kind=reading.kind if len(kinds) > 1 else None,
                low=reading.low if several else None,
            )
        )
    return plays
