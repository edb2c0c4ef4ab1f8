"""Worked examples of Pepper: how each kind of check and table is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engines.kit.contract import Refused
from engines.kit.examples import Check, subset
from engines.pepper import auction as auctions
from engines.pepper import hand as hands
from engines.pepper.cards import PIECES, TRUMPS, follows, winner
from engines.pepper.messages import MakeBid, NameTrump, PepperOptions
from engines.pepper.scoring import hand_points, next_dealer, winning_sides

_WHY = {"not_higher": "not higher", "no_such_bid": "no such bid", "stuck_dealer": "dealer must bid"}


def _options(vector: Mapping[str, Any]) -> PepperOptions:
    return msgspec.convert(vector.get("options", {}), PepperOptions)


def _legal(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    given = vector["given"]
    legal = follows(given["hand"], given["led"], given["trump"])
    return sorted(vector["expect"]["legal"]), sorted(legal)


def _trick(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    given = vector["given"]
    return subset(vector["expect"], {"winner_index": winner(given["plays"], given["trump"])})


def _hand_score(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    given = vector["given"]
    points = hand_points(given["players"], given["bid"], given["bidder_side"], given["tricks"])
    return subset(vector["expect"], {"delta": points})


def _auction(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Calls one after the other; what comes after the auction's end is not used."""
    given, options = vector["given"], _options(vector)
    auction = auctions.opened(given["dealer"], given["players"])
    why, used = None, 0
    for word in given["calls"]:
        bid = None if word == "pass" else word
        if auction.turn is None:
            break
        try:
            auctions.check(auction, options, bid)
        except Refused as refused:
            why = _WHY[refused.rule]
            break
        auctions.call(auction, options, bid)
        used += 1
    facts: dict[str, Any] = {"calls_used": used, "best": auction.best, "by": auction.by}
    if why is not None:
        facts |= {"status": "illegal", "why": why, "next": auction.turn}
    elif auction.turn is not None:
        facts |= {"status": "open", "next": auction.turn}
    elif auction.best is None:
        facts |= {"status": "all-pass"}
    else:
        facts |= {"status": "won", "winner": auction.by, "bid": auction.best}
    return subset(vector["expect"], facts)


def _game_end(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    given = vector["given"]
    winners = winning_sides(given["scores"], given.get("target", _options(vector).target))
    return subset(vector["expect"], {"winners": winners})


def _lead(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """The declarer of an auction that only he bids in names trump and then has the turn."""
    given, options = vector["given"], _options(vector)
    seats, declarer = given["players"], given["declarer"]
    hand = hands.deal(list(PIECES), given["dealer"], seats)
    while hand.turn != declarer:
        auctions.call(hand.auction, options, None)
    hands.play(hand, options, declarer, MakeBid("big"))
    hands.play(hand, options, declarer, NameTrump(given.get("trump")))
    return subset(vector["expect"], {"leader": hand.turn, "trump_choices": list(TRUMPS)})


def _deal(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    facts: dict[str, Any] = {}
    for seats in (2, 3, 4):
        hand = hands.deal(list(PIECES), 0, seats)
        facts[str(seats)] = [len(cards) for cards in hand.hands]
        if hand.dead:
            facts[str(seats)].append(f"dead {len(hand.dead)}")
    return subset(vector["expect"], facts)


def _dealer(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    given = vector["given"]
    thrown_in = bool(given.get("thrown_in", False))
    following = next_dealer(_options(vector), given["dealer"], given["players"], thrown_in)
    return subset(vector["expect"], {"next": following})


def _first_trick(row: Mapping[str, Any]) -> tuple[Any, Any]:
    """A first trick: what was legal before each play, and who took it."""
    trump, seats = row["trump"], len(row["hands"])
    order = [(row["leader"] + step) % seats for step in range(len(row["plays"]))]
    led: str | None = None
    legal = []
    for seat, card in zip(order, row["plays"], strict=True):
        legal.append(sorted(follows(row["hands"][seat], led, trump)))
        led = led or card
    expected = [sorted(cards) for cards in row["legal_before_play"]]
    return (expected, row["winner"]), (legal, order[winner(row["plays"], trump)])


CHECKS: Mapping[str, Check] = {
    "legal": _legal,
    "trick": _trick,
    "hand_score": _hand_score,
    "auction": _auction,
    "game_end": _game_end,
    "lead": _lead,
    "deal": _deal,
    "dealer": _dealer,
}
TABLES: Mapping[str, Check] = {"rows": _first_trick}
