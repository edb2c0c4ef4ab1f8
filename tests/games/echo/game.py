"""The rules of Echo; they stand in the README of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import msgspec
from msgspec.structs import replace

from engines.kit.contract import (
    Action,
    Claim,
    Decline,
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
from tests.games.echo import bot, messages
from tests.games.echo.messages import (
    PIECES,
    AnyAction,
    AnyEvent,
    Card,
    Dealt,
    EchoCard,
    Echoed,
    Finished,
    Play,
    Played,
    Turn,
)
from tests.games.echo.text import EchoText


class Match(msgspec.Struct, kw_only=True):
    """seat: who is to play, or whose card `top` can be echoed. rest: cards out of play."""

    options: messages.Options
    hands: list[list[str]]
    rest: list[str]
    scores: list[int]
    seat: int
    top: str | None = None
    finished: bool = False


class Echo(Game[messages.Options, Match, messages.View]):
    """Two to four players lay cards in turn; who echoes a card gets a point."""

    name = "echo"
    version = "1"
    min_seats = 2
    max_seats = 4
    claims = ("echo",)
    Options = messages.Options
    State = Match
    View = messages.View
    actions: ClassVar[Any] = AnyAction
    events: ClassVar[Any] = AnyEvent
    rulesets: ClassVar[Mapping[str, Ruleset]] = {"standard": Ruleset(messages.Options())}
    bots = bot.BOTS
    text = EchoText()

    def pieces(self, options: messages.Options) -> tuple[str, ...]:
        return PIECES

    def start(
        self, options: messages.Options, seats: int, dealer: Dealer
    ) -> tuple[Match, list[Event]]:
        deck = dealer.deck(PIECES)
        size = options.cards
        hands = [sorted(deck[size * seat : size * (seat + 1)]) for seat in range(seats)]
        state = Match(
            options=options,
            hands=hands,
            rest=deck[size * seats :],
            scores=[0] * seats,
            seat=dealer.lot(range(seats)),
        )
        return state, [Dealt(hand=[], hands=[list(h) for h in hands]), Turn(seat=state.seat)]

    def turn(self, state: Match) -> int | None:
        return None if state.finished or state.top is not None else state.seat

    def legal(self, state: Match, seat: int, limit: int = 64) -> Legal:
        if seat != self.turn(state):
            return Legal([])
        actions: list[Action] = [
            Play(card=cast("Card", card)) for card in dict.fromkeys(state.hands[seat])
        ]
        return Legal(actions[:limit], more=len(actions) > limit)

    def default(self, state: Match, seat: int) -> Action:
        return self.legal(state, seat).actions[0]

    def check(self, state: Match, seat: int, action: Action) -> None:
        if state.finished:
            raise Refused("match_over", "match_over")
        if seat != self.turn(state):
            raise Refused("not_your_turn", "not_your_turn")
        if not isinstance(action, Play):
            raise Refused("no_window", "claim_closed")
        if action.card not in state.hands[seat]:
            raise Refused("not_in_hand", card=action.card)

    def apply(self, state: Match, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        self.check(state, seat, action)
        assert isinstance(action, Play)
        state.hands[seat].remove(action.card)
        state.top = action.card
        return [Played(seat=seat, card=action.card)]

    def outcome(self, state: Match) -> Outcome:
        scores = list(state.scores)
        return Outcome(state.finished, scores, places(scores) if state.finished else [])

    def hands(self, state: Match) -> list[list[str]]:
        return [list(hand) for hand in state.hands]

    # -- claims ----------------------------------------------------------------------------------
    def offer(self, state: Match) -> Offer | None:
        if state.top is None:
            return None
        return Offer(
            kinds=("echo",),
            opener=state.seat,
            legal=(EchoCard(card=cast("Card", state.top)), Decline()),
            claim_ms=state.options.claim_ms,
            ends="deadline",
            wins="one",
            beside=False,
        )

    def can(self, state: Match, seat: int) -> bool:
        return state.top is not None and seat != state.seat and state.top in state.hands[seat]

    def claim(self, state: Match, seat: int, action: Action) -> Claim:
        if state.top is None or not isinstance(action, EchoCard):
            raise Refused("no_window", "claim_closed")
        if action.card != state.top or seat == state.seat:
            raise Refused("no_echo")
        if action.card not in state.hands[seat]:
            raise Refused("not_in_hand", card=action.card)
        return Claim()

    def settle(
        self, state: Match, claims: Sequence[tuple[int, Action]], dealer: Dealer
    ) -> list[Event]:
        if state.top is None:
            raise Refused("no_window", "claim_closed")
        for seat, action in claims:
            self.claim(state, seat, action)
        events: list[Event] = []
        for seat, _ in claims[:1]:
            state.hands[seat].remove(state.top)
            state.scores[seat] += 1
            state.seat = seat
            events.append(Echoed(seat=seat, card=state.top))
        state.top = None
        state.finished = not all(state.hands)
        if state.finished:
            return [*events, Finished(places=places(state.scores))]
        state.seat = (state.seat + 1) % len(state.hands)
        return [*events, Turn(seat=state.seat)]

    # -- what viewers see ------------------------------------------------------------------------
    def view(self, state: Match, viewer: Viewer) -> messages.View:
        return messages.View(
            seat=viewer,
            turn=self.turn(state),
            hand=[] if viewer is None else list(state.hands[viewer]),
            counts=[len(hand) for hand in state.hands],
            scores=list(state.scores),
            opener=None if state.top is None else state.seat,
            top=state.top,
            places=places(state.scores) if state.finished else None,
        )

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        if isinstance(event, Dealt):
            return Dealt(hand=[] if viewer is None else event.hands[viewer], hands=[])
        return event

    def fold(self, view: messages.View, event: Event) -> messages.View:
        match event:
            case Played() | Echoed():
                echoed = isinstance(event, Echoed)
                hand, counts, scores = list(view.hand), list(view.counts), list(view.scores)
                if event.seat == view.seat:
                    hand.remove(event.card)
                counts[event.seat] = (counts[event.seat] or 0) - 1
                scores[event.seat] += echoed
                opener, top = (None, None) if echoed else (event.seat, event.card)
                return replace(
                    view,
                    turn=None,
                    hand=hand,
                    counts=counts,
                    scores=scores,
                    opener=opener,
                    top=top,
                )
            case Turn():
                return replace(view, turn=event.seat, opener=None, top=None)
            case Finished():
                return replace(view, opener=None, top=None, places=list(event.places))
        return view

    def other_world(self, state: Match, viewer: Viewer, stream: Stream) -> Match:
        hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
        pool = [card for seat in hidden for card in state.hands[seat]] + state.rest
        stream.shuffle(pool)
        hands = [list(hand) for hand in state.hands]
        for seat in hidden:
            size = len(hands[seat])
            hands[seat], pool = sorted(pool[:size]), pool[size:]
        return replace(state, hands=hands, rest=pool, scores=list(state.scores))
