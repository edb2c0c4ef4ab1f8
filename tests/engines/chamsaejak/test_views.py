"""What viewers see, what they do not, and how events carry a view on."""

from __future__ import annotations

from itertools import chain
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import RON, TSUMO, Dealt, Discarded, Drew, FalseWin, View, Won
from engines.chamsaejak.state import Match, show, unshow
from engines.kit.contract import Event, Viewer
from engines.kit.dealer import Dealer
from engines.kit.playout import random_steps, take
from engines.kit.stream import Stream
from tests.engines.chamsaejak.situations import begin, discard, everyone, throw

HANDS = ["5 5 5 7 7", "1 2 3 F F", "1 2 3 F C"]


def _fold(view: View, events: list[Event], viewer: Viewer) -> View:
    for event in events:
        seen = GAME.redact(event, viewer)
        if seen is not None:
            view = GAME.fold(view, seen)
    return view


def _wire(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _all_tiles(state: Match) -> list[str]:
    return sorted([*chain.from_iterable(state.hands), *state.stock])


def test_own_view_and_foreign_view_of_a_turn() -> None:
    state, _ = begin(HANDS, "8", "7r")
    own, other, spectator = (GAME.view(state, viewer) for viewer in (0, 1, None))
    assert own.hand == ["5", "5", "5", "7", "7", "7r"]
    assert own.drawn == "7r"
    assert other.hand == ["1", "2", "3", "F", "F"]
    assert spectator.hand == []
    for view in (own, other, spectator):
        assert (view.turn, view.opener, view.discard) == (0, None, None)
        assert view.counts == [6, 5, 5]
        assert (view.stock, view.dora, view.dealer) == (27, "8", 0)
        assert (view.round, view.hands_in_match) == (1, 12)
    assert b"drawn" not in _wire(other)
    assert b"7" not in _wire(other.hand + spectator.hand)


def test_view_of_a_window() -> None:
    state, dealer = begin(HANDS, "8", "7r")
    discard(state, dealer, "7r")
    for viewer in everyone(state):
        view = GAME.view(state, viewer)
        assert (view.turn, view.opener, view.discard, view.drawn) == (None, 0, "7r", None)
        assert view.discards == [["7r"], [], []]
        assert view.last == [Discarded(seat=0, tile="7r")]


def test_options_that_matter_to_play_are_in_view() -> None:
    state, _ = begin(HANDS, "8", all_green_allows_red=True, false_win="penalty")
    view = GAME.view(state, None)
    assert view.all_green_allows_red
    assert view.false_win == "penalty"


def test_a_discard_does_not_tell_whether_the_tile_was_just_drawn() -> None:
    drawn, dealer = begin(HANDS, "8", "C")
    held, other = begin(["5 5 5 7 C", *HANDS[1:-1], "1 2 3 F C"], "8", "7")
    one = discard(drawn, dealer, "C")
    two = discard(held, other, "C")
    for viewer in (1, 2, None):
        assert [GAME.redact(e, viewer) for e in one] == [GAME.redact(e, viewer) for e in two]
        assert _wire(GAME.view(drawn, viewer)) == _wire(GAME.view(held, viewer))


def test_deals_and_draws_are_redacted() -> None:
    hands = [["1"] * 5, ["2"] * 5]
    dealt = Dealt(round=1, dealer=0, dora="5", stock=33, hands=hands)
    assert GAME.redact(dealt, 1) == Dealt(round=1, dealer=0, dora="5", stock=33, hand=["2"] * 5)
    assert GAME.redact(dealt, None) == Dealt(round=1, dealer=0, dora="5", stock=33)
    drew = Drew(seat=0, stock=32, tile="9r")
    assert GAME.redact(drew, 0) == drew
    assert GAME.redact(drew, 1) == GAME.redact(drew, None) == Drew(seat=0, stock=32)


def test_a_declared_win_shows_its_tiles_until_they_are_discarded() -> None:
    state, dealer = begin(HANDS, "8", "9 1r 2r", false_win="penalty")
    (false,) = GAME.apply(state, 0, TSUMO, dealer)
    assert isinstance(false, FalseWin)
    assert GAME.redact(false, None) == false
    assert GAME.view(state, 1).shown == [["5", "5", "5", "7", "7", "9"], [], []]
    assert GAME.view(state, 1).only_discard
    throw(state, dealer, "9")
    assert GAME.view(state, None).shown == [["5", "5", "5", "7", "7"], [], []]
    assert not GAME.view(state, None).only_discard


def test_what_is_known_of_shown_tiles() -> None:
    shown = show([], 1, ["5", "5", "7"], 2)
    assert shown == [[], ["5", "5", "7"]]
    assert unshow(shown, 1, "5") == [[], ["5", "7"]]
    assert unshow(shown, 1, "9") == shown
    assert unshow(shown, 0, "5") == shown
    assert unshow([[], ["5"]], 1, "5") == []
    assert shown == [[], ["5", "5", "7"]]


def test_a_false_ron_shows_the_five_in_hand() -> None:
    state, dealer = begin(HANDS, "8", "C", false_win="penalty")
    discard(state, dealer, "C")
    GAME.settle(state, [(2, RON)], dealer)
    assert GAME.view(state, 0).shown == [[], [], ["1", "2", "3", "F", "C"]]


def test_the_last_hands_end_stays_in_view_until_the_next_discard() -> None:
    state, dealer = begin(HANDS, "8", "7")
    GAME.apply(state, 0, TSUMO, dealer)
    (won,) = GAME.view(state, None).last
    assert isinstance(won, Won)
    assert GAME.view(state, None).shown == []
    throw(state, dealer, state.drawn or "")
    assert [type(event) for event in GAME.view(state, None).last] == [Discarded]


@settings(max_examples=15, deadline=None)
@given(st.binary(min_size=8, max_size=8), st.integers(2, 5), st.sampled_from(["refuse", "penalty"]))
def test_folded_views_are_fresh_views(key: bytes, seats: int, false_win: str) -> None:
    dealer = Dealer(key)
    options = GAME.options("standard", {"rounds": 1, "false_win": false_win})
    state, _ = GAME.start(options, seats, dealer)
    views = {viewer: GAME.view(state, viewer) for viewer in everyone(state)}
    for step in random_steps(GAME, state, dealer, Stream(key, "test")):
        events = take(GAME, state, dealer, step)
        for viewer in everyone(state):
            views[viewer] = _fold(views[viewer], events, viewer)
            assert _wire(views[viewer]) == _wire(GAME.view(state, viewer))


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_other_worlds_look_the_same_and_hide_something_else(viewer: Viewer) -> None:
    state, dealer = begin(HANDS, "8", "9", false_win="penalty")
    GAME.apply(state, 0, TSUMO, dealer)
    stream = Stream(b"key", "worlds")
    seen: set[tuple[str, ...]] = set()
    for _ in range(20):
        other: Match = GAME.other_world(state, viewer, stream)
        assert _wire(GAME.view(other, viewer)) == _wire(GAME.view(state, viewer))
        assert _all_tiles(other) == _all_tiles(state)
        # What was shown is known to everybody.
        assert other.hands[0] == state.hands[0]
        seen.add(tuple(other.hands[1 if viewer != 1 else 2]))
    assert len(seen) > 10
