"""The match: booked points, thrown-in hands, explicit decks, the end."""

from __future__ import annotations

from engines.kit.dealer import Dealer
from engines.pepper.hand import legal
from engines.pepper.match import apply
from engines.pepper.messages import (
    Dealt,
    HandScored,
    HandStarted,
    MatchEnded,
    Pass,
    PepperOptions,
)
from engines.pepper.state import PepperState
from tests.engines.pepper.positions import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    act,
    deck,
    match,
)

SUITED = deck(CLUBS, DIAMONDS, HEARTS, SPADES)
MIXED = deck(SPADES, HEARTS, DIAMONDS, CLUBS)


def play_out(state: PepperState, dealer: Dealer) -> list[object]:
    """Everybody plays his first legal card to the end of the hand; the last action's events."""
    number, events = state.number, []
    while state.number == number and (seat := state.hand.turn) is not None:
        events = apply(state, seat, legal(state.hand, state.options)[0], dealer)
    return list(events)


def test_a_thrown_in_hand_takes_a_deck_and_scores_nothing() -> None:
    state, dealer = match(SUITED, MIXED, first=1)
    act(state, dealer, "pass", "pass", "pass")
    assert state.hand.turn == 1
    events = apply(state, 1, Pass(), dealer)
    assert events[2:4] == [HandStarted(2, 2, 6), Dealt(0, tuple(SPADES))]
    assert (state.number, state.scores, state.hand.turn) == (2, [0, 0], 3)


def test_the_same_dealer_deals_again() -> None:
    state, dealer = match(SUITED, options=PepperOptions(all_pass="same_dealer"), first=1)
    act(state, dealer, "pass", "pass", "pass", "pass")
    assert state.hand.dealer == 1


def test_a_hand_is_booked_for_both_partners_and_the_next_is_dealt() -> None:
    state, dealer = match(SUITED, MIXED)
    act(state, dealer, "pass", "pass", "big", None)
    events = play_out(state, dealer)
    assert events[2] == HandScored(3, "big", True, 6, (0, 12, 0, 12), (0, 12, 0, 12))
    assert events[3] == HandStarted(2, 1, 6)
    assert (state.scores, state.hand.dealer, state.hand.hands[0]) == ([0, 12], 1, SPADES)


def test_a_failed_contract_lets_the_others_keep_their_tricks() -> None:
    state, dealer = match(SUITED, MIXED)
    act(state, dealer, 2, "pass", "pass", "pass", "H")
    events = play_out(state, dealer)
    assert events[2] == HandScored(1, 2, False, 1, (5, -6, 5, -6), (5, -6, 5, -6))


def test_a_contract_kept_scores_all_tricks() -> None:
    state, dealer = match(SUITED, MIXED)
    act(state, dealer, 1, "pass", "pass", "pass", "H")
    events = play_out(state, dealer)
    assert events[2] == HandScored(1, 1, True, 1, (5, 1, 5, 1), (5, 1, 5, 1))


def test_the_match_ends_after_a_complete_hand() -> None:
    state, dealer = match(SUITED, options=PepperOptions(target=5))
    act(state, dealer, 2, "pass", "pass", "pass", "H")
    events = play_out(state, dealer)
    assert events[-1] == MatchEnded((0, 2), (5, -6, 5, -6))
    assert (state.hand.phase, state.hand.turn, dealer.deals) == ("over", None, 1)
    assert state.hand.hands == [[], [], [], []]


def test_the_match_goes_on_below_the_target() -> None:
    state, dealer = match(SUITED, options=PepperOptions(target=6))
    act(state, dealer, 2, "pass", "pass", "pass", "H")
    play_out(state, dealer)
    assert (state.number, state.hand.turn, dealer.deals) == (2, 2, 2)


def test_an_exact_tie_shares_the_win() -> None:
    state, dealer = match(SUITED, options=PepperOptions(target=6))
    state.scores = [1, 5]
    act(state, dealer, 1, "pass", "pass", "pass", "H")
    events = play_out(state, dealer)
    assert events[-1] == MatchEnded((0, 1, 2, 3), (6, 6, 6, 6))


def test_two_seats_leave_a_third_hand_out() -> None:
    state, _ = match(list(reversed(SUITED)), seats=2)
    assert (len(state.hand.dead), len(state.scores)) == (8, 2)
    assert sorted(state.hand.dead) == sorted(SUITED[:8])


def test_first_deals_first() -> None:
    for first in range(3):
        state, _ = match(SUITED, seats=3, first=first)
        assert (state.hand.dealer, state.hand.turn) == (first, (first + 1) % 3)
