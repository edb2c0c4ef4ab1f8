"""Thousands of random matches of each game: they end, are scored, and stay small.

`HANPAN_PLAYOUTS` sets their number a game. Short matches: what is special about long ones is only
their length, and the conformance suite plays those. Other worlds, folding and encoding are its business too.
"""

from __future__ import annotations

import os

import msgspec
import pytest

from engines.kit.playout import playout
from engines.kit.registry import AnyGame, load

GAMES = load()
PLAYOUTS = int(os.environ.get("HANPAN_PLAYOUTS", "2000"))
SHORT = {"rounds": 1, "target": 1}
STATE_BYTES = 20_000


def options(game: AnyGame) -> object:
    known = {field.encode_name for field in msgspec.structs.fields(game.Options)}
    return game.options("standard", {k: v for k, v in SHORT.items() if k in known})


@pytest.mark.parametrize("name", GAMES)
def test_random_matches_end_and_are_scored(name: str) -> None:
    game = GAMES[name]
    short = options(game)
    for number in range(PLAYOUTS):
        seats = game.min_seats + number % (game.max_seats - game.min_seats + 1)
        key = number.to_bytes(32, "big")
        state, steps = playout(game, short, seats, key)
        outcome = game.outcome(state)
        assert outcome.finished, number
        assert steps, number
        assert len(outcome.scores) == len(outcome.places) == seats, number
        assert min(outcome.places) == 1, number
        if number % 50 == 0:
            assert len(msgspec.json.encode(state)) < STATE_BYTES, number
            again, same = playout(game, short, seats, key)
            assert (again, same) == (state, steps), number
