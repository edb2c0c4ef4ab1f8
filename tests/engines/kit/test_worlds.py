from __future__ import annotations

import pytest

from engines.kit.contract import Event, Viewer
from engines.kit.dealer import Dealer
from engines.kit.playout import Step, copy
from engines.kit.stream import Stream
from engines.kit.violations import Report, Violation
from engines.kit.worlds import check_deal, check_worlds, same_events
from engines.peeper import GAME
from engines.peeper.game import Peeper
from engines.peeper.messages import Passed, RoundEnded, TrickWon


def ended(left: list[int]) -> RoundEnded:
    return RoundEnded(1, 0, [1, 2], [2, 1], left, [2, 1])


def test_equal_events_are_the_same() -> None:
    assert same_events(GAME, None, [Passed(0)], [Passed(0)])


def test_worlds_may_part_at_a_reveal_and_no_longer_count_after_it() -> None:
    one = [Passed(0), ended([0, 3]), Passed(1)]
    two = [Passed(0), ended([0, 4]), TrickWon(1)]
    assert not same_events(GAME, None, list[Event](one), list[Event](two))
    assert not same_events(GAME, None, [Passed(0), ended([0, 3])], [Passed(0)])


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ([Passed(0)], [Passed(1)]),
        ([Passed(0), TrickWon(1)], [Passed(0)]),
        ([Passed(0)], [ended([0, 3])]),
    ],
)
def test_worlds_may_not_part_otherwise(here: list[Event], there: list[Event]) -> None:
    with pytest.raises(Violation, match="tells of what is hidden"):
        same_events(GAME, None, here, there)


def test_a_step_is_checked_for_every_viewer() -> None:
    dealer, report = Dealer(b"worlds"), Report()
    state, _ = GAME.start(GAME.options(), 3, dealer)
    was, before = copy(state), copy(dealer)
    seat = state.turn
    step = Step(seat, GAME.default(state, seat))
    events = GAME.apply(state, seat, GAME.default(state, seat), dealer)
    check_worlds(GAME, was, state, before, step, events, Stream(b"k", "w"), report)
    assert (report.worlds, report.different_worlds) == (4, 4)


def test_equal_deals_are_told_by_equal_events() -> None:
    class ShowsHands(Peeper):
        def redact(self, event: Event, viewer: Viewer) -> Event | None:
            return event

    stream = Stream(b"k", "deal")
    check_deal(GAME, GAME.options(), 3, b"k", stream)
    with pytest.raises(Violation, match="tells of what is hidden"):
        check_deal(ShowsHands(), GAME.options(), 3, b"k", stream)
