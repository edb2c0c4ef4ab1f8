"""Games with a planted bug: the suite finds each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from engines.kit.conformance import check_match
from engines.kit.contract import Action, Event, Legal, Offer, Refused, Viewer
from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from engines.kit.violations import Report, Violation
from engines.peeper.game import Peeper
from engines.peeper.messages import Mine, Pass, Play, Played, RoundStarted, View
from engines.peeper.state import State

replace = msgspec.structs.replace


class HandInAnotherView(Peeper):
    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        shown = state.hands[0] if viewer is None else seen.hand
        return replace(seen, hand=shown)


class CountOfHiddenTiles(Peeper):
    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        return replace(seen, announce_at=state.hands[-1].count("X"))


class HandsInTheDeal(Peeper):
    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        shown = super().redact(event, viewer)
        if isinstance(event, RoundStarted) and isinstance(shown, RoundStarted):
            return replace(shown, hands=event.hands)
        return shown


class CountInTheEvent(Peeper):
    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        return event if isinstance(event, Played) else super().redact(event, viewer)


class WindowOnlyIfSomebodyCan(Peeper):
    def offer(self, state: State) -> Offer | None:
        if any(self.can(state, seat) for seat in range(len(state.hands))):
            return super().offer(state)
        return None


class TracesOfARefusal(Peeper):
    def apply(self, state: State, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        state.passed = [*state.passed, seat]
        try:
            self.check(state, seat, action)
        finally:
            # Only a refused action leaves its trace.
            kept = state.passed[:-1]
        state.passed = kept
        return super().apply(state, seat, action, dealer)


class StricterApply(Peeper):
    def apply(self, state: State, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        if isinstance(action, Play) and len(action.tiles) == 2:
            raise Refused("no_combination")
        return super().apply(state, seat, action, dealer)


class ListsAnIllegalAction(Peeper):
    def legal(self, state: State, seat: int, limit: int = 64) -> Legal:
        found = super().legal(state, seat, limit)
        return Legal([*found.actions[: limit - 1], Mine(["5", "5"])], found.more)


class LeaderPassesOnTimeOut(Peeper):
    def default(self, state: State, seat: int) -> Action:
        return Pass()


class ForgetsToFoldPasses(Peeper):
    def fold(self, view: View, event: Event) -> View:
        return replace(super().fold(view, event), passed=[])


class FoldsInPlace(Peeper):
    def fold(self, view: View, event: Event) -> View:
        view.counts = view.counts.copy()
        folded = super().fold(view, event)
        view.passed = [0, 0]
        return folded


class SaysEverybodyCan(Peeper):
    def can(self, state: State, seat: int) -> bool:
        chance = state.chance
        return chance is not None and seat != chance.opener


class LapsesWithoutAnEvent(Peeper):
    def settle(
        self, state: State, claims: Sequence[tuple[int, Action]], dealer: Dealer
    ) -> list[Event]:
        events = super().settle(state, claims, dealer)
        if not claims:
            state.passed = [0]
        return events


class ChangesFromMatchToMatch(Peeper):
    deals = 0

    def start(self, options: Any, seats: int, dealer: Dealer) -> tuple[State, list[Event]]:
        type(self).deals += 1
        state, events = super().start(options, seats, dealer)
        if type(self).deals % 2:
            state.scores = [1] * seats
        return state, events


class PlaysOnAfterTheEnd(Peeper):
    def check(self, state: State, seat: int, action: Action) -> None:
        if not state.finished:
            super().check(state, seat, action)


class AnotherWorldOfOnesOwn(Peeper):
    def other_world(self, state: State, viewer: Viewer, stream: Stream) -> State:
        # A world in which the viewer's own hand is another one is no world that he could be in.
        return super().other_world(state, None, stream)


class SurplusScore(Peeper):
    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        return replace(seen, scores=[score + 1 for score in seen.scores])


BROKEN = [
    HandInAnotherView,
    CountOfHiddenTiles,
    HandsInTheDeal,
    CountInTheEvent,
    WindowOnlyIfSomebodyCan,
    TracesOfARefusal,
    StricterApply,
    ListsAnIllegalAction,
    LeaderPassesOnTimeOut,
    ForgetsToFoldPasses,
    FoldsInPlace,
    SaysEverybodyCan,
    LapsesWithoutAnEvent,
    ChangesFromMatchToMatch,
    PlaysOnAfterTheEnd,
    AnotherWorldOfOnesOwn,
    SurplusScore,
]


def forty_matches(game: Peeper) -> None:
    for number in range(40):
        check_match(game, b"planted" + bytes([number]), Report())


@pytest.mark.parametrize("broken", BROKEN)
def test_a_planted_bug_is_found(broken: type[Peeper]) -> None:
    with pytest.raises((Violation, Refused)) as raised:
        forty_matches(broken())
    assert any("key=" in note for note in raised.value.__notes__)


def test_a_sound_match_is_reported() -> None:
    report = Report()
    check_match(Peeper(), b"sound", report)
    assert report.matches == 1
    assert report.steps > 10
    assert report.actions["play"] > 0
    assert report.events["round_ended"] > 0
