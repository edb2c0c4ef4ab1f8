from __future__ import annotations

import os

import pytest

from engines.kit.botplay import bot_step
from engines.kit.contract import Action, Ask, Decline
from engines.kit.dealer import Dealer
from engines.kit.playout import take
from engines.kit.stream import Stream
from engines.peeper import GAME
from engines.peeper.bot import choose_random, choose_steady, plays_needed
from engines.peeper.messages import Mine, Pass, Play
from engines.peeper.state import State
from tests.engines.peeper.tables import table, tiles

ROUNDS = int(os.environ.get("HANPAN_BOT_ROUNDS", "200"))
"""500 rounds show it; fewer are enough to notice when it is lost."""

STREAM = Stream(b"bot", "test")


def turn(state: State) -> Action:
    seat = state.turn
    legal = GAME.legal(state, seat)
    ask = Ask("turn", legal.actions, GAME.default(state, seat), legal.more)
    return choose_steady(GAME.view(state, seat), ask, STREAM)


def claim(state: State, seat: int) -> Action:
    offer = GAME.offer(state)
    assert offer is not None
    ask = Ask("claim", list(offer.legal), Decline(), can=GAME.can(state, seat))
    return choose_steady(GAME.view(state, seat), ask, STREAM)


def steady_wins(number: int) -> bool:
    """Whether the one steady seat goes out first against three random ones; it moves on each round."""
    key = b"steady" + number.to_bytes(4, "big")
    dealer, steady = Dealer(key), number % 4
    state, _ = GAME.start(GAME.options(), 4, dealer)
    bots = [GAME.bots["steady" if seat == steady else "random"] for seat in range(4)]
    streams = [Stream(key, f"bot:{seat}") for seat in range(4)]
    while not state.finished:
        take(GAME, state, dealer, bot_step(GAME, state, bots, streams))
    return not state.hands[steady]


def test_steady_beats_random() -> None:
    wins = sum(steady_wins(number) for number in range(ROUNDS))
    assert wins >= 0.6 * ROUNDS


def test_steady_goes_out_where_it_can() -> None:
    assert turn(table(["5 5 5 5", "6 7"])) == Play(tiles("5 5 5 5"))


def test_steady_leads_long_combinations_first() -> None:
    assert turn(table(["3 4 5 6 7 15", "6 7"])) == Play(tiles("3 4 5 6 7"))


def test_steady_keeps_bombs_and_x_while_nobody_is_nearly_out() -> None:
    hand = "9 9 9 X 2 3 4 5 6 11 12 13 14"
    state = table(["8 1 1 1 2 2", hand])
    GAME.apply(state, 0, Play(["8"]), Dealer(b"k"))
    answer = turn(state)
    assert isinstance(answer, Pass | Play)
    assert not isinstance(answer, Play) or answer.tiles not in (["X"], tiles("9 9 9"))


def test_steady_mines_what_it_can_and_declines_the_rest() -> None:
    state = table(["5 9 9", "6 7", "5 5 8"])
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert claim(state, 2) == Mine(["5", "5"])
    assert claim(state, 1) == Decline()


def test_steady_mines_without_an_x_if_it_can() -> None:
    state = table(["5 9 9", "6 7", "5 5 X"], wild_mine=True)
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    assert claim(state, 2) == Mine(["5", "5"])


@pytest.mark.parametrize(
    ("text", "plays"), [("5", 1), ("5 5 5", 1), ("3 4 5 6", 1), ("3 4 5 6 6", 2), ("3 9 15", 3)]
)
def test_plays_needed(text: str, plays: int) -> None:
    have = [0] * 17
    for tile in tiles(text):
        have[int(tile)] += 1
    assert plays_needed(have) == plays


def test_random_takes_every_action_with_the_same_chance() -> None:
    state = table(["5 9", "6 7"])
    legal = GAME.legal(state, 0).actions
    ask = Ask("turn", legal, GAME.default(state, 0))
    view = GAME.view(state, 0)
    stream = Stream(b"k", "random")
    drawn = [choose_random(view, ask, stream) for _ in range(400)]
    assert {legal.index(action) for action in drawn} == {0, 1}
    assert 150 < drawn.count(legal[0]) < 250


def test_random_claims_only_what_it_can() -> None:
    state = table(["5 9 9", "6 7", "5 5 8"])
    GAME.apply(state, 0, Play(["5"]), Dealer(b"k"))
    offer = GAME.offer(state)
    assert offer is not None
    stream = Stream(b"k", "random")
    answers = []
    for seat, can in ((1, False), (2, True)):
        ask = Ask("claim", list(offer.legal), Decline(), can=can)
        drawn = [choose_random(GAME.view(state, seat), ask, stream) for _ in range(50)]
        answers.append({type(action) for action in drawn})
    assert answers == [{Decline}, {Mine, Decline}]
