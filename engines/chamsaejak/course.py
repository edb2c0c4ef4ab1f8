"""The course of a match: deals, draws, wins that count and wins that are none, the end of a hand.

The functions change a state whose action was checked before, and return what happened.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

import msgspec

from engines.chamsaejak import payments
from engines.chamsaejak.messages import (
    AnyEvent,
    By,
    Dealt,
    Discarded,
    Drew,
    Exhausted,
    FalseWin,
    Finished,
    Flaw,
    Won,
)
from engines.chamsaejak.scoring import DEALER_BONUS, ENOUGH, Parts, score, set_by_set, shape
from engines.chamsaejak.state import HAND_SIZE, Match, show, unshow
from engines.chamsaejak.tiles import ORDER, PIECES, face, in_order
from engines.kit.contract import places
from engines.kit.dealer import Dealer


class Judgement(msgspec.Struct, frozen=True):
    """What a declared win is worth. parts: None where the tiles are not complete; flaw: why it is
    no win, None where it is one."""

    tiles: list[str]
    parts: Parts | None
    flaw: Flaw | None


def _declared(state: Match, seat: int, by: By) -> list[str]:
    """The six tiles: the own ones, or the own five and the offered one."""
    own = state.hands[seat]
    return own if by == "tsumo" else [*own, state.offered]


def wins(state: Match, seat: int, by: By) -> bool:
    """Whether the seat would win now; most hands are not complete and need no judgement."""
    if shape(_declared(state, seat, by)) is None:
        return False
    return judge(state, seat, by).flaw is None


def judge(state: Match, seat: int, by: By) -> Judgement:
    """What a declaration of the seat would be worth now, and why it would be no win."""
    tiles = _declared(state, seat, by)
    parts = score(tiles, state.dora, state.options.all_green_allows_red)
    flaw: Flaw | None = None
    if parts is None:
        flaw = "incomplete"
    elif parts.points < ENOUGH:
        flaw = "too_few"
    elif by == "ron" and has_discarded(state, seat, state.offered):
        flaw = "own_discard"
    return Judgement(tiles, parts, flaw)


def has_discarded(state: Match, seat: int, tile: str) -> bool:
    """Whether the seat has discarded this face in this hand; the colour does not matter."""
    wanted = face(tile)
    return any(own[0] == wanted for own in state.discards[seat])


def deal(state: Match, dealer: Dealer) -> list[AnyEvent]:
    """Deal the current hand and let its dealer draw."""
    deck = dealer.deck(PIECES)
    seats = state.seats
    dealt = seats * HAND_SIZE
    state.hands = [in_order(deck[i : i + HAND_SIZE]) for i in range(0, dealt, HAND_SIZE)]
    state.discards = [[] for _ in range(seats)]
    state.dora = deck[dealt]
    state.stock = deck[:dealt:-1]
    state.shown = []
    event = Dealt(
        round=state.round,
        dealer=state.dealer,
        dora=state.dora,
        stock=len(state.stock),
        hands=[list(hand) for hand in state.hands],
    )
    return [event, draw(state, state.dealer)]


def draw(state: Match, seat: int) -> Drew:
    """The seat takes the next tile of the stock and is to act."""
    tile = state.stock.pop()
    insort(state.hands[seat], tile, key=ORDER.__getitem__)
    state.seat = seat
    state.drawn = tile
    return Drew(seat=seat, stock=len(state.stock), tile=tile)


def discard(state: Match, tile: str) -> Discarded:
    """The seat to act puts the tile down, which opens a window."""
    seat = state.seat
    state.hands[seat].remove(tile)
    discards = list(state.discards)
    discards[seat] = [*discards[seat], tile]
    state.discards = discards
    state.drawn = None
    state.only_discard = False
    state.shown = unshow(state.shown, seat, tile)
    event = Discarded(seat=seat, tile=tile)
    state.last = [event]
    return event


def tsumo(state: Match, dealer: Dealer) -> list[AnyEvent]:
    """The seat to act declares a win with its six tiles."""
    seat = state.seat
    judgement = judge(state, seat, "tsumo")
    if judgement.flaw is not None:
        state.only_discard = True
        return [_false_win(state, seat, "tsumo", judgement)]
    return [_won(state, seat, "tsumo", judgement), *_end_hand(state, dealer)]


def close_window(state: Match, claimants: Sequence[int], dealer: Dealer) -> list[AnyEvent]:
    """The window ends: false rons pay, then true ones are paid; without a true one play goes on.

    claimants: the seats that declared a ron, nearest to the discarder first.
    """
    judged = [(seat, judge(state, seat, "ron")) for seat in claimants]
    events: list[AnyEvent] = [
        _false_win(state, seat, "ron", judgement)
        for seat, judgement in judged
        if judgement.flaw is not None
    ]
    wins = [
        _won(state, seat, "ron", judgement) for seat, judgement in judged if judgement.flaw is None
    ]
    if wins:
        return [*events, *wins, *_end_hand(state, dealer)]
    if not state.stock:
        nobody = Exhausted()
        state.last = [*state.last, nobody]
        return [*events, nobody, *_end_hand(state, dealer)]
    return [*events, draw(state, (state.seat + 1) % state.seats)]


def _won(state: Match, seat: int, by: By, judgement: Judgement) -> Won:
    parts = judgement.parts
    assert parts is not None, "only complete tiles win"
    payout = parts.points + (DEALER_BONUS if seat == state.dealer else 0)
    if by == "ron":
        delta = payments.ron(state.scores, seat, state.seat, payout)
    else:
        delta = payments.tsumo(state.scores, seat, payout, state.options.tsumo_rounding)
    event = Won(
        seat=seat,
        by=by,
        tiles=set_by_set(judgement.tiles),
        parts=parts,
        points=parts.points,
        payout=payout,
        delta=delta,
        scores=list(state.scores),
        tile=state.offered if by == "ron" else None,
        discarder=state.seat if by == "ron" else None,
    )
    state.shown = show(state.shown, seat, list(state.hands[seat]), state.seats)
    state.last = [*state.last, event]
    return event


def _false_win(state: Match, seat: int, by: By, judgement: Judgement) -> FalseWin:
    flaw, parts = judgement.flaw, judgement.parts
    assert flaw is not None, "a win without a flaw is none that is false"
    event = FalseWin(
        seat=seat,
        by=by,
        tiles=in_order(judgement.tiles),
        why=flaw,
        delta=payments.false_win(state.scores, seat),
        scores=list(state.scores),
        points=None if parts is None else parts.points,
        tile=state.offered if by == "ron" else None,
        discarder=state.seat if by == "ron" else None,
    )
    state.shown = show(state.shown, seat, list(state.hands[seat]), state.seats)
    state.last = [*state.last, event]
    return event


def _end_hand(state: Match, dealer: Dealer) -> list[AnyEvent]:
    """Pass the dealer marker and deal the next hand, or end the match."""
    if state.round == state.hands_in_match:
        state.drawn = None
        state.finished = True
        return [Finished(scores=list(state.scores), places=places(state.scores))]
    state.round += 1
    state.dealer = (state.dealer + 1) % state.seats
    return deal(state, dealer)
