from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.kit.contract import Action, Decline, Event, Refused
from engines.kit.dealer import Dealer
from engines.peeper import GAME
from engines.peeper.messages import (
    CountAnnounced,
    Mine,
    Mined,
    Pass,
    Passed,
    Play,
    Played,
    Return,
    RoundEnded,
    RoundStarted,
    StarterFound,
    TrickWon,
)
from engines.peeper.rules import hand_size
from engines.peeper.state import State
from engines.peeper.tiles import PIECES
from tests.engines.peeper.tables import table, tiles

DEALER = Dealer(b"rules")


def act(state: State, seat: int, action: Action) -> list[Event]:
    return GAME.apply(state, seat, action, Dealer(b"rules"))


def lay(state: State, seat: int, text: str) -> list[Event]:
    return act(state, seat, Play(tiles(text)))


def rule(state: State, seat: int, action: Action) -> Refused:
    with pytest.raises(Refused) as refused:
        GAME.check(state, seat, action)
    return refused.value


# -- deal ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("seats", "each"), [(2, 16), (3, 16), (4, 16), (5, 12), (6, 10)])
def test_deal(seats: int, each: int) -> None:
    assert hand_size(seats) == each
    state, events = GAME.start(GAME.options(), seats, Dealer(b"deal"))
    assert [len(hand) for hand in state.hands] == [each] * seats
    dealt = Counter(tile for pile in [*state.hands, state.unused] for tile in pile)
    assert dealt == Counter(PIECES)
    assert isinstance(events[0], RoundStarted)
    assert isinstance(events[1], StarterFound)
    assert GAME.turn(state) == events[1].seat


def test_seat_0_takes_the_first_block_whoever_starts() -> None:
    deck: list[str] = list(PIECES)
    state, _ = GAME.start(GAME.options(), 5, Dealer(b"deal", [deck]))
    assert state.hands[0] == list(PIECES[:12])
    assert state.hands[4] == list(PIECES[48:60])
    assert state.unused == list(PIECES[60:])


# -- turns ---------------------------------------------------------------------------------------------
def test_a_play_goes_on_top_and_the_turn_to_the_next() -> None:
    state = table(["5 5 9", "6 6 7", "8 8 9"])
    events = lay(state, 0, "5 5")
    assert events == [Played(0, tiles("5 5"), "pair", 5, 1), CountAnnounced(1, 3)]
    assert GAME.turn(state) == 1
    assert state.top is not None
    assert (state.top.seat, state.top.low) == (0, 5)


def test_counterclockwise_goes_the_other_way() -> None:
    state = table(["5 9", "6 7", "8 9"], direction="counterclockwise")
    lay(state, 0, "5")
    assert GAME.turn(state) == 2
    assert GAME.order(state, 0) == [2, 1]


def test_when_all_others_have_passed_the_last_to_play_leads() -> None:
    state = table(["5 9 9", "6 7 7", "8 8 3"])
    lay(state, 0, "5")
    act(state, 1, Pass())
    lay(state, 2, "8")
    act(state, 0, Pass())
    events = act(state, 1, Pass())
    assert events == [Passed(1), TrickWon(2), CountAnnounced(2, 2)]
    assert GAME.turn(state) == 2
    assert state.top is None
    assert rule(state, 2, Pass()).rule == "leader_passes"


def test_a_pass_does_not_lock_a_player_out() -> None:
    state = table(["5 9 9", "6 7 7", "8 8 3"])
    lay(state, 0, "5")
    act(state, 1, Pass())
    lay(state, 2, "8")
    lay(state, 0, "9")
    GAME.check(state, 1, Pass())
    assert state.passed == []
    assert rule(state, 1, Play(["7"])).rule == "not_higher"


