"""Two players: `random` takes any legal action, `steady` weighs what a claim is worth."""

from __future__ import annotations

from collections import Counter
from math import comb

from engines.cockroach_duel.cards import (
    ATTACKERS,
    BLACK,
    BLOCKER,
    BLOCKERS,
    PIECES,
    POWER,
)
from engines.cockroach_duel.messages import Accept, Attack, Block, Challenge, DuelView, Pass, Pile
from engines.kit.contract import Action, Ask
from engines.kit.stream import Stream

DOUBT = 0.2
"""Below this chance that the other player could be honest, a claim is challenged."""


def random(view: DuelView, ask: Ask, stream: Stream) -> Action:
    """Any of the legal actions, all equally likely."""
    return stream.choice(ask.legal)


def steady(view: DuelView, ask: Ask, stream: Stream) -> Action:
    """Attack and block honestly where the hand allows, challenge what is hardly possible."""
    if view.phase == "attack":
        choice = _attack(view, stream)
    elif view.phase == "answer":
        choice = _answer(view)
    else:
        choice = _review(view)
    return choice if choice in ask.legal else ask.default


def chance(view: DuelView, pile: Pile, left: int) -> float:
    """The chance that the other player held what his pile claims.

    left: how many cards he still holds. His hand counts as drawn at random from all cards that the
    viewer has not seen.
    """
    own_piles = [own.cards for own in (view.attack, view.block) if own is not None]
    seen = Counter(view.hand) + Counter(view.laid) + Counter(c for p in own_piles for c in p)
    if view.black is not None and view.black != view.seat:
        seen[BLACK] += 1
    unseen = Counter(PIECES) - seen
    total, of_kind = unseen.total(), unseen[pile.claim]
    held = left + pile.number
    ways = sum(
        comb(of_kind, n) * comb(total - of_kind, held - n)
        for n in range(pile.number, min(of_kind, held) + 1)
    )
    return ways / comb(total, held)


def _attack(view: DuelView, stream: Stream) -> Action:
    assert view.seat is not None
    ahead = view.health[view.seat] > view.health[1 - view.seat]
    if ahead and view.passes:
        return Pass()
    held = Counter(view.hand)
    kind = max(ATTACKERS, key=lambda kind: held[kind] * POWER[kind])
    if held[kind]:
        return Attack(kind, (kind,) * held[kind])
    spare = [card for card in view.hand if card not in BLOCKERS] or view.hand
    if spare and (not ahead or stream.below(2)):
        return Attack("fly", (spare[0],))  # type: ignore[arg-type]  # a hand holds only kinds
    return Pass()


def _answer(view: DuelView) -> Action:
    assert view.seat is not None
    assert view.attack is not None
    attack = view.attack
    if chance(view, attack, view.counts[1 - view.seat] or 0) < DOUBT:
        return Challenge()
    blocker = BLOCKER[attack.claim]
    blockers = min(view.hand.count(blocker), attack.number)
    if (attack.number - blockers) * POWER[attack.claim] >= view.health[view.seat]:
        return Challenge()
    return Block(blocker, (blocker,) * blockers) if blockers else Pass()


def _review(view: DuelView) -> Action:
    assert view.seat is not None
    assert view.block is not None
    doubtful = chance(view, view.block, view.counts[1 - view.seat] or 0) < DOUBT
    return Challenge() if doubtful else Accept()
