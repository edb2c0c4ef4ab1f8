"""Cockroach Duel as the contract wants it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from engines.cockroach_duel import bot, match, rounds, views
from engines.cockroach_duel.cards import BLOCKER, PIECES
from engines.cockroach_duel.messages import (
    Accept,
    Attack,
    Block,
    DuelAction,
    DuelEvent,
    DuelOptions,
    DuelView,
    Pass,
)
from engines.cockroach_duel.state import DuelState
from engines.cockroach_duel.text import DuelText
from engines.kit.contract import (
    Action,
    Event,
    Game,
    Legal,
    Outcome,
    Refused,
    Ruleset,
    Viewer,
    pieces_of,
    places,
)
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream


class Duel(Game[DuelOptions, DuelState, DuelView]):
    """Two players, hidden cards, claims and challenges."""

    name = "cockroach_duel"
    version = "1"
    min_seats = max_seats = 2
    Options = DuelOptions
    State = DuelState
    View = DuelView
    actions = DuelAction
    events = DuelEvent
    rulesets = MappingProxyType({"standard": Ruleset(DuelOptions())})
    bots = MappingProxyType({"random": bot.random, "steady": bot.steady})
    reveals = frozenset({"challenged", "battle", "drew"})
    text = DuelText()

    def round(self, state: DuelState) -> int:
        """The number of the round."""
        return state.number

    def pieces(self, options: DuelOptions) -> tuple[str, ...]:
        """The 20 cards."""
        return PIECES

    def start(
        self, options: DuelOptions, seats: int, dealer: Dealer
    ) -> tuple[DuelState, list[Event]]:
        """A new match; the first attacker is drawn by lot."""
        return match.start(options, dealer)

    def turn(self, state: DuelState) -> int | None:
        """The attacker, or the defender who answers."""
        return state.round.turn

    def legal(self, state: DuelState, seat: int, limit: int = 64) -> Legal:
        """Pass or accept first, then challenge, then attacks or blocks: fewest cards first, then by
        claim, then by cards in the order of the hand. There are never more than 46."""
        if seat != state.round.turn:
            return Legal([])
        found = rounds.legal(state.round, state.options)
        return Legal(list(found[:limit]), len(found) > limit)

    def default(self, state: DuelState, seat: int) -> Action:
        """Pass; in review accept."""
        return Accept() if state.round.phase == "review" else Pass()

    def check(self, state: DuelState, seat: int, action: Action) -> None:
        """Raise Refused unless the seat may do this now."""
        rounds.check(state.round, state.options, seat, action)

    def apply(self, state: DuelState, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """Take an action; the next round is dealt when it ends one."""
        return match.apply(state, seat, action, dealer)

    def outcome(self, state: DuelState) -> Outcome:
        """Victory tokens, and places once the match is won."""
        finished = state.round.phase == "over"
        return Outcome(finished, list(state.scores), places(state.scores) if finished else [])

    def hands(self, state: DuelState) -> list[list[str]]:
        """Both hands; cards laid are in no hand."""
        return [list(hand) for hand in state.round.hands]

    def view(self, state: DuelState, viewer: Viewer) -> DuelView:
        """What the viewer may know."""
        return views.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """The event as the viewer may know it."""
        return views.redact(event, viewer)

    def fold(self, view: DuelView, event: Event) -> DuelView:
        """The view after a redacted event."""
        return views.fold(view, event)

    def other_world(self, state: DuelState, viewer: Viewer, stream: Stream) -> DuelState:
        """The cards that the viewer has not seen, otherwise distributed."""
        return views.other_world(state, viewer, stream)

    def explain(self, state: DuelState, seat: int, pieces: Sequence[str]) -> Legal:
        """Every claim that the seat may make with exactly these cards, or why there is none."""
        wanted = tuple(pieces)
        attack = state.round.attack
        probe: Action
        if state.round.phase == "answer" and attack is not None:
            probe = Block(BLOCKER[attack.claim], wanted)  # type: ignore[arg-type]  # checked below
        else:
            probe = Attack("fly", wanted)  # type: ignore[arg-type]  # checked below
        try:
            self.check(state, seat, probe)
        except Refused as refused:
            if refused.rule != "cap_claim":
                raise
        found = [
            action
            for action in rounds.legal(state.round, state.options)
            if sorted(pieces_of(action)) == sorted(wanted)
        ]
        if not found:
            raise Refused("no_action", pieces=" ".join(pieces))
        return Legal(found)
