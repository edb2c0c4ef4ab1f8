"""Peeper positions for tests, with hands as small as a test needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from engines.peeper import GAME
from engines.peeper.messages import StarterFound
from engines.peeper.state import State
from engines.peeper.tiles import Tile, ordered


def tiles(text: str) -> list[Tile]:
    """Tiles written with spaces, e.g. `5 5 X`."""
    return cast("list[Tile]", text.split())


def table(hands: Sequence[str], leader: int = 0, **options: Any) -> State:
    """A round in which the leader is about to lead."""
    return State(
        options=GAME.options("standard", options),
        round=1,
        hands=[ordered(tiles(hand)) for hand in hands],
        unused=[],
        starter=StarterFound(leader, "lots"),
        turn=leader,
        top=None,
        last=None,
        passed=[],
        chance=None,
        announced=[False] * len(hands),
        scores=[0] * len(hands),
        sheet=[],
    )