@pytest.mark.parametrize(
    ("seat", "action", "broken", "code"),
    [
        (1, Play(["6"]), "not_your_turn", "not_your_turn"),
        (1, Pass(), "not_your_turn", "not_your_turn"),
        (0, Mine(["5", "5"]), "no_turn_action", "illegal_action"),
        (0, Return(["5"]), "no_turn_action", "illegal_action"),
        (0, Decline(), "no_turn_action", "illegal_action"),
    ],
)
def test_what_is_no_turn_action(seat: int, action: Action, broken: str, code: str) -> None:
    refused = rule(table(["5 5", "6 7"]), seat, action)
    assert (refused.rule, refused.code) == (broken, code)


def test_a_refused_action_leaves_the_state_as_it_was() -> None:
    state = table(["5 9", "6 7"])
    lay(state, 0, "5")
    before = GAME.view(state, None), state.chance
    with pytest.raises(Refused):
        lay(state, 1, "9")
    assert (GAME.view(state, None), state.chance) == before


def test_the_red_one_is_named_as_it_is_held() -> None:
    state = table(["1r 9", "6 7"])
    assert rule(state, 0, Play(["1"])).rule == "not_held"
    events = lay(state, 0, "1r")
    assert events[0] == Played(0, ["1r"], "single", 1, 1)


def test_time_outs_pass_and_leaders_lay_their_lowest() -> None:
    state = table(["3 5 X", "X X"])
    assert GAME.default(state, 0) == Play(["3"])
    act(state, 0, GAME.default(state, 0))
    assert GAME.default(state, 1) == Pass()
    assert GAME.default(table(["X X", "3"]), 0) == Play(["X"])


# -- Mine and Return -----------------------------------------------------------------------------------
def test_a_mine_takes_the_lead() -> None:
    state = table(["5 9", "6 7", "5 5 8 8"])
    lay(state, 0, "5")
    events = GAME.settle(state, [(2, Mine(["5", "5"]))], DEALER)
    assert events == [Mined(2, tiles("5 5"), 2)]
    assert GAME.turn(state) == 2
    assert state.top is None
    assert state.hands[2] == tiles("8 8")


def test_a_leader_may_play_beside_the_return_window() -> None:
    state = table(["5 9", "6 7", "5 5 8 8 2"])
    lay(state, 0, "5")
    GAME.settle(state, [(2, Mine(["5", "5"]))], DEALER)
    lay(state, 2, "8 8")
    assert GAME.offer(state) is None


def test_nothing_follows_a_return() -> None:
    state = table(["5 5 9", "6 7", "5 5 8 8"])
    lay(state, 0, "5")
    GAME.settle(state, [(2, Mine(["5", "5"]))], DEALER)
    GAME.settle(state, [(0, Return(["5"]))], DEALER)
    assert GAME.offer(state) is None
    assert GAME.turn(state) == 0
    assert state.top is None


@pytest.mark.parametrize("tile", ["5", "X"])
def test_a_mine_with_the_last_tiles_wins_on_the_spot(tile: str) -> None:
    state = table([f"{tile} 9", "6 7", f"{tile} {tile}"])
    lay(state, 0, tile)
    events = GAME.settle(state, [(2, Mine([*tiles(tile), *tiles(tile)]))], DEALER)
    assert isinstance(events[-1], RoundEnded)
    assert events[-1].winner == 2
    assert GAME.outcome(state).finished
    assert GAME.offer(state) is None


def test_only_one_claim_can_win() -> None:
    state = table(["5 9", "5 5 1", "5 5 8"])
    lay(state, 0, "5")
    with pytest.raises(ValueError, match="only one"):
        GAME.settle(state, [(1, Mine(["5", "5"])), (2, Mine(["5", "5"]))], DEALER)


# -- announcements ---------------------------------------------------------------------------------------
def test_a_short_hand_is_called_with_the_play_and_at_the_start_of_each_turn() -> None:
    state = table(["2 3 4 5 6 7 8", "9 10 11 12 13 14"])
    assert lay(state, 0, "2") == [Played(0, ["2"], "single", 2, 6)]
    assert lay(state, 1, "9") == [Played(1, ["9"], "single", 9, 5)]
    assert state.announced == [False, True]
    assert act(state, 0, Pass()) == [Passed(0), TrickWon(1), CountAnnounced(1, 5)]


