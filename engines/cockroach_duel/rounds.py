"""One round: what may be done when, and what it leads to (rules/cockroach_duel: A round)."""

from __future__ import annotations

from functools import lru_cache

from engines.cockroach_duel.cards import (
    ATTACKERS,
    BLACK,
    BLOCKER,
    BLOCKERS,
    COPIES,
    HAND,
    POWER,
    holds,
    in_order,
    selections,
    without,
)
from engines.cockroach_duel.messages import (
    Accept,
    Accepted,
    Attack,
    Attacked,
    Battle,
    Block,
    Blocked,
    Challenge,
    Challenged,
    Drew,
    DuelOptions,
    Pass,
    Passed,
    PileName,
)
from engines.cockroach_duel.state import Laid, Round
from engines.kit.contract import Action, Event, Refused

_ANSWERS = (Pass, Challenge)
_REVIEWS = (Accept, Challenge)


def check(round: Round, options: DuelOptions, seat: int, action: Action) -> None:
    """Raise Refused unless the seat may do this now."""
    if round.phase == "over":
        raise Refused("match_over", "match_over")
    if seat != round.turn:
        raise Refused("not_your_turn", "not_your_turn")
    if round.phase == "attack":
        if isinstance(action, Attack):
            if action.claim not in ATTACKERS:
                raise Refused("attack_kind", claim=action.claim)
            _check_cards(round, options, seat, action)
        elif not isinstance(action, Pass):
            raise Refused("attack_phase")
    elif round.phase == "answer":
        if isinstance(action, Block):
            _check_block(round, options, seat, action)
        elif not isinstance(action, _ANSWERS):
            raise Refused("answer_phase")
    elif not isinstance(action, _REVIEWS):
        raise Refused("review_phase")


def _check_block(round: Round, options: DuelOptions, seat: int, action: Block) -> None:
    assert round.attack is not None
    if action.claim not in BLOCKERS:
        raise Refused("block_kind", claim=action.claim)
    attack = round.attack.claim
    if action.claim != BLOCKER[attack]:
        raise Refused("wrong_blocker", claim=action.claim, attack=attack, blocker=BLOCKER[attack])
    _check_cards(round, options, seat, action)
    if options.limit_block and len(action.cards) > len(round.attack.cards):
        raise Refused("limit_block", number=len(round.attack.cards))


def _check_cards(round: Round, options: DuelOptions, seat: int, action: Attack | Block) -> None:
    if not action.cards:
        raise Refused("no_cards")
    if not holds(round.hands[seat], action.cards):
        raise Refused("not_in_hand")
    if options.cap_claim and len(action.cards) > COPIES[action.claim]:
        raise Refused("cap_claim", claim=action.claim, number=COPIES[action.claim])


def legal(round: Round, options: DuelOptions) -> tuple[Action, ...]:
    """What the seat to act may do: pass or accept, challenge, then attacks or blocks, fewest cards
    first, then by claim, then by cards in the order of the hand."""
    seat = round.turn
    if seat is None:
        return ()
    if round.phase == "review":
        return (Accept(), Challenge())
    if round.phase == "attack":
        return _attacks(tuple(round.hands[seat]), options.cap_claim)
    assert round.attack is not None
    most = HAND
    if options.limit_block:
        most = len(round.attack.cards)
    claim = BLOCKER[round.attack.claim]
    if options.cap_claim:
        most = min(most, COPIES[claim])
    return _blocks(tuple(round.hands[seat]), claim, most)


@lru_cache(maxsize=1024)
def _attacks(hand: tuple[str, ...], cap: bool) -> tuple[Action, ...]:
    found: list[Action] = [
        Attack(claim, cards)  # type: ignore[arg-type]  # a hand holds only kinds
        for cards in selections(hand)
        for claim in ATTACKERS
        if not cap or len(cards) <= COPIES[claim]
    ]
    found.sort(key=_by_number_then_claim)
    return (Pass(), *found)


