"""Two players: `random` plays any legal card, `steady` counts tricks and knows who holds the trick."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.contract import Action, Ask
from engines.kit.stream import Stream
from engines.pepper.cards import (
    LEFT,
    PIECES,
    RIGHT,
    SUITS,
    TRUMPS,
    WORTH,
    Suit,
    follows,
    lowest,
    strength,
    winner,
)
from engines.pepper.messages import MakeBid, NameTrump, Pass, PepperView, Play

TRUMP_TRICKS = {RIGHT: 1.0, LEFT: 0.95, 5: 0.85, 4: 0.65, 3: 0.5, 1: 0.4, 0: 0.35}
"""Tricks to expect of a trump card, by rank."""
PARTNER = 1.2
"""Tricks to expect of a partner."""


def random(view: PepperView, ask: Ask, stream: Stream) -> Action:
    """Any of the legal actions, but in the auction three passes in four and else the lowest bid.

    With all bids equally likely every other contract would be a big pepper, lost, and the scores would
    only fall: such a match does not end.
    """
    if view.phase == "bidding":
        bids = [action for action in ask.legal if isinstance(action, MakeBid)]
        if len(bids) < len(ask.legal) and stream.below(4):
            return Pass()
        return bids[0]
    return stream.choice(ask.legal)


def steady(view: PepperView, ask: Ask, stream: Stream) -> Action:
    """Bid what the hand is worth, draw trumps, win cheaply, leave the partner his tricks."""
    if view.phase == "bidding":
        return _bid(view, ask)
    if view.phase == "trump":
        return NameTrump(max(TRUMPS, key=lambda trump: worth(view.hand, trump, len(view.counts))))
    card = _follow(view) if view.trick else _lead(view)
    choice = Play(card)  # type: ignore[arg-type]  # a hand holds only cards
    return choice if choice in ask.legal else ask.default


def worth(hand: Sequence[str], trump: Suit | None, seats: int) -> float:
    """The tricks that a hand may be expected to take under a trump."""
    cards = [WORTH[trump][card] for card in hand]
    held = {suit: [rank for of, rank in cards if of == suit] for suit in SUITS}
    tricks = 0.0
    for suit, ranks in held.items():
        if suit == trump:
            tricks += sum(TRUMP_TRICKS[rank] for rank in ranks)
            tricks += 0.4 * max(len(ranks) - 3, 0)
        elif trump is None:
            tricks += _running(ranks)
        elif 5 in ranks:
            tricks += 0.75 + (0.25 if 4 in ranks else 0)
        elif 4 in ranks and len(ranks) > 1:
            tricks += 0.3
    return tricks + (PARTNER if seats == 4 else 0)


def _running(ranks: list[int]) -> float:
    """Tricks of a suit in no trump: from the ace down, and the long cards behind them."""
    top = 0
    while 5 - top in ranks:
        top += 1
    if top >= 2:
        return top + 0.5 * (len(ranks) - top)
    if top == 1:
        return 0.9 + 0.15 * (len(ranks) - 1)
    return 0.3 if 4 in ranks and len(ranks) > 1 else 0


def _bid(view: PepperView, ask: Ask) -> Action:
    """The lowest bid that is left, if the hand is worth it; more never gains anything."""
    seats = len(view.counts)
    value = max(worth(view.hand, trump, seats) for trump in TRUMPS)
    bids = [action for action in ask.legal if isinstance(action, MakeBid)]
    if not bids or len(bids) == len(ask.legal):
        return ask.default
    partner_bids = (
        view.declarer is not None and view.declarer != view.seat and _friend(view, view.declarer)
    )
    lowest_bid = bids[0].bid
    if isinstance(lowest_bid, int) and value >= lowest_bid + 0.3 and not partner_bids:
        return bids[0]
    return Pass()


def _friend(view: PepperView, seat: int) -> bool:
    assert view.seat is not None
    return view.sides[seat] == view.sides[view.seat]


def _trump_of(view: PepperView) -> Suit | None:
    return next((suit for suit in SUITS if suit == view.trump), None)


def _masters(view: PepperView, cards: Sequence[str]) -> list[str]:
    """The cards that no unseen card of their suit beats."""
    table = WORTH[_trump_of(view)]
    seen = {*view.hand, *view.played, *(play.card for play in view.trick)}
    unseen = [table[card] for card in PIECES if card not in seen]
    return [
        card
        for card in cards
        if not any(suit == table[card][0] and rank > table[card][1] for suit, rank in unseen)
    ]


def _lead(view: PepperView) -> str:
    trump = _trump_of(view)
    masters = _masters(view, view.hand)
    trumps = [card for card in masters if WORTH[trump][card][0] == trump]
    if trumps:
        return trumps[0]
    if masters:
        return masters[0]
    return lowest(view.hand, trump)


def _follow(view: PepperView) -> str:
    trump = _trump_of(view)
    on_table = [play.card for play in view.trick]
    led = on_table[0]
    legal = follows(view.hand, led, trump)
    holder = view.trick[winner(on_table, trump)]
    best = strength(holder.card, led, trump)
    last = len(view.trick) == len(view.counts) - 1
    if _friend(view, holder.seat) and (last or _masters(view, [holder.card])):
        return lowest(legal, trump)
    winning = [card for card in legal if strength(card, led, trump) > best]
    if not winning:
        return lowest(legal, trump)
    if last:
        return min(winning, key=lambda card: strength(card, led, trump))
    sure = _masters(view, winning)
    return (
        min(sure, key=lambda card: strength(card, led, trump))
        if sure
        else _try(view, winning, legal)
    )


def _try(view: PepperView, winning: list[str], legal: list[str]) -> str:
    """Without a sure winner: the highest card of the suit led, or the lowest trump."""
    trump = _trump_of(view)
    led = view.trick[0].card
    if strength(winning[0], led, trump) >= 6 and WORTH[trump][led][0] != trump:
        return min(winning, key=lambda card: strength(card, led, trump))
    holder = view.trick[winner([play.card for play in view.trick], trump)]
    if _friend(view, holder.seat):
        return lowest(legal, trump)
    return max(winning, key=lambda card: strength(card, led, trump))
