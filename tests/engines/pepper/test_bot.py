"""The bots: legal, sensible, and a `steady` pair far better than a `random` one."""

from __future__ import annotations

import os

import pytest

from engines.kit.contract import Action, Ask
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from engines.pepper import GAME, bot
from engines.pepper.messages import MakeBid, NameTrump, Pass, Play
from engines.pepper.state import PepperState
from tests.engines.pepper.positions import KEY, act, deck, match

MATCHES = int(os.environ.get("HANPAN_BOT_MATCHES", "16"))

STRONG = ["JH", "JD", "AH", "KH", "AC", "AS"]
WEAK = ["9C", "10C", "9D", "10D", "9S", "10S"]


def answer(state: PepperState, level: str = "steady") -> Action:
    seat = GAME.turn(state)
    assert seat is not None
    ask = Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))
    return GAME.bots[level](GAME.view(state, seat), ask, Stream(KEY, "bot"))


def wins(matches: int, seats: int) -> int:
    won = 0
    for number in range(matches):
        key = number.to_bytes(32, "big")
        dealer, streams = Dealer(key), [Stream(key, f"bot:{seat}") for seat in range(seats)]
        state, _ = GAME.start(GAME.options(), seats, dealer)
        while (seat := GAME.turn(state)) is not None:
            ask = Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))
            choose = GAME.bots["steady" if seat % 2 == number % 2 else "random"]
            GAME.apply(state, seat, choose(GAME.view(state, seat), ask, streams[seat]), dealer)
        won += GAME.outcome(state).places[number % 2] == 1
    return won


@pytest.mark.parametrize("seats", [2, 4])
def test_steady_beats_random(seats: int) -> None:
    """200 matches with HANPAN_BOT_MATCHES=200."""
    assert wins(MATCHES, seats) >= 0.7 * MATCHES


@pytest.mark.parametrize(
    ("hand", "words", "reply"),
    [
        (STRONG, [], MakeBid(1)),
        (STRONG, [3], MakeBid(4)),
        (WEAK, [2], Pass()),
        (STRONG, [4, "pass", "pass", "pass"], NameTrump("H")),
    ],
)
def test_steady_bids_what_its_hand_is_worth(
    hand: list[str], words: list[int | str], reply: Action
) -> None:
    mine = (1 + len(words)) % 4
    rest = [card for card in deck() if card not in hand]
    hands = [hand if seat == mine else [rest.pop() for _ in range(6)] for seat in range(4)]
    if len(words) == 4:
        hands[1], hands[mine] = hand, [rest.pop() for _ in range(6)] if mine != 1 else hand
    state, dealer = match(deck(*hands))
    act(state, dealer, *words)
    assert answer(state) == reply


def test_steady_does_not_raise_its_partner() -> None:
    rest = [card for card in deck() if card not in STRONG]
    hands = [STRONG if seat == 3 else [rest.pop() for _ in range(6)] for seat in range(4)]
    state, dealer = match(deck(*hands))
    act(state, dealer, 1, "pass")
    assert answer(state) == Pass()


def playing(*hands: list[str], trump: str | None = "H") -> tuple[PepperState, Dealer]:
    """Seat 1 has won the auction and leads."""
    state, dealer = match(deck(*hands))
    act(state, dealer, "big", trump)
    return state, dealer


SOUTH = ["9C", "10C", "AD", "9H", "KS", "QS"]
LEADER = ["JH", "JD", "AC", "10D", "9S", "10S"]
NORTH = ["JC", "QC", "9D", "KH", "AS", "JS"]


def test_steady_leads_the_highest_trump() -> None:
    state, _ = playing(SOUTH, LEADER, NORTH)
    assert answer(state) in (Play("JH"), Play("JD"))


def test_steady_leaves_a_sure_trick_to_its_partner() -> None:
    state, dealer = playing(SOUTH, LEADER, NORTH)
    act(state, dealer, "AC", "QC")
    assert answer(state) == Play("KC")
    act(state, dealer, "KC")
    assert answer(state) == Play("9C")


def test_steady_wins_the_last_card_cheaply() -> None:
    state, dealer = playing(SOUTH, LEADER, NORTH)
    act(state, dealer, "10D", "9D", "QD")
    assert answer(state) == Play("AD")


def test_worth_grows_with_trumps() -> None:
    assert bot.worth(STRONG, "H", 3) > bot.worth(STRONG, "C", 3) > bot.worth(WEAK, "C", 3)
    assert bot.worth(STRONG, "H", 4) == pytest.approx(bot.worth(STRONG, "H", 3) + bot.PARTNER)
    assert bot.worth(["AC", "KC", "QC", "AD"], None, 3) > bot.worth(["9C", "KC"], None, 3)


def test_random_bids_low_and_plays_anything() -> None:
    state, dealer = match()
    stream = Stream(KEY, "random")

    def answers() -> set[Action]:
        seat = GAME.turn(state)
        assert seat is not None
        ask = Ask("turn", GAME.legal(state, seat).actions, GAME.default(state, seat))
        return {bot.random(GAME.view(state, seat), ask, stream) for _ in range(200)}

    assert answers() == {Pass(), MakeBid(1)}
    act(state, dealer, "big")
    assert len(answers()) == 5
    act(state, dealer, None)
    assert len(answers()) == 6


def test_a_stuck_random_bot_bids() -> None:
    options = GAME.options(given={"all_pass": "stick_dealer"})
    state, dealer = match(options=options)
    act(state, dealer, "pass", "pass", "pass")
    assert answer(state, "random") == answer(state) == MakeBid(1)
