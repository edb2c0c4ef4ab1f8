"""Who sees what: the other hands are hidden, and the third hand of two for ever."""

from __future__ import annotations

import msgspec
import pytest

from engines.kit.stream import Stream
from engines.pepper import GAME
from engines.pepper.messages import Dealt, Played, TrickCard
from engines.pepper.views import other_world, redact, view
from tests.engines.pepper.positions import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    KEY,
    SPADES,
    act,
    deck,
    match,
)

ROTATED = deck(
    ["9C", "10C", "JD", "QD", "9H", "10S"],
    ["JC", "QC", "9D", "10D", "JH", "AS"],
    ["KC", "AC", "KD", "AD", "KH", "KS"],
)


def cards_in(value: object) -> set[str]:
    text = msgspec.json.encode(value).decode()
    return {card for card in CLUBS + DIAMONDS + HEARTS + SPADES if f'"{card}"' in text}


def test_a_seat_sees_its_own_cards_and_what_was_played() -> None:
    state, dealer = match(ROTATED)
    act(state, dealer, "big", "C", "JC")
    for seat in range(4):
        own = set(state.hand.hands[seat]) | {"JC"}
        assert cards_in(view(state, seat)) == own
    assert cards_in(view(state, None)) == {"JC"}


def test_dealt_cards_are_their_owners_alone() -> None:
    event = Dealt(1, ("9C", "AS"))
    assert redact(event, 1) == event
    assert [redact(event, viewer) for viewer in (0, 2, None)] == [None] * 3
    assert redact(Played(1, "9C"), None) == Played(1, "9C")


def test_the_third_hand_of_two_is_in_no_view() -> None:
    state, dealer = match(seats=2)
    dead = set(state.hand.dead)
    act(state, dealer, "pass", "big", None)
    while (seat := state.hand.turn) is not None and state.number == 1:
        for viewer in (0, 1, None):
            assert not cards_in(view(state, viewer)) & dead
        legal = GAME.legal(state, seat).actions
        GAME.apply(state, seat, legal[0], dealer)
    assert not {card for event in state.last for card in cards_in(event)} & dead


def test_trump_is_a_word_once_it_is_named() -> None:
    state, dealer = match(ROTATED)
    act(state, dealer, "big")
    assert view(state, None).trump is None
    act(state, dealer, None)
    assert view(state, None).trump == "none"


def test_trick_and_last_trick() -> None:
    state, dealer = match(ROTATED)
    act(state, dealer, "big", None, "JC", "KC", "AH", "9C")
    seen = view(state, None)
    assert seen.last_trick == [
        TrickCard(1, "JC"),
        TrickCard(2, "KC"),
        TrickCard(3, "AH"),
        TrickCard(0, "9C"),
    ]
    assert (seen.trick, seen.tricks, seen.turn) == ([], [0, 0, 1, 0], 2)
    assert seen.played == ["JC", "KC", "AH", "9C"]
    assert seen.sides == [0, 1, 0, 1]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_other_worlds_keep_what_was_shown(viewer: int | None) -> None:
    state, dealer = match(ROTATED)
    act(state, dealer, "big", None, "JC", "KC", "AH", "9C")
    stream, hands = Stream(KEY, "worlds"), set()
    for _ in range(50):
        world = other_world(state, viewer, stream)
        assert view(world, viewer) == view(state, viewer)
        assert not {"10C", "QC", "AC"} & set(world.hand.hands[3])
        hands.add(tuple(world.hand.hands[2]))
    assert len(hands) > 10


def test_other_worlds_reach_the_dead_hand() -> None:
    state, _ = match(seats=2)
    stream = Stream(KEY, "worlds")
    dead = {card for _ in range(40) for card in other_world(state, 0, stream).hand.dead}
    assert dead == set(state.hand.dead) | set(state.hand.hands[1])
