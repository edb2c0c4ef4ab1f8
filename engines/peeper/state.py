"""The state of a Peeper match."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engines.peeper.messages import Last, Options, StarterFound, Top
from engines.peeper.tiles import Tile


class Chance(Struct, frozen=True):
    """What can be claimed out of turn until the next turn action: a number, 16 for X.

    opener: the seat that laid the single or made the Mine.
    """

    kind: Literal["mine", "return"]
    number: int
    opener: int


class State(Struct):
    """A match between two calls. Lists are replaced and never changed in place: views share them.

    options: with the direction as drawn. hands: by seat, in the order of a hand. unused: face down, in
    the order of the pile, those flipped for the start first. turn: who acts while the match runs.
    passed: seats that passed since the last play. announced: seats whose count others know in a match
    that hides counts. sheet: points a seat of each finished round. After the match everything stands as
    the last round ended.
    """

    options: Options
    round: int
    hands: list[list[Tile]]
    unused: list[Tile]
    starter: StarterFound
    turn: int
    top: Top | None
    last: Last | None
    passed: list[int]
    chance: Chance | None
    announced: list[bool]
    scores: list[int]
    sheet: list[list[int]]
    finished: bool = False


def order(state: State, seat: int) -> list[int]:
    """All other seats in turn order after this one."""
    seats = len(state.hands)
    step = -1 if state.options.direction == "counterclockwise" else 1
    return [(seat + step * i) % seats for i in range(1, seats)]


def after(state: State, seat: int) -> int:
    """The next seat in turn order."""
    step = -1 if state.options.direction == "counterclockwise" else 1
    return (seat + step) % len(state.hands)
