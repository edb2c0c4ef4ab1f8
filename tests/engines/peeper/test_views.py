from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from engines.kit.contract import Viewer
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from engines.peeper import GAME
from engines.peeper.messages import Last, Mine, Pass, Play, Played, RoundStarted, Top
from engines.peeper.tiles import PIECES
from tests.engines.peeper.tables import table, tiles

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, None)


def test_a_seat_sees_its_own_hand_and_a_spectator_none() -> None:
    state = table(["5 9", "6 7", "8 8"])
    assert [GAME.view(state, viewer).hand for viewer in VIEWERS] == [
        tiles("5 9"),
        tiles("6 7"),
        tiles("8 8"),
        [],
    ]


def test_the_view_shows_the_table() -> None:
    state = table(["5 9", "6 7 7", "8 8"], rounds=3, announce_at=4)
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    GAME.apply(state, 1, Pass(), Dealer(b"k"))
    view = GAME.view(state, None)
    assert view.top == Top(0, ["5"], "single", 5)
    assert view.last == Last(1, "pass")
    assert (view.turn, view.passed, view.counts) == (2, [1], [1, 3, 2])
    assert (view.rounds, view.announce_at) == (3, 4)


def test_defaults_are_left_out_of_the_json() -> None:
    wire = msgspec.json.decode(msgspec.json.encode(GAME.view(table(["5 9", "6 7"]), None)))
    assert wire == {"turn": 0, "counts": [2, 2], "scores": [0, 0]}


# -- counts ----------------------------------------------------------------------------------------------
def test_counts_are_hidden_until_announced() -> None:
    state = table(["5 5 9 9", "6 7 8", "8 8 8"], show_counts="low", announce_at=2)
    assert [GAME.view(state, viewer).counts for viewer in VIEWERS] == [
        [4, None, None],
        [None, 3, None],
        [None, None, 3],
        [None, None, None],
    ]
    GAME.apply(state, 0, Play(["5", "5"]), Dealer(b"k"))
    assert [GAME.view(state, viewer).counts for viewer in VIEWERS] == [
        [2, None, None],
        [2, 3, None],
        [2, None, 3],
        [2, None, None],
    ]


def test_a_hidden_count_is_in_no_event_but_ones_own() -> None:
    state = table(["5 9 9 9", "6 7 8"], show_counts="low", announce_at=2)
    (event,) = GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    own = Played(0, ["5"], "single", 5, left=3)
    assert [GAME.redact(event, viewer) for viewer in (0, 1, None)] == [
        own,
        Played(0, ["5"], "single", 5),
        Played(0, ["5"], "single", 5),
    ]


def test_a_hidden_count_is_in_no_mine_either() -> None:
    state = table(["5 9 9", "5 5 7 8 9", "6"], show_counts="low", announce_at=2)
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    (event,) = GAME.settle(state, [(1, Mine(["5", "5"]))], Dealer(b"k"))
    shown = GAME.redact(event, None)
    assert shown is not None
    assert b"left" not in msgspec.json.encode(shown)
    assert b'"left":3' in msgspec.json.encode(GAME.redact(event, 1))


def test_the_end_shows_all_counts() -> None:
    state = table(["5", "6 7 8"], show_counts="low")
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert GAME.view(state, None).counts == [0, 3]


# -- the deal ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("show_counts", ["always", "low"])
def test_the_deal_shows_everybody_his_own_hand(show_counts: str) -> None:
    options = GAME.options("standard", {"show_counts": show_counts})
    state, events = GAME.start(options, 3, Dealer(b"deal"))
    for viewer in VIEWERS:
        shown = GAME.redact(events[0], viewer)
        assert isinstance(shown, RoundStarted)
        assert shown.hands is None
        assert shown.hand == ([] if viewer is None else state.hands[viewer])
        known = [16 if show_counts == "always" or seat == viewer else None for seat in range(3)]
        assert shown.counts == known
        wire = msgspec.json.encode(shown)
        assert b"secret" not in wire
        assert b"hands" not in wire


# -- other worlds --------------------------------------------------------------------------------------
@pytest.mark.parametrize("viewer", [0, 2, None])
def test_another_world_deals_what_is_hidden_otherwise(viewer: Viewer) -> None:
    state, _ = GAME.start(GAME.options(), 3, Dealer(b"worlds"))
    other = GAME.other_world(state, viewer, Stream(b"k", "w"))
    assert other.hands != state.hands
    assert GAME.view(other, viewer) == GAME.view(state, viewer)
    held = Counter(tile for pile in [*other.hands, other.unused] for tile in pile)
    assert held == Counter(PIECES)
    red = [seat for seat, hand in enumerate(state.hands) if "1r" in hand]
    assert [seat for seat, hand in enumerate(other.hands) if "1r" in hand] == red


def test_what_the_search_for_the_starter_told_stays_true() -> None:
    for key in range(200):
        state, _ = GAME.start(GAME.options(), 2, Dealer(bytes([key])))
        if state.starter.by != "flips":
            continue
        other = GAME.other_world(state, 0, Stream(bytes([key]), "w"))
        assert other.unused[:2] == state.unused[:2]
        assert other.hands[1].count("1") == state.hands[1].count("1")
        assert "1r" not in other.hands[1]
        return
    raise AssertionError("no deal that is decided by flips")
