"""One hand: phases, refusals, tricks."""

from __future__ import annotations

from copy import deepcopy

import pytest

from engines.kit.contract import Action, Decline, Refused
from engines.pepper.cards import PIECES
from engines.pepper.hand import deal, legal, play
from engines.pepper.messages import (
    AuctionWon,
    BidMade,
    MakeBid,
    NameTrump,
    Pass,
    PepperOptions,
    Play,
    Played,
    ThrownIn,
    TrickWon,
    TrumpNamed,
)
from engines.pepper.state import Hand
from tests.engines.pepper.positions import STANDARD, deck

SOUTH = ["JH", "9D", "AC", "KC", "QC", "10C"]
WEST = ["JD", "9H", "AD", "KD", "QD", "10D"]
NORTH = ["AH", "9C", "JC", "JS", "9S", "10S"]


def dealt() -> Hand:
    """Seat 0 deals, seat 1 speaks first."""
    return deal(deck(SOUTH, WEST, NORTH), 0, 4)


def playing(trump: str | None = "H") -> Hand:
    """Seat 1 has bid big pepper, named trump and leads."""
    hand = dealt()
    play(hand, STANDARD, 1, MakeBid("big"))
    play(hand, STANDARD, 1, NameTrump(trump))  # type: ignore[arg-type]  # a suit
    return hand


def refused(hand: Hand, seat: int, action: Action, options: PepperOptions = STANDARD) -> Refused:
    before = deepcopy(hand)
    with pytest.raises(Refused) as caught:
        play(hand, options, seat, action)
    assert hand == before
    return caught.value


@pytest.mark.parametrize("dealer", [0, 2])
def test_seat_zero_takes_the_first_block_whoever_deals(dealer: int) -> None:
    hand = deal(list(PIECES), dealer, 2)
    assert (hand.hands[0], hand.hands[1]) == (list(PIECES[:8]), list(PIECES[8:16]))
    assert hand.dead == list(PIECES[16:])


@pytest.mark.parametrize(("seats", "size", "dead"), [(2, 8, 8), (3, 8, 0), (4, 6, 0)])
def test_hand_sizes(seats: int, size: int, dead: int) -> None:
    hand = deal(list(PIECES), 0, seats)
    assert ([len(cards) for cards in hand.hands], len(hand.dead)) == ([size] * seats, dead)


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (NameTrump("H"), "bidding_phase"),
        (Play("JD"), "bidding_phase"),
        (Decline(), "bidding_phase"),
        (MakeBid(6), "no_such_bid"),
    ],
)
def test_refused_in_the_auction(action: Action, rule: str) -> None:
    assert refused(dealt(), 1, action).rule == rule


@pytest.mark.parametrize("action", [MakeBid("big"), Pass(), Play("JD")])
def test_refused_before_trump_is_named(action: Action) -> None:
    hand = dealt()
    play(hand, STANDARD, 1, MakeBid("big"))
    assert refused(hand, 1, action).rule == "trump_phase"
    assert refused(hand, 2, NameTrump("C")).code == "not_your_turn"


@pytest.mark.parametrize(
    ("action", "rule"),
    [(Pass(), "play_phase"), (NameTrump("C"), "play_phase"), (Play("AC"), "not_in_hand")],
)
def test_refused_in_play(action: Action, rule: str) -> None:
    assert refused(playing(), 1, action).rule == rule


def test_the_left_bower_follows_trump_and_not_its_printed_suit() -> None:
    hand = playing()
    play(hand, STANDARD, 1, Play("JD"))
    error = refused(hand, 2, Play("9C"))
    assert (error.rule, error.params) == ("follow_suit", {"card": "9C", "suit": "H"})
    assert legal(hand, STANDARD) == [Play("AH")]
    play(hand, STANDARD, 2, Play("AH"))


def test_a_diamond_lead_does_not_call_for_the_left_bower() -> None:
    hand = deal(
        deck(["9D", *SOUTH[2:], "9S"], ["AD", "9H", *WEST[3:], "AS"], ["JD", "9C", *NORTH[2:]]),
        0,
        4,
    )
    play(hand, STANDARD, 1, MakeBid("big"))
    play(hand, STANDARD, 1, NameTrump("H"))
    play(hand, STANDARD, 1, Play("AD"))
    assert len(legal(hand, STANDARD)) == 6
    play(hand, STANDARD, 2, Play("9C"))
    assert hand.voids[2] == ["D"]


def test_the_winner_of_a_trick_leads() -> None:
    hand = playing()
    events = []
    for seat, card in ((1, "AD"), (2, "AH"), (3, "10H"), (0, "9D")):
        events = play(hand, STANDARD, seat, Play(card))  # type: ignore[arg-type]  # cards
    assert events == [Played(0, "9D"), TrickWon(2, "AH", (0, 0, 1, 0))]
    assert (hand.turn, hand.trick, hand.played) == (2, [], ["AD", "AH", "10H", "9D"])
    assert hand.voids == [[], [], ["D"], ["D"]]


def test_the_auction_leads_to_trump_and_the_lead() -> None:
    hand = dealt()
    assert play(hand, STANDARD, 1, MakeBid(2)) == [BidMade(1, 2, 2)]
    play(hand, STANDARD, 2, Pass())
    play(hand, STANDARD, 3, Pass())
    events = play(hand, STANDARD, 0, Pass())
    assert events[1:] == [AuctionWon(1, 2)]
    assert play(hand, STANDARD, 1, NameTrump(None)) == [TrumpNamed(1, None)]
    assert (hand.phase, hand.turn, hand.trump) == ("play", 1, None)


def test_all_pass_throws_the_hand_in() -> None:
    hand = dealt()
    for seat in (1, 2, 3):
        play(hand, STANDARD, seat, Pass())
    events = play(hand, STANDARD, 0, Pass())
    assert events[1:] == [ThrownIn()]
    assert (hand.phase, hand.turn) == ("over", None)
    assert refused(hand, 1, Pass()).code == "match_over"


def test_legal_in_its_documented_order() -> None:
    hand = dealt()
    assert legal(hand, STANDARD) == [
        Pass(),
        *(MakeBid(bid) for bid in (1, 2, 3, 4, 5)),
        MakeBid("small"),
        MakeBid("big"),
    ]
    play(hand, STANDARD, 1, MakeBid("big"))
    assert legal(hand, STANDARD) == [NameTrump(s) for s in ("C", "D", "H", "S", None)]
    play(hand, STANDARD, 1, NameTrump("S"))
    assert legal(hand, STANDARD)[0] == Play("10D")


def test_a_stuck_dealer_has_no_pass() -> None:
    stick = PepperOptions(all_pass="stick_dealer")
    hand = dealt()
    for seat in (1, 2, 3):
        play(hand, stick, seat, Pass())
    assert legal(hand, stick)[0] == MakeBid(1)
    assert refused(hand, 0, Pass(), stick).rule == "stuck_dealer"
