"""Chamsae-jak as the table core calls it: who may do what, and what it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from engines.chamsaejak import bot, course, messages, views
from engines.chamsaejak.messages import (
    DECLINE,
    DISCARDS,
    RON,
    TSUMO,
    AnyAction,
    AnyEvent,
    Discard,
    Ron,
    Tsumo,
)
from engines.chamsaejak.payments import after
from engines.chamsaejak.scoring import ENOUGH
from engines.chamsaejak.state import START_POINTS, Match
from engines.chamsaejak.text import ChamsaejakText
from engines.chamsaejak.tiles import PIECES
from engines.kit.contract import (
    Action,
    Claim,
    Event,
    Game,
    Legal,
    Offer,
    Outcome,
    Refused,
    Ruleset,
    Viewer,
    places,
)
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream


def _refuse(judgement: course.Judgement, tile: str | None = None) -> None:
    """Raise Refused with the rule that a declared win breaks, if it breaks one."""
    match judgement.flaw:
        case "too_few" if judgement.parts is not None:
            raise Refused("too_few", points=judgement.parts.points, enough=ENOUGH)
        case "own_discard":
            raise Refused("own_discard", tile=tile)
        case None:
            return
        case _:
            raise Refused("incomplete")


class Chamsaejak(Game[messages.Options, Match, messages.View]):
    """The rules of Chamsae-jak for 2 to 5 players."""

    name = "chamsaejak"
    version = "1"
    min_seats = 2
    max_seats = 5
    claims = ("ron",)
    Options = messages.Options
    State = Match
    View = messages.View
    actions: ClassVar[Any] = AnyAction
    events: ClassVar[Any] = AnyEvent
    rulesets: ClassVar[Mapping[str, Ruleset]] = {"standard": Ruleset(messages.Options())}
    bots = bot.BOTS
    reveals = frozenset({"drew", "won", "false_win"})
    text = ChamsaejakText()

    # -- a match ---------------------------------------------------------------------------------
    def pieces(self, options: messages.Options) -> tuple[str, ...]:
        """All 44 tiles."""
        return PIECES

    def start(
        self, options: messages.Options, seats: int, dealer: Dealer
    ) -> tuple[Match, list[Event]]:
        """40 points each, a first dealer by lot, and the first hand."""
        state = Match(
            options=options,
            scores=[START_POINTS] * seats,
            round=1,
            dealer=dealer.lot(range(seats)),
            dora="",
            hands=[],
            discards=[],
            stock=[],
            seat=0,
        )
        return state, [*course.deal(state, dealer)]

    def turn(self, state: Match) -> int | None:
        """The seat that drew; None while its discard is offered."""
        return state.seat if state.drawn is not None else None

    def legal(self, state: Match, seat: int, limit: int = 64) -> Legal:
        """A tsumo if it can be declared, then one discard of each kind of tile, in hand order."""
        if seat != self.turn(state):
            return Legal([])
        actions: list[Action] = [DISCARDS[tile] for tile in dict.fromkeys(state.hands[seat])]
        if self._may_declare(state, seat):
            actions.insert(0, TSUMO)
        return Legal(actions[:limit], more=len(actions) > limit)

    def _may_declare(self, state: Match, seat: int) -> bool:
        if state.only_discard:
            return False
        penalty = state.options.false_win == "penalty"
        return penalty or course.wins(state, seat, "tsumo")

    def default(self, state: Match, seat: int) -> Action:
        """The tile just drawn is discarded."""
        if state.drawn is None:
            raise Refused("not_your_turn", "not_your_turn")
        return DISCARDS[state.drawn]

    def check(self, state: Match, seat: int, action: Action) -> None:
        """Raise Refused unless the seat may discard or declare a tsumo now."""
        if state.finished:
            raise Refused("match_over", "match_over")
        if state.drawn is None:
            raise Refused("window_open", "not_your_turn")
        if seat != state.seat:
            raise Refused("not_your_turn", "not_your_turn")
        match action:
            case Discard():
                if action.tile not in state.hands[seat]:
                    raise Refused("not_in_hand", tile=action.tile)
            case Tsumo():
                if state.only_discard:
                    raise Refused("only_discard")
                if state.options.false_win == "refuse":
                    _refuse(course.judge(state, seat, "tsumo"))
            case _:
                raise Refused("no_window", "claim_closed")

    def apply(self, state: Match, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """Discard, or declare a tsumo, which may be false under `false_win: penalty`."""
        self.check(state, seat, action)
        if isinstance(action, Discard):
            return [course.discard(state, action.tile)]
        return [*course.tsumo(state, dealer)]

    def outcome(self, state: Match) -> Outcome:
        """The points as they stand; places once the last hand has ended."""
        scores = list(state.scores)
        return Outcome(state.finished, scores, places(scores) if state.finished else [])

    def hands(self, state: Match) -> list[list[str]]:
        """All hands in tile order; a drawn tile is in the hand, a tile won by ron is not."""
        return [list(hand) for hand in state.hands]

    # -- claims ----------------------------------------------------------------------------------
    def offer(self, state: Match) -> Offer | None:
        """Every discard may be claimed by every other seat until the deadline."""
        opener = state.opener
        if opener is None:
            return None
        return Offer(
            kinds=("ron",),
            opener=opener,
            legal=(RON, DECLINE),
            claim_ms=state.options.claim_ms,
            ends="deadline",
            wins="all",
            beside=False,
        )

    def can(self, state: Match, seat: int) -> bool:
        """Whether the offered tile wins for this seat."""
        opener = state.opener
        if opener is None or seat == opener:
            return False
        return course.wins(state, seat, "ron")

    def claim(self, state: Match, seat: int, action: Action) -> Claim:
        """Judge a ron; a false one is refused, or valid=False under `false_win: penalty`."""
        if state.finished:
            raise Refused("match_over", "match_over")
        if state.opener is None:
            raise Refused("no_window", "claim_closed")
        if not isinstance(action, Ron):
            raise Refused("not_a_claim")
        if seat == state.opener:
            raise Refused("own_tile")
        judgement = course.judge(state, seat, "ron")
        if state.options.false_win == "refuse":
            _refuse(judgement, state.offered)
        return Claim(valid=judgement.flaw is None)

    def settle(
        self, state: Match, claims: Sequence[tuple[int, Action]], dealer: Dealer
    ) -> list[Event]:
        """Pay the rons and end the hand, or go on: the next seat draws while there is a stock."""
        if state.opener is None:
            raise Refused("no_window", "claim_closed")
        for seat, action in claims:
            self.claim(state, seat, action)
        declared = {seat for seat, _ in claims}
        nearest = [seat for seat in after(state.opener, state.seats) if seat in declared]
        return [*course.close_window(state, nearest, dealer)]

    def standing(self, state: Match, seat: int, orders: Mapping[str, Any]) -> Action | None:
        """`ron: auto` declares every ron that wins; `decline: [ron]` declines what is left."""
        if orders.get("ron") == "auto" and self.can(state, seat):
            return RON
        return DECLINE if "ron" in (orders.get("decline") or ()) else None

    def check_orders(self, orders: Mapping[str, Any]) -> None:
        """Known are `ron: "auto"` and `decline: ["ron"]`."""
        for name, value in orders.items():
            known = {"ron": ("auto", None), "decline": (["ron"], [], None)}
            if value not in known.get(name, ()):
                raise Refused("no_orders")

    # -- what viewers see ------------------------------------------------------------------------
    def view(self, state: Match, viewer: Viewer) -> messages.View:
        """What the viewer may know of the state."""
        return views.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """The event as the viewer may know it."""
        return views.redact(event, viewer)

    def fold(self, view: messages.View, event: Event) -> messages.View:
        """The view after a redacted event."""
        return views.fold(view, cast("AnyEvent", event))

    def other_world(self, state: Match, viewer: Viewer, stream: Stream) -> Match:
        """Another state with the same view."""
        return views.other_world(state, viewer, stream)

    def explain(self, state: Match, seat: int, pieces: Sequence[str]) -> Legal:
        """The discard of one tile. Raises Refused with the rule that forbids the pieces."""
        if len(pieces) != 1:
            raise Refused("one_tile")
        tile = pieces[0]
        if tile not in DISCARDS:
            raise Refused("no_such_tile", tile=tile)
        self.check(state, seat, DISCARDS[tile])
        return Legal([DISCARDS[tile]])