def test_a_mine_names_what_is_left_once() -> None:
    state = table(["5 9 9", "6 7", "5 5 8 8"])
    lay(state, 0, "5")
    events = GAME.settle(state, [(2, Mine(["5", "5"]))], DEALER)
    assert [type(event) for event in events] == [Mined]
    assert state.announced[2]


def test_no_call_above_the_threshold() -> None:
    state = table(["5 9", "6 7"], announce_at=1)
    assert lay(state, 0, "5")[1:] == []
    state = table(["5 9", "6 7"], announce_at=0)
    assert lay(state, 0, "5")[1:] == []


# -- the end of a round ----------------------------------------------------------------------------------
def test_going_out_ends_the_round_and_the_match_of_one() -> None:
    state = table(["5", "6 7 8", "9 X"])
    events = lay(state, 0, "5")
    assert events[1:] == [
        RoundEnded(
            round=1,
            winner=0,
            places=[1, 3, 2],
            points=[3, 1, 2],
            left=[0, 3, 2],
            scores=[3, 1, 2],
        )
    ]
    assert GAME.turn(state) is None
    outcome = GAME.outcome(state)
    assert (outcome.scores, outcome.places) == ([3, 1, 2], [1, 3, 2])
    assert GAME.hands(state) == [[], tiles("6 7 8"), tiles("9 X")]
    assert rule(state, 1, Play(["6"])).code == "match_over"


@pytest.mark.parametrize(
    ("options", "points", "sums"),
    [
        ({}, [4, 3, 3, 1], None),
        ({"tie": "sum"}, [4, 2, 3, 1], [0, 31, 13, 6]),
        ({"rank_by": "sum"}, [4, 1, 2, 3], [0, 31, 13, 6]),
    ],
)
def test_ranking(options: dict[str, Any], points: list[int], sums: list[int] | None) -> None:
    state = table(["5", "15 X", "6 7", "1 2 3"], **options)
    ended = lay(state, 0, "5")[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.points, ended.sums) == (points, sums)


def test_the_next_round_is_dealt_the_moment_a_round_ends() -> None:
    state = table(["5", "6 7", "8 9"], rounds=2)
    events = lay(state, 0, "5")
    assert [type(event) for event in events[1:4]] == [RoundEnded, RoundStarted, StarterFound]
    assert state.round == 2
    assert [len(hand) for hand in state.hands] == [16] * 3
    assert state.scores == [3, 2, 2]
    assert state.sheet == [[3, 2, 2]]
    assert (state.top, state.last, state.chance) == (None, None, None)
    assert not GAME.outcome(state).finished


def test_equal_totals_share_the_place() -> None:
    state = table(["5", "6 7", "8 9"])
    lay(state, 0, "5")
    assert GAME.outcome(state).places == [1, 2, 2]


# -- direction ---------------------------------------------------------------------------------------------
def test_a_random_direction_is_drawn_once_a_match_and_stored_as_drawn() -> None:
    options = GAME.options("standard", {"direction": "random"})
    drawn = set()
    for number in range(20):
        state, events = GAME.start(options, 3, Dealer(bytes([number])))
        assert isinstance(events[0], RoundStarted)
        assert state.options.direction == events[0].direction
        drawn.add(state.options.direction)
    assert drawn == {"clockwise", "counterclockwise"}


def test_a_match_under_its_drawn_direction_is_the_same_match() -> None:
    options = GAME.options("standard", {"direction": "random", "rounds": 3})
    one, dealer = Dealer(b"same"), Dealer(b"same")
    drawn, _ = GAME.start(options, 2, one)
    again, _ = GAME.start(drawn.options, 2, dealer)
    assert again == drawn
    assert one == dealer
