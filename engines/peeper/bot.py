"""Bots: `random` takes anything, `steady` plays sensibly.

`steady` counts in how many plays a hand could be laid. It leads what leaves the fewest, answers as low as
it can without tearing apart what belongs together, and keeps bombs and X until it is nearly out or
somebody else is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.kit.contract import Action, Ask, Bot
from engines.kit.stream import Stream
from engines.peeper.messages import Mine, Play, Return, View
from engines.peeper.tiles import NUMBER, WILD, X, lacks

_NEARLY_OUT = 4
"""Tiles in a hand from which on its holder may go out in a turn or two."""


def held_claims(view: View, ask: Ask) -> list[Action]:
    """The offered claims whose tiles the seat holds."""
    return [
        action
        for action in ask.legal
        if isinstance(action, Mine | Return) and lacks(view.hand, action.tiles) is None
    ]


def choose_random(view: View, ask: Ask, stream: Stream) -> Action:
    """Any of the legal actions with the same chance; it declines what it cannot claim."""
    if ask.kind == "turn":
        return stream.choice(ask.legal)
    if not ask.can:
        return ask.default
    return stream.choice([*held_claims(view, ask), ask.default])


# -- steady --------------------------------------------------------------------------------------------
def plays_needed(have: Sequence[int]) -> int:
    """In how many plays the numbers could be laid, roughly; have[n]: tiles of the number n, 1..15."""
    as_sets = sum(1 for held in have[1:16] if held)
    rest = list(have[:16])
    runs = 0
    while True:
        start, length = _longest_run(rest)
        if length < 4:
            break
        for number in range(start, start + length):
            rest[number] -= 1
        runs += 1
    return min(as_sets, runs + sum(1 for held in rest[1:] if held))


def _longest_run(have: Sequence[int]) -> tuple[int, int]:
    best_start, best, start = 1, 0, 1
    for number in range(1, 17):
        if number == 16 or not have[number]:
            if number - start > best:
                best_start, best = start, number - start
            start = number + 1
    return best_start, best


def _counted(tiles: Sequence[str]) -> list[int]:
    have = [0] * 17
    for tile in tiles:
        have[NUMBER[tile]] += 1
    return have


def _cost(have: Sequence[int], play: Play) -> float:
    """What the hand needs after a play; an X and a bomb that go cost extra."""
    rest = list(have)
    for tile in play.tiles:
        rest[NUMBER[tile]] -= 1
    bomb = len(play.tiles) in (3, 4) and len(set(play.tiles) - {"1r"}) == 1
    return plays_needed(rest) + 1.2 * play.tiles.count(WILD) + 1.2 * bomb


def _strength(play: Play) -> int:
    return sum(NUMBER[tile] for tile in play.tiles if tile != WILD)


def _lead(have: Sequence[int], plays: Sequence[Play]) -> Play:
    """What leaves the fewest plays; of those the longest, then the lowest."""
    return min(plays, key=lambda play: (_cost(have, play), -len(play.tiles), _strength(play)))


def _danger(view: View) -> bool:
    """Whether somebody else may soon be out."""
    return any(
        count is not None and count <= _NEARLY_OUT and seat != view.seat
        for seat, count in enumerate(view.counts)
    )


def _follow(view: View, ask: Ask, have: Sequence[int], plays: Sequence[Play]) -> Action:
    """The cheapest answer; pass where it would cost more than it brings."""
    best = min(plays, key=lambda play: (_cost(have, play), _strength(play)))
    left = len(view.hand) - len(best.tiles)
    hurry = _danger(view) or left <= _NEARLY_OUT
    # What needed a play of its own and is gone brings one; unless in a hurry, it must.
    worth = _cost(have, best) - plays_needed(have) <= (1.5 if hurry else -0.05)
    return best if worth else ask.default


def choose_steady(view: View, ask: Ask, stream: Stream) -> Action:
    """Sensible play; never by chance."""
    if ask.kind == "claim":
        claims = held_claims(view, ask) if ask.can else []
        return min(claims, key=_wilds, default=ask.default)
    plays = [action for action in ask.legal if isinstance(action, Play)]
    if not plays:
        return ask.default
    for play in plays:
        if len(play.tiles) == len(view.hand):
            return play
    have = _counted(view.hand)
    if view.top is None:
        return _lead(have, plays)
    return _follow(view, ask, have, plays)


def _wilds(action: Action) -> int:
    """X among the tiles of a claim on a number; claims with fewer come first."""
    tiles = action.tiles if isinstance(action, Mine | Return) else []
    return sum(NUMBER[tile] == X for tile in tiles)


BOTS: Mapping[str, Bot[View]] = {"random": choose_random, "steady": choose_steady}
