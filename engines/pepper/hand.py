"""One hand: what may be done when, and what it leads to (rules/pepper: Bidding, Play)."""

from __future__ import annotations

from engines.kit.contract import Action, Event, Refused
from engines.pepper import auction as auctions
from engines.pepper.cards import TRUMPS, WORTH, follows, in_order, winner
from engines.pepper.messages import (
    AuctionWon,
    BidMade,
    MakeBid,
    NameTrump,
    Pass,
    Passed,
    PepperOptions,
    Play,
    Played,
    ThrownIn,
    TrickCard,
    TrickWon,
    TrumpNamed,
)
from engines.pepper.scoring import hand_size
from engines.pepper.state import Hand


def deal(deck: list[str], dealer: int, seats: int) -> Hand:
    """A hand from a deck: seat 0 takes the first block whoever deals; what is left is dead."""
    size = hand_size(seats)
    hands = [in_order(deck[seat * size : (seat + 1) * size]) for seat in range(seats)]
    return Hand(
        dealer=dealer,
        hands=hands,
        dead=deck[seats * size :],
        auction=auctions.opened(dealer, seats),
        tricks=[0] * seats,
        voids=[[] for _ in range(seats)],
    )


def check(hand: Hand, options: PepperOptions, seat: int, action: Action) -> None:
    """Raise Refused unless the seat may do this now."""
    if hand.phase == "over":
        raise Refused("match_over", "match_over")
    if seat != hand.turn:
        raise Refused("not_your_turn", "not_your_turn")
    match hand.phase, action:
        case "bidding", MakeBid(bid):
            auctions.check(hand.auction, options, bid)
        case "bidding", Pass():
            auctions.check(hand.auction, options, None)
        case "trump", NameTrump():
            pass
        case "play", Play(card):
            _check_play(hand, seat, card)
        case phase, _:
            raise Refused(f"{phase}_phase")


def _check_play(hand: Hand, seat: int, card: str) -> None:
    if card not in hand.hands[seat]:
        raise Refused("not_in_hand", card=card)
    if hand.trick:
        led = hand.trick[0].card
        if card not in follows(hand.hands[seat], led, hand.trump):
            raise Refused("follow_suit", card=card, suit=WORTH[hand.trump][led][0])


def legal(hand: Hand, options: PepperOptions) -> list[Action]:
    """What the seat to act may do: pass, then bids from the lowest; trumps C D H S, none; cards in the
    order of the hand."""
    seat = hand.turn
    match hand.phase:
        case "bidding":
            bids = [MakeBid(bid) for bid in auctions.higher(hand.auction)]
            return bids if auctions.stuck(hand.auction, options) else [Pass(), *bids]  # type: ignore[return-value]  # a list of one kind
        case "trump":
            return [NameTrump(suit) for suit in TRUMPS]
        case "play":
            assert seat is not None
            led = hand.trick[0].card if hand.trick else None
            cards = follows(hand.hands[seat], led, hand.trump)
            return [Play(card) for card in cards]  # type: ignore[arg-type]  # cards of a hand
    return []


def play(hand: Hand, options: PepperOptions, seat: int, action: Action) -> list[Event]:
    """Do it: change the hand in place, return what happened. Raises Refused.

    A hand that is over has the phase `over`; it was thrown in if no trick was played.
    """
    check(hand, options, seat, action)
    match action:
        case MakeBid(bid):
            auctions.call(hand.auction, options, bid)
            return [BidMade(seat, bid, hand.auction.turn), *_after_call(hand)]
        case Pass():
            auctions.call(hand.auction, options, None)
            return [Passed(seat, hand.auction.turn), *_after_call(hand)]
        case NameTrump(suit):
            hand.trump, hand.phase, hand.leader = suit, "play", seat
            return [TrumpNamed(seat, suit)]
        case Play(card):
            return _play_card(hand, seat, card)
    raise TypeError(f"not an action of this game: {action!r}")


def _after_call(hand: Hand) -> list[Event]:
    auction = hand.auction
    if auction.turn is not None:
        return []
    if auction.best is None or auction.by is None:
        hand.phase = "over"
        return [ThrownIn()]
    hand.phase = "trump"
    return [AuctionWon(auction.by, auction.best)]


def _play_card(hand: Hand, seat: int, card: str) -> list[Event]:
    worth = WORTH[hand.trump]
    if hand.trick:
        suit = worth[hand.trick[0].card][0]
        if worth[card][0] != suit and suit not in hand.voids[seat]:
            hand.voids[seat] = [*hand.voids[seat], suit]
    hand.hands[seat] = left = [other for other in hand.hands[seat] if other != card]
    hand.trick = [*hand.trick, TrickCard(seat, card)]
    events: list[Event] = [Played(seat, card)]
    if len(hand.trick) == len(hand.hands):
        cards = [play.card for play in hand.trick]
        best = hand.trick[winner(cards, hand.trump)]
        hand.leader = best.seat
        hand.tricks = [*hand.tricks]
        hand.tricks[best.seat] += 1
        hand.played = hand.played + cards
        hand.last_trick, hand.trick = hand.trick, []
        events.append(TrickWon(best.seat, best.card, tuple(hand.tricks)))
        if not left:
            hand.phase = "over"
    return events
