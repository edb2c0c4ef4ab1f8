"""Peeper as the table core sees it: the contract, each part done by the module that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

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
from engines.peeper import bot, claims, legal, messages, reading, rules, views
from engines.peeper import state as states
from engines.peeper.messages import Pass, Play
from engines.peeper.text import PeeperText
from engines.peeper.tiles import ORDER, PIECES, Tile, ordered


class Peeper(Game[messages.Options, states.State, messages.View]):
    """Peeper for 2 to 6, rulesets `standard` and `ibc` (rules: this folder's README)."""

    name = "peeper"
    version = "1"
    min_seats = 2
    max_seats = 6
    claims = ("mine", "return")
    Options = messages.Options
    State = states.State
    View = messages.View
    actions = messages.Actions
    events = messages.Events
    rulesets: ClassVar[Mapping[str, Ruleset]] = {
        "standard": Ruleset(messages.Options()),
        "ibc": Ruleset(
            messages.Options(rounds=5, announce_at=4, show_counts="low", claim_ms=5000),
            frozenset({"rank_by", "wild_mine"}),
        ),
    }
    bots = bot.BOTS
    reveals = frozenset({"starter_found", "round_ended"})
    text = PeeperText()

    def pieces(self, options: messages.Options) -> tuple[str, ...]:
        return PIECES

    def start(
        self, options: messages.Options, seats: int, dealer: Dealer
    ) -> tuple[states.State, list[Event]]:
        return rules.start(options, seats, dealer)

    def turn(self, state: states.State) -> int | None:
        return None if state.finished else state.turn

    def legal(self, state: states.State, seat: int, limit: int = 64) -> Legal:
        if state.finished or seat != state.turn:
            return Legal([])
        top = None if state.top is None else reading.of_top(state.top)
        return legal.legal(state.hands[seat], top, limit)

    def default(self, state: states.State, seat: int) -> Action:
        """Pass; the leader lays his lowest tile, X last (rules/peeper: Time-out)."""
        return Pass() if state.top is not None else Play(state.hands[seat][:1])

    def check(self, state: states.State, seat: int, action: Action) -> None:
        rules.check(state, seat, action)

    def apply(self, state: states.State, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        return rules.apply(state, seat, action, dealer)

    def outcome(self, state: states.State) -> Outcome:
        return Outcome(
            state.finished, state.scores.copy(), places(state.scores) if state.finished else []
        )

    def hands(self, state: states.State) -> list[list[str]]:
        return [list(hand) for hand in state.hands]

    def explain(self, state: states.State, seat: int, pieces: Sequence[str]) -> Legal:
        """Every reading of these tiles that may be laid now. Raises Refused."""
        if state.finished:
            raise Refused("match_over", code="match_over")
        if seat != state.turn:
            raise Refused("not_your_turn", code="not_your_turn")
        for piece in pieces:
            if piece not in ORDER:
                raise Refused("not_held", tile=piece[:8])
        tiles = ordered(cast("Sequence[Tile]", pieces))
        found = reading.possible(state.hands[seat], tiles, state.top)
        return Legal(list(reading.declared(tiles, found)))

    # -- claims ----------------------------------------------------------------------------------
    def offer(self, state: states.State) -> Offer | None:
        return claims.offer(state)

    def can(self, state: states.State, seat: int) -> bool:
        return claims.can(state, seat)

    def claim(self, state: states.State, seat: int, action: Action) -> Claim:
        return claims.judge(state, seat, action)

    def settle(
        self, state: states.State, claims: Sequence[tuple[int, Action]], dealer: Dealer
    ) -> list[Event]:
        return rules.settle(state, claims, dealer)

    def order(self, state: states.State, seat: int) -> list[int]:
        return states.order(state, seat)

    def standing(self, state: states.State, seat: int, orders: Mapping[str, Any]) -> Action | None:
        return claims.standing(state, seat, orders)

    def check_orders(self, orders: Mapping[str, Any]) -> None:
        claims.check_orders(orders)

    # -- what viewers see ------------------------------------------------------------------------
    def view(self, state: states.State, viewer: Viewer) -> messages.View:
        return views.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        return views.redact(event, viewer)

    def fold(self, view: messages.View, event: Event) -> messages.View:
        return views.fold(view, event)

    def other_world(self, state: states.State, viewer: Viewer, stream: Stream) -> states.State:
        return views.other_world(state, viewer, stream)
