"""Players that know the rules and their own seat's view, nothing more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import perm, prod
from typing import Final

from engines.chamsaejak.messages import DECLINE, RON, TSUMO, Discard, View
from engines.chamsaejak.scoring import ENOUGH, SHAPES, YAKUMAN_POINTS, Shape, score
from engines.chamsaejak.tiles import COPIES, FACES, RED, face
from engines.kit.contract import Action, Ask, Bot
from engines.kit.stream import Stream

_WEIGHT: Final = (1.0, 0.12, 0.009)
"""How much a hand still counts that needs one, two or three tiles."""
_CATCHABLE: Final = 2.0
"""How much more a wait is worth that others' discards can fill, too."""


def _wins(view: View) -> bool:
    parts = score(view.hand, view.dora, view.all_green_allows_red)
    return parts is not None and parts.points >= ENOUGH


def _honest(view: View, ask: Ask) -> list[Action]:
    """The legal actions without declarations that would be false."""
    if ask.kind == "claim":
        return ask.legal if ask.can else [DECLINE]
    return [action for action in ask.legal if action != TSUMO or _wins(view)]


def random(view: View, ask: Ask, stream: Stream) -> Action:
    """Any action, every one equally likely, but no false win."""
    return stream.choice(_honest(view, ask))


def steady(view: View, ask: Ask, stream: Stream) -> Action:
    """Wins when it can; discards what leaves the likeliest and dearest hands within reach."""
    choices = _honest(view, ask)
    for win in (TSUMO, RON):
        if win in choices:
            return win
    discards = [action for action in choices if isinstance(action, Discard)]
    if not discards:
        return ask.default
    worth = _worth_by_face(view)
    best = max(discards, key=lambda discard: _rank(view, discard, worth))
    equal = [d for d in discards if _rank(view, d, worth) == _rank(view, best, worth)]
    return stream.choice(equal)


def _rank(view: View, discard: Discard, worth: Mapping[str, float]) -> tuple[float, bool]:
    """What the hand is worth without the tile; among copies of a face the red one is kept."""
    return worth[face(discard.tile)], discard.tile not in RED


def _worth_by_face(view: View) -> dict[str, float]:
    """For each face in hand: the worth of what is left once a tile of it is discarded."""
    held = dict(Counter(face(tile) for tile in view.hand))
    unseen = _unseen(view, held)
    reds = sum(tile in RED for tile in view.hand)
    dora = face(view.dora)
    own = {face(tile) for tile in view.discards[view.seat or 0]}
    worth = dict.fromkeys(held, 0.0)
    absent = ~_bits(held)
    for bits, wanted, shape in _SHAPES:
        missing = (bits & absent).bit_count()
        if missing > len(_WEIGHT):
            continue
        lacking = {f: n - held.get(f, 0) for f, n in wanted.items() if held.get(f, 0) < n}
        points = _points(shape, wanted, reds, dora)
        ways = prod(perm(unseen[f], n) for f, n in lacking.items())
        for f, count in held.items():
            if count > wanted.get(f, 0):  # beyond what the shape needs: it goes without harm
                needs, chance = missing, ways
                closed = needs == 1 and not own.isdisjoint(lacking)
            else:
                needs, chance = missing + 1, ways * (unseen[f] - lacking.get(f, 0))
                closed = needs == 1
            if needs <= len(_WEIGHT) and chance > 0:
                factor = 1.0 if closed else _CATCHABLE
                worth[f] += _WEIGHT[needs - 1] * chance * points * factor
    return worth


def _bits(counts: Mapping[str, int]) -> int:
    """A bit for each tile: what one hand has more than another of a face is then a difference of sets."""
    return sum(((1 << n) - 1) << COPIES * _PLACE[f] for f, n in counts.items())


def _unseen(view: View, held: Mapping[str, int]) -> dict[str, int]:
    """Copies of each face that may still be drawn."""
    seen = Counter(face(tile) for row in view.discards for tile in row)
    seen[face(view.dora)] += 1
    return {f: COPIES - seen[f] - held.get(f, 0) for f in FACES}


def _points(shape: Shape, wanted: Mapping[str, int], reds: int, dora: str) -> float:
    """About what the finished shape would bring; little where it would hardly be a win."""
    if shape.yakuman is not None and not (shape.yakuman == "all-green" and reds):
        return shape.base + YAKUMAN_POINTS[shape.yakuman]
    chuns = wanted.get("C", 0)
    points = shape.base + shape.tanyao + shape.chanta + wanted.get(dora, 0) + max(reds, chuns)
    return points if points >= ENOUGH else 0.25 * points / (ENOUGH - points)


_PLACE: Final = {f: place for place, f in enumerate(FACES)}
_SHAPES: Final = [
    (_bits(counts), counts, shape)
    for counts, shape in ((dict(Counter(faces)), shape) for faces, shape in SHAPES.items())
]

BOTS: Final[dict[str, Bot[View]]] = {"random": random, "steady": steady}
