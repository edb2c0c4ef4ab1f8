"""Whose turn it is in each phase."""

from __future__ import annotations

from engines.pepper.cards import PIECES
from engines.pepper.hand import deal
from engines.pepper.messages import TrickCard


def test_turns_by_phase() -> None:
    hand = deal(list(PIECES), 3, 4)
    assert hand.turn == 0
    hand.auction.by = 2
    hand.phase = "trump"
    assert hand.turn == 2
    hand.phase, hand.leader = "play", 2
    assert hand.turn == 2
    hand.trick = [TrickCard(2, "9H"), TrickCard(3, "9S")]
    assert hand.turn == 0
    hand.phase = "over"
    assert hand.turn is None
