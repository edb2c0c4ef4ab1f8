"""Positions for the tests: explicit deals, and matches stopped where a test wants to act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DISCARDS
from engines.chamsaejak.state import Match
from engines.chamsaejak.tiles import PIECES
from engines.kit.contract import Action, Event, Viewer
from engines.kit.dealer import Dealer

KEY = bytes(range(32))


def deck(hands: Sequence[str], dora: str, draws: str = "", left: int = 0) -> list[str]:
    """A full deck: five tiles a seat from seat 0, the dora, these draws, then all the rest.

    left: so many of the rest are put before the draws instead, to empty the stock sooner.
    """
    named = " ".join([*hands, dora]).split()
    drawn = draws.split()
    rest = Counter(PIECES)
    rest.subtract(named + drawn)
    assert min(rest.values()) >= 0, f"more tiles than there are: {-rest}"
    spare = list(rest.elements())
    return [*named, *spare[:left], *drawn, *spare[left:]]


def begin(
    hands: Sequence[str], dora: str, draws: str = "", first: int = 0, **options: Any
) -> tuple[Match, Dealer]:
    """A match whose first hand is dealt like this."""
    dealer = Dealer(KEY, decks=[deck(hands, dora, draws)], first=first)
    state, _ = GAME.start(GAME.options("standard", options), len(hands), dealer)
    return state, dealer


def discard(state: Match, dealer: Dealer, tile: str) -> list[Event]:
    """The seat to act discards the tile."""
    seat = GAME.turn(state)
    assert seat is not None
    return GAME.apply(state, seat, DISCARDS[tile], dealer)


def throw(state: Match, dealer: Dealer, *tiles: str) -> None:
    """Several turns in which each player discards and nobody claims."""
    for tile in tiles:
        discard(state, dealer, tile)
        GAME.settle(state, [], dealer)


def play_out(state: Match, dealer: Dealer) -> list[Event]:
    """Discard what is drawn, claim nothing, until the hand ends; the events of the last call."""
    hand = state.round
    events: list[Event] = []
    while not state.finished and state.round == hand:
        seat = GAME.turn(state)
        if seat is None:
            events = GAME.settle(state, [], dealer)
        else:
            events = GAME.apply(state, seat, GAME.default(state, seat), dealer)
    return events


def kinds(events: Sequence[Event]) -> list[str]:
    """The wire types of the events."""
    return [str(type(event).__struct_config__.tag) for event in events]


def legal(state: Match, seat: int) -> list[Action]:
    """All legal turn actions of the seat."""
    return GAME.legal(state, seat).actions


def everyone(state: Match) -> list[Viewer]:
    """Every seat, then the spectator."""
    return [*range(state.seats), None]
