"""Dealing a round, and whose turn it is."""

from __future__ import annotations

import pytest

from engines.cockroach_duel.cards import PIECES
from engines.cockroach_duel.state import new_round, start_health


@pytest.mark.parametrize("attacker", [0, 1])
def test_seat_zero_takes_the_first_block_whoever_attacks(attacker: int) -> None:
    round = new_round(list(PIECES), attacker)
    assert round.hands == [["fly"] * 4, ["fly", "roach", "roach", "roach"]]
    assert round.pile == list(PIECES[8:])
    assert round.turn == attacker


def test_the_first_attacker_has_three_of_seven_tokens() -> None:
    assert (start_health(0), start_health(1)) == ([3, 4], [4, 3])


def test_turns_by_phase() -> None:
    round = new_round(list(PIECES), 1)
    turns = []
    for phase in ("attack", "answer", "review", "over"):
        round.phase = phase
        turns.append(round.turn)
    assert turns == [1, 0, 1, None]
