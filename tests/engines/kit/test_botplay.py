from __future__ import annotations

import pytest

from engines.kit.botplay import bot_step, check_bots
from engines.kit.contract import Action, Ask, Refused
from engines.kit.dealer import Dealer
from engines.kit.playout import take
from engines.kit.stream import Stream
from engines.kit.violations import Violation
from engines.peeper import GAME
from engines.peeper.game import Peeper
from engines.peeper.messages import Mine, Pass, Play, View
from tests.engines.peeper.tables import table


def test_bots_play_a_match_to_its_end() -> None:
    assert GAME.outcome(check_bots(GAME, "steady", b"bots")).finished


def test_a_bot_that_claims_what_it_cannot_is_found() -> None:
    def greedy(view: View, ask: Ask, stream: Stream) -> Action:
        return ask.legal[0] if ask.kind == "claim" else ask.default

    class Greedy(Peeper):
        bots = {"greedy": greedy}  # noqa: RUF012 (a constant of this test)

    with pytest.raises(Violation, match="claims what it cannot"):
        check_bots(Greedy(), "greedy", b"bots")


def test_an_illegal_turn_is_refused() -> None:
    def passes(view: View, ask: Ask, stream: Stream) -> Action:
        return Pass()

    state = table(["5 6", "7 8"])
    with pytest.raises(Refused):
        bot_step(GAME, state, [passes, passes], [Stream(b"k", "0"), Stream(b"k", "1")])


def test_claims_come_before_the_turn() -> None:
    state = table(["5 6", "7 8", "5 5 9"])
    streams = [Stream(b"k", str(seat)) for seat in range(3)]
    take(GAME, state, Dealer(b"k"), bot_step(GAME, state, [_lead_five] * 3, streams))
    step = bot_step(GAME, state, [GAME.bots["steady"]] * 3, streams)
    assert step.claims == ((2, Mine(["5", "5"])),)


def _lead_five(view: View, ask: Ask, stream: Stream) -> Action:
    return Play(["5"])
