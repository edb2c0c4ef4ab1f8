"""Pepper as the contract wants it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from engines.kit.contract import (
    Action,
    Event,
    Game,
    Legal,
    Outcome,
    Refused,
    Ruleset,
    Viewer,
)
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from engines.pepper import auction, bot, match, scoring, views
from engines.pepper import hand as hands
from engines.pepper.cards import PIECES, best_suit, follows, lowest
from engines.pepper.messages import (
    MakeBid,
    NameTrump,
    Pass,
    PepperAction,
    PepperEvent,
    PepperOptions,
    PepperView,
    Play,
)
from engines.pepper.state import PepperState
from engines.pepper.text import PepperText


class Pepper(Game[PepperOptions, PepperState, PepperView]):
    """Trick taking with an auction, for two, three or two pairs."""

    name = "pepper"
    version = "1"
    min_seats = 2
    max_seats = 4
    Options = PepperOptions
    State = PepperState
    View = PepperView
    actions = PepperAction
    events = PepperEvent
    rulesets = MappingProxyType({"standard": Ruleset(PepperOptions())})
    bots = MappingProxyType({"random": bot.random, "steady": bot.steady})
    text = PepperText()

    def pieces(self, options: PepperOptions) -> tuple[str, ...]:
        """The 24 cards."""
        return PIECES

    def start(
        self, options: PepperOptions, seats: int, dealer: Dealer
    ) -> tuple[PepperState, list[Event]]:
        """A new match; the first dealer is drawn by lot."""
        return match.start(options, seats, dealer)

    def turn(self, state: PepperState) -> int | None:
        """Who speaks, names trump or plays."""
        return state.hand.turn

    def legal(self, state: PepperState, seat: int, limit: int = 64) -> Legal:
        """Pass, then bids from the lowest; trumps C D H S, then none; cards in the order of the hand.
        There are never more than ten."""
        if seat != state.hand.turn:
            return Legal([])
        found = hands.legal(state.hand, state.options)
        return Legal(found[:limit], len(found) > limit)

    def default(self, state: PepperState, seat: int) -> Action:
        """Pass, or bid 1 where the dealer must; the longest suit; the lowest legal card."""
        hand = state.hand
        if hand.phase == "bidding":
            return MakeBid(1) if auction.stuck(hand.auction, state.options) else Pass()
        if hand.phase == "trump":
            return NameTrump(best_suit(hand.hands[seat]))
        led = hand.trick[0].card if hand.trick else None
        card = lowest(follows(hand.hands[seat], led, hand.trump), hand.trump)
        return Play(card)  # type: ignore[arg-type]  # a hand holds only cards

    def check(self, state: PepperState, seat: int, action: Action) -> None:
        """Raise Refused unless the seat may do this now."""
        hands.check(state.hand, state.options, seat, action)

    def apply(self, state: PepperState, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """Take an action; the next hand is dealt when it ends one."""
        return match.apply(state, seat, action, dealer)

    def sides(self, seats: int) -> list[int]:
        """Partners at four seats, everybody alone else."""
        return list(scoring.sides(seats))

    def outcome(self, state: PepperState) -> Outcome:
        """Points of finished hands a seat; places count sides."""
        finished = state.hand.phase == "over"
        places = scoring.seat_places(state.scores, state.seats) if finished else []
        return Outcome(finished, scoring.by_seat(state.scores, state.seats), places)

    def hands(self, state: PepperState) -> list[list[str]]:
        """The cards that the seats hold; the third hand at two seats is none of them."""
        return [list(cards) for cards in state.hand.hands]

    def view(self, state: PepperState, viewer: Viewer) -> PepperView:
        """What the viewer may know."""
        return views.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """The event as the viewer may know it."""
        return views.redact(event, viewer)

    def fold(self, view: PepperView, event: Event) -> PepperView:
        """The view after a redacted event."""
        return views.fold(view, event)

    def other_world(self, state: PepperState, viewer: Viewer, stream: Stream) -> PepperState:
        """The cards that the viewer has not seen, otherwise distributed."""
        return views.other_world(state, viewer, stream)

    def explain(self, state: PepperState, seat: int, pieces: Sequence[str]) -> Legal:
        """The play of exactly this card, or why there is none."""
        playing = state.hand.phase == "play" and seat == state.hand.turn
        if (playing and len(pieces) != 1) or any(piece not in PIECES for piece in pieces):
            raise Refused("no_action", pieces=" ".join(pieces))
        action = Play(pieces[0]) if pieces else Pass()  # type: ignore[arg-type]  # checked below
        self.check(state, seat, action)
        return Legal([action])
