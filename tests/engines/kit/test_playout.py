from __future__ import annotations

from engines.kit.contract import Decline
from engines.kit.dealer import Dealer
from engines.kit.playout import Step, accepted, playout, resolve, take, viewers
from engines.peeper import GAME
from engines.peeper.messages import Mine, Play
from tests.engines.peeper.tables import table


def test_a_playout_ends_and_its_steps_lead_there_again() -> None:
    state, steps = playout(GAME, GAME.options(), 4, b"playout")
    assert GAME.outcome(state).finished
    dealer = Dealer(b"playout")
    again, _ = GAME.start(GAME.options(), 4, dealer)
    for step in steps:
        take(GAME, again, dealer, step)
    assert again == state


def test_viewers_are_all_seats_and_the_spectator() -> None:
    state, _ = GAME.start(GAME.options(), 3, Dealer(b"k"))
    assert viewers(GAME, state) == [0, 1, 2, None]


def test_the_better_claim_wins_and_equals_go_by_turn_order() -> None:
    state = table(["5 9", "5 X 1", "5 X 1", "5 5 1"], wild_mine=True)
    dealer = Dealer(b"k")
    take(GAME, state, dealer, Step(0, Play(["5"])))
    offer = GAME.offer(state)
    assert offer is not None
    wild, natural = Mine(["5", "X"]), Mine(["5", "5"])
    assert resolve(GAME, state, offer, [(2, wild), (1, wild), (3, natural)]).claims == (
        (3, natural),
    )
    assert resolve(GAME, state, offer, [(2, wild), (1, wild)]).claims == ((1, wild),)
    assert resolve(GAME, state, offer, []).claims == ()


def test_accepted_are_the_variants_that_a_seat_may_claim() -> None:
    state = table(["1 9", "1r 1 X", "2 3"], wild_mine=True)
    GAME.apply(state, 0, Play(["1"]), Dealer(b"k"))
    offer = GAME.offer(state)
    assert offer is not None
    assert accepted(GAME, state, 1, offer) == [
        Mine(["1r", "1"]),
        Mine(["1r", "X"]),
        Mine(["1", "X"]),
    ]
    assert accepted(GAME, state, 2, offer) == []
    assert offer.legal[-1] == Decline()