def _by_number_then_claim(action: Action) -> tuple[int, int]:
    assert isinstance(action, Attack)
    return len(action.cards), ATTACKERS.index(action.claim)


@lru_cache(maxsize=4096)
def _blocks(hand: tuple[str, ...], claim: str, most: int) -> tuple[Action, ...]:
    blocks = (
        Block(claim, cards)  # type: ignore[arg-type]  # a hand holds only kinds
        for cards in selections(hand)
        if len(cards) <= most
    )
    return (Pass(), Challenge(), *blocks)


def play(round: Round, options: DuelOptions, seat: int, action: Action) -> list[Event]:
    """Do it: change the round in place, return what happened. Raises Refused."""
    check(round, options, seat, action)
    match action:
        case Attack(claim, cards):
            round.hands[seat] = without(round.hands[seat], cards)
            round.attack = Laid(claim, list(cards))
            round.phase, round.passes = "answer", 0
            return [Attacked(seat, claim, len(cards), cards)]
        case Block(claim, cards):
            round.hands[seat] = without(round.hands[seat], cards)
            round.block = Laid(claim, list(cards))
            round.phase = "review"
            return [Blocked(seat, claim, len(cards), cards)]
        case Challenge():
            return [_challenge(round, seat)]
        case Accept():
            return [Accepted(seat), *_battle(round, options)]
    if round.phase == "answer":
        return [Passed(seat, "answer"), *_battle(round, options)]
    round.passes += 1
    if round.passes == 2:
        _end(round)
    else:
        round.attacker = 1 - seat
    return [Passed(seat, "attack")]


def _challenge(round: Round, seat: int) -> Challenged:
    name: PileName = "attack" if round.phase == "answer" else "block"
    laid = round.attack if name == "attack" else round.block
    assert laid is not None
    honest = all(card == laid.claim for card in laid.cards)
    round.phase = "over"
    round.winner = 1 - seat if honest else seat
    round.reason = "challenge-failed" if honest else "challenge-succeeded"
    return Challenged(seat, name, 1 - seat, laid.claim, tuple(laid.cards), honest)


def _battle(round: Round, options: DuelOptions) -> list[Event]:
    """Battle as claimed, then the black card, then draw and swap roles unless the round is over."""
    assert round.attack is not None
    attacker, defender = round.attacker, 1 - round.attacker
    blockers = len(round.block.cards) if round.block else 0
    unblocked = max(len(round.attack.cards) - blockers, 0)
    taken = min(unblocked * POWER[round.attack.claim], round.health[defender])
    round.health[attacker] += taken
    round.health[defender] -= taken
    black: PileName | None = None
    piles: tuple[tuple[PileName, int, Laid | None], ...] = (
        ("attack", attacker, round.attack),
        ("block", defender, round.block),
    )
    for name, seat, laid in piles:
        if laid is not None:
            round.spent[seat] = round.spent[seat] + laid.cards
            if options.reveal_black and BLACK in laid.cards:
                black, round.black = name, seat
    round.attack = round.block = None
    events: list[Event] = [Battle(attacker, taken, (round.health[0], round.health[1]), black)]
    if round.health[defender] == 0:
        _end(round)
        return events
    for seat in (attacker, defender):
        drawn = round.pile[: HAND - len(round.hands[seat])]
        if drawn:
            del round.pile[: len(drawn)]
            round.hands[seat] = in_order(round.hands[seat] + drawn)
            events.append(Drew(seat, len(drawn), len(round.pile), tuple(drawn)))
    round.attacker, round.phase = defender, "attack"
    return events


def _end(round: Round) -> None:
    """End by health: the tokens add up to seven, so one has more."""
    round.phase = "over"
    round.winner = 0 if round.health[0] > round.health[1] else 1
    round.reason = "hp0" if 0 in round.health else "both-pass"
