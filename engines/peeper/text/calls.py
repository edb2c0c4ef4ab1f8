"""Calls: how a combination is named aloud (rules/peeper: Announcements)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.text import Catalog
from engines.peeper.combinations import Kind, readings
from engines.peeper.messages import Play
from engines.peeper.tiles import NAMES, NUMBER, WILD, X


def bare(say: Catalog, kind: Kind, low: int, size: int, locale: str) -> str:
    """The combination without the tiles that make it, e.g. `5 to 8 straight`."""
    word = say(locale, f"kind.{kind}")
    number = say(locale, "piece", number=NAMES[low])
    if kind not in ("straight", "pair_straight"):
        return say(locale, "call", number=number, kind=word)
    values = size if kind == "straight" else size // 2
    high = say(locale, "piece", number=low + values - 1)
    return say(locale, "call.run", low=number, high=high, kind=word)


def laid(say: Catalog, kind: Kind, low: int, tiles: Sequence[str], locale: str) -> str:
    """The combination with what each X in it stands for."""
    call = bare(say, kind, low, len(tiles), locale)
    if WILD not in tiles or low == X or kind == "single":
        return call
    if kind == "pair":
        return say(locale, "call.pair_wild", call=call)
    times = 1 if kind == "straight" else 2
    wanted = [low + step // times for step in range(len(tiles))]
    for tile in tiles:
        if tile != WILD:
            wanted.remove(NUMBER[tile])
    joint = say(locale, "list")
    return say(locale, "call.wild", call=call, numbers=joint.join(map(str, wanted)))


def action(say: Catalog, play: Play, locale: str) -> str | None:
    """The call of a play that declares as much as its tiles demand; None where it has no reading."""
    found = [
        reading
        for reading in readings(play.tiles)
        if play.kind in (None, reading.kind) and play.low in (None, reading.low)
    ]
    if not found:
        return None
    kind, low, _ = found[-1]
    return laid(say, kind, low, play.tiles, locale)
