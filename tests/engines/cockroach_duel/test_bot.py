"""The bots: legal, sensible, and `steady` far better than `random`."""

from __future__ import annotations

import os

import pytest

from engines.cockroach_duel import GAME, bot
from engines.cockroach_duel.match import apply
from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Block,
    Challenge,
    DuelAction,
    Pass,
    Pile,
)
from engines.cockroach_duel.state import DuelState
from engines.kit.contract import Action, Ask
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from tests.engines.cockroach_duel.positions import KEY, deck, match

MATCHES = int(os.environ.get("HANPAN_BOT_MATCHES", "60"))


def answer(state: DuelState, level: str = "steady") -> Action:
    seat = GAME.turn(state)
    assert seat is not None
    ask = Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))
    return GAME.bots[level](GAME.view(state, seat), ask, Stream(KEY, "bot"))


def position(zero: list[str], one: list[str], *actions: DuelAction) -> DuelState:
    state, dealer = match(deck(zero, one))
    for action in actions:
        seat = GAME.turn(state)
        assert seat is not None
        apply(state, seat, action, dealer)
    return state


def wins(matches: int) -> int:
    won = 0
    for number in range(matches):
        key = number.to_bytes(32, "big")
        dealer, streams = Dealer(key), [Stream(key, "zero"), Stream(key, "one")]
        steady = number % 2
        state, _ = GAME.start(GAME.options(), 2, dealer)
        while (seat := GAME.turn(state)) is not None:
            ask = Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))
            choose = GAME.bots["steady" if seat == steady else "random"]
            GAME.apply(state, seat, choose(GAME.view(state, seat), ask, streams[seat]), dealer)
        won += GAME.outcome(state).places[steady] == 1
    return won


def test_steady_beats_random() -> None:
    """500 matches with HANPAN_BOT_MATCHES=500."""
    assert wins(MATCHES) >= 0.6 * MATCHES


def test_steady_attacks_honestly_with_the_strongest_kind() -> None:
    state = position(["fly", "rat", "rat", "bat"], ["toad"] * 4)
    assert answer(state) == Attack("rat", ("rat", "rat"))


def test_steady_ends_the_round_when_ahead() -> None:
    state = position(["fly", "rat", "rat", "bat"], ["rat", "fly", "fly", "bat"], Pass())
    assert answer(state) == Pass()


def test_steady_bluffs_rather_than_lose_by_passing() -> None:
    state = position(["bat", "bat", "toad", "black"], ["fly"] * 4)
    assert answer(state) == Attack("fly", ("black",))


@pytest.mark.parametrize(
    ("claim", "reply"),
    [
        (Attack("rat", ("fly", "fly", "rat")), Challenge()),
        (Attack("fly", ("fly", "fly")), Block("toad", ("toad", "toad"))),
        (Attack("rat", ("rat",)), Pass()),
    ],
)
def test_steady_answers(claim: Attack, reply: Action) -> None:
    assert (
        answer(position(["fly", "fly", "rat", "bat"], ["toad", "toad", "rat", "fly"], claim))
        == reply
    )


@pytest.mark.parametrize(
    ("block", "reply"),
    [(Block("bat", ("bat",)), Accept()), (Block("bat", ("bat", "fly", "fly")), Challenge())],
)
def test_steady_reviews(block: Block, reply: Action) -> None:
    attack = Attack("rat", ("rat", "rat"))
    assert (
        answer(position(["rat", "rat", "bat", "fly"], ["bat", "fly", "fly", "toad"], attack, block))
        == reply
    )


def test_the_chance_of_a_claim() -> None:
    state = position(["rat"] * 3 + ["fly"], ["toad"] * 4, Pass())
    view = GAME.view(state, 0)
    assert bot.chance(view, Pile("rat", 1), 3) == 0
    sixteen, flies = 16, 4
    none = 1.0
    for drawn in range(4):
        none *= (sixteen - flies - drawn) / (sixteen - drawn)
    assert bot.chance(view, Pile("fly", 1), 3) == pytest.approx(1 - none)


def test_random_takes_every_legal_action() -> None:
    state = position(["fly"] * 4, ["toad"] * 4, Attack("fly", ("fly",)))
    seat = GAME.turn(state)
    assert seat is not None
    legal = GAME.legal(state, seat).actions
    ask = Ask("turn", legal, GAME.default(state, seat))
    stream = Stream(KEY, "random")
    taken = {legal.index(bot.random(GAME.view(state, seat), ask, stream)) for _ in range(200)}
    assert taken == set(range(len(legal)))
