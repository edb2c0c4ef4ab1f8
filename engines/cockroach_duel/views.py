"""Who sees what (rules/cockroach_duel: Who sees what): the only ways out of a state."""

from __future__ import annotations

from copy import deepcopy
from typing import cast

from msgspec.structs import replace

from engines.cockroach_duel.cards import BLACK, HAND, PIECES, in_order, without
from engines.cockroach_duel.messages import (
    Accepted,
    Attacked,
    Battle,
    Blocked,
    Challenged,
    Dealt,
    Drew,
    DuelEvent,
    DuelView,
    MatchEnded,
    Passed,
    Pile,
    RoundEnded,
    RoundStarted,
)
from engines.cockroach_duel.state import DuelState, Laid
from engines.kit.contract import Event, Viewer
from engines.kit.stream import Stream

_OPENING = (Attacked, Blocked, Passed, Accepted, Challenged)
"""An action's first event; what follows it up to the next one belongs to it."""
_LAID_OR_DRAWN = (Attacked, Blocked, Drew)


def view(state: DuelState, viewer: Viewer) -> DuelView:
    """What the viewer may know of the state."""
    round = state.round
    attack, block = round.attack, round.block
    return DuelView(
        seat=viewer,
        turn=round.turn,
        hand=[] if viewer is None else list(round.hands[viewer]),
        counts=[len(round.hands[0]), len(round.hands[1])],
        scores=list(state.scores),
        round=state.number,
        phase=round.phase,
        starter=state.starter,
        attacker=round.attacker,
        health=list(round.health),
        pile=len(round.pile),
        attack=None if attack is None else _pile(attack, viewer == round.attacker),
        block=None if block is None else _pile(block, viewer == 1 - round.attacker),
        spent=len(round.spent[0]) + len(round.spent[1]),
        laid=[] if viewer is None else list(round.spent[viewer]),
        black=round.black,
        passes=round.passes,
        target=state.options.target,
        last=state.last,
    )


def _pile(laid: Laid, own: bool) -> Pile:
    return Pile(laid.claim, len(laid.cards), tuple(laid.cards) if own else ())


def redact(event: Event, viewer: Viewer) -> DuelEvent | None:
    """The event as the viewer may know it: laid, dealt and drawn cards are their owner's alone."""
    if isinstance(event, Dealt):
        return event if event.seat == viewer else None
    if isinstance(event, _LAID_OR_DRAWN):
        return event if event.seat == viewer else replace(event, cards=())
    return cast("DuelEvent", event)


def public(event: Event) -> DuelEvent | None:
    """The event as everybody may know it."""
    return redact(event, None)


def fold(view: DuelView, event: Event) -> DuelView:
    """The view after a redacted event."""
    known = public(event)
    opening = isinstance(event, _OPENING)
    if known is not None:
        view = replace(view, last=[known] if opening else [*view.last, known])
    match event:
        case RoundStarted():
            return _start(view, event)
        case Dealt():
            return replace(view, hand=list(event.cards))
        case Attacked() | Blocked():
            return _lay(view, event)
        case Passed(seat, "attack"):
            passes = view.passes + 1
            attacker = 1 - seat if passes < 2 else seat
            return replace(view, passes=passes, attacker=attacker, turn=attacker)
        case Battle():
            return _fight(view, event)
        case Drew():
            counts = list(view.counts)
            counts[event.seat] = (counts[event.seat] or 0) + event.number
            hand = in_order([*view.hand, *event.cards])
            return replace(view, counts=counts, hand=hand, pile=event.pile)
        case RoundEnded():
            return replace(view, scores=list(event.scores), phase="over", turn=None)
        case Passed() | Accepted() | Challenged() | MatchEnded():
            return view
    raise TypeError(f"not an event of this game: {event!r}")


def _start(view: DuelView, event: RoundStarted) -> DuelView:
    return replace(
        view,
        turn=event.starter,
        hand=[],
        counts=[HAND, HAND],
        round=event.round,
        phase="attack",
        starter=event.starter,
        attacker=event.starter,
        health=list(event.health),
        pile=len(PIECES) - 2 * HAND,
        attack=None,
        block=None,
        spent=0,
        laid=[],
        black=None,
        passes=0,
    )


def _lay(view: DuelView, event: Attacked | Blocked) -> DuelView:
    counts = list(view.counts)
    counts[event.seat] = (counts[event.seat] or 0) - event.number
    hand = without(view.hand, event.cards)
    pile = Pile(event.claim, event.number, event.cards)
    turn = 1 - event.seat
    if isinstance(event, Attacked):
        return replace(
            view, counts=counts, hand=hand, attack=pile, phase="answer", turn=turn, passes=0
        )
    return replace(view, counts=counts, hand=hand, block=pile, phase="review", turn=turn)


def _fight(view: DuelView, event: Battle) -> DuelView:
    piles = [pile for pile in (view.attack, view.block) if pile is not None]
    own = [card for pile in piles for card in pile.cards]
    attacker = event.attacker if 0 in event.health else 1 - event.attacker
    black = view.black
    if event.black is not None:
        black = event.attacker if event.black == "attack" else 1 - event.attacker
    return replace(
        view,
        health=list(event.health),
        spent=view.spent + sum(pile.number for pile in piles),
        laid=view.laid + own,
        attack=None,
        block=None,
        black=black,
        attacker=attacker,
        phase="attack",
        turn=attacker,
    )


def other_world(state: DuelState, viewer: Viewer, stream: Stream) -> DuelState:
    """Another state that looks the same to the viewer: the cards he has not seen change places.

    A shown black card and a pile that was turned up stay; where black cards are shown, none can lie
    unseen among the cards of earlier battles.
    """
    world = deepcopy(state)
    round = world.round
    open_to_black: list[list[str]] = [round.pile]
    past: list[list[str]] = []
    for seat in (0, 1):
        if seat == viewer:
            continue
        open_to_black.append(round.hands[seat])
        (past if state.options.reveal_black else open_to_black).append(round.spent[seat])
        laid = round.attack if seat == round.attacker else round.block
        if laid is not None and not _turned_up(state, seat):
            open_to_black.append(laid.cards)
    _redistribute(open_to_black, past, stream)
    for seat, hand in enumerate(round.hands):
        round.hands[seat] = in_order(hand)
    return world


def _turned_up(state: DuelState, seat: int) -> bool:
    return any(isinstance(event, Challenged) and event.owner == seat for event in state.last)


def _redistribute(open_to_black: list[list[str]], past: list[list[str]], stream: Stream) -> None:
    """Shuffle all cards over the lists' places; a black card only over the first ones, and a black
    card among the past ones (it was shown) stays."""
    places = [(cards, i) for cards in open_to_black for i in range(len(cards))]
    rest = [(cards, i) for cards in past for i in range(len(cards)) if cards[i] != BLACK]
    black = any(cards[i] == BLACK for cards, i in places)
    pool = [cards[i] for cards, i in places + rest if cards[i] != BLACK]
    if black:
        cards, i = places.pop(stream.below(len(places)))
        cards[i] = BLACK
    stream.shuffle(pool)
    for (cards, i), card in zip(places + rest, pool, strict=True):
        cards[i] = card
