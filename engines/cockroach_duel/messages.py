"""What crosses the border of the game: options, actions, events, the view."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from engines.cockroach_duel.cards import Kind
from engines.kit.contract import Action, Event, Options, View

Phase = Literal["attack", "answer", "review", "over"]
PileName = Literal["attack", "block"]
Reason = Literal["challenge-succeeded", "challenge-failed", "hp0", "both-pass"]


class DuelOptions(Options, frozen=True, kw_only=True):
    """Options of the match (rules/cockroach_duel: Options).

    next_starter: who attacks first in the next round. limit_block: no more blockers than attackers.
    reveal_black: a black card is shown after its battle. cap_claim: no claim of more cards than there
    are of the kind. target: victory tokens that win the match.
    """

    next_starter: Literal["alternate", "loser"] = "alternate"
    limit_block: bool = False
    reveal_black: bool = True
    cap_claim: bool = False
    target: Annotated[int, Meta(ge=1, le=5)] = 3


class Attack(Action, frozen=True, tag="attack"):
    """Lay cards face down and claim that they are all of one attacking kind."""

    claim: Kind
    cards: tuple[Kind, ...]


class Block(Action, frozen=True, tag="block"):
    """Lay cards face down and claim that they are all of the kind that blocks the attack."""

    claim: Kind
    cards: tuple[Kind, ...]


class Pass(Action, frozen=True, tag="pass"):
    """No attack, or no block."""


class Accept(Action, frozen=True, tag="accept"):
    """Let the block stand."""


class Challenge(Action, frozen=True, tag="challenge"):
    """Say that the claim just made is a lie."""


DuelAction = Attack | Block | Pass | Accept | Challenge


class RoundStarted(Event, frozen=True, tag="round_started"):
    """Both players have four new cards; the starter, who attacks first, has 3 health, the other 4."""

    round: int
    starter: int
    health: tuple[int, int]


class Dealt(Event, frozen=True, tag="dealt"):
    """A player's new cards; nobody else gets this event."""

    seat: int
    cards: tuple[str, ...]


class Attacked(Event, frozen=True, tag="attacked"):
    """An attack was claimed; only its own seat learns the cards."""

    seat: int
    claim: str
    number: int
    cards: tuple[str, ...] = ()


class Blocked(Event, frozen=True, tag="blocked"):
    """A block was claimed; only its own seat learns the cards."""

    seat: int
    claim: str
    number: int
    cards: tuple[str, ...] = ()


class Passed(Event, frozen=True, tag="passed"):
    """A pass: of the attacker (phase attack) or of the defender, who does not block (answer)."""

    seat: int
    phase: Literal["attack", "answer"]


class Accepted(Event, frozen=True, tag="accepted"):
    """The attacker lets the block stand."""

    seat: int


class Challenged(Event, frozen=True, tag="challenged"):
    """A pile was turned up, for everybody to see.

    seat: who challenged. pile: which pile, of `owner`. honest: whether every card is the claimed kind.
    """

    seat: int
    pile: PileName
    owner: int
    claim: str
    cards: tuple[str, ...]
    honest: bool


class Battle(Event, frozen=True, tag="battle"):
    """A battle as claimed: how many tokens the attacker took, and the health after it.

    black: the pile in which the black card lay, where it is shown; absent if in none.
    """

    attacker: int
    taken: int
    health: tuple[int, int]
    black: PileName | None = None


class Drew(Event, frozen=True, tag="drew"):
    """A player drew; only he learns the cards. pile: how many cards are left to draw."""

    seat: int
    number: int
    pile: int
    cards: tuple[str, ...] = ()


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A round is won. scores: victory tokens after it."""

    winner: int
    reason: Reason
    health: tuple[int, int]
    scores: tuple[int, int]


class MatchEnded(Event, frozen=True, tag="match_won"):
    """The match is won."""

    winner: int
    scores: tuple[int, int]


DuelEvent = (
    RoundStarted
    | Dealt
    | Attacked
    | Blocked
    | Passed
    | Accepted
    | Challenged
    | Battle
    | Drew
    | RoundEnded
    | MatchEnded
)


class Pile(Struct, frozen=True, omit_defaults=True):
    """A pile that lies on the table; the cards stand in the view of its owner alone."""

    claim: str
    number: int
    cards: tuple[str, ...] = ()


class DuelView(View, kw_only=True, omit_defaults=True):
    """What a viewer sees of a Duel.

    pile: cards left to draw. attack, block: the piles of the battle under way. spent: cards that lie
    face down from earlier battles of the round. laid: the viewer's own cards among those.
    black: the seat whose black card was shown this round. passes: attack passes in a row.
    last: what the last action led to, as everybody may know it.
    """

    phase: Phase = "attack"
    starter: int = 0
    attacker: int = 0
    health: list[int] = field(default_factory=list)
    pile: int = 0
    attack: Pile | None = None
    block: Pile | None = None
    spent: int = 0
    laid: list[str] = field(default_factory=list)
    black: int | None = None
    passes: int = 0
    target: int = 3
    last: list[DuelEvent] = field(default_factory=list)
