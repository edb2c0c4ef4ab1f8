"""Tests of server/core/bots.py: when bots answer, and that nothing hidden moves them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.contract import Ask
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from server.core import bots
from server.core.clocks import ClockRules
from server.core.inputs import Input
from tests.server.core.bench import CHAMSAEJAK, GAMES, LIVE, PEEPER, Bench, peeper_deck, single

SETTLE = ClockRules(turn_ms=20_000, bank_ms=60_000, grace_ms=300, settle_ms=100)
DECKS = {
    True: peeper_deck("1r 5 9 5", "6 7 8", "5 5 12 12", unused="13 13 14 14"),
    False: peeper_deck("1r 5 9 5", "6 7 8", "13 13 12 12", unused="5 5 14 14"),
}


def dues(bench: Bench) -> dict[str, int | None]:
    return {name: request.bot_due for name, request in bench.table.state.requests.items()}


def test_a_bots_delay_does_not_depend_on_hands() -> None:
    seen = []
    for can in (True, False):
        bench = Bench(PEEPER, 3, decks=[DECKS[can]], bots=(1, 2), pace_ms=1_500)
        bench.act(1_000, 0, single("5"))
        seen.append(dues(bench))
    assert seen[0] == seen[1]
    assert all(due is not None and due > 1_000 for due in seen[0].values())


@pytest.mark.parametrize(("pace", "least", "most"), [(700, 700, 1_050), (4_000, 4_000, 6_000)])
def test_bots_answer_after_the_pace_and_a_drawn_delay(pace: int, least: int, most: int) -> None:
    delays = set()
    for number in range(40):
        bench = Bench(PEEPER, 2, bots=(0, 1), pace_ms=pace, seed=f"{number:02x}" * 32)
        assert bench.table.bot_due is not None
        delays.add(bench.table.bot_due)
    assert min(delays) >= least
    assert max(delays) <= most
    assert len(delays) > 25


def test_at_instant_there_is_no_delay() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1), pace_ms=0)
    assert bench.table.bot_due == 0


def test_a_bot_answers_a_window_before_its_sealed_time_is_over() -> None:
    bench = Bench(PEEPER, 3, decks=[DECKS[True]], bots=(1, 2), pace_ms=60_000)
    bench.act(1_000, 0, single("5"))
    claims = [r.bot_due for r in bench.table.state.requests.values() if r.kind == "claim"]
    assert claims == [1_000 + 3_300 * 4 // 5] * 2


def test_nothing_is_due_before_the_time_and_a_held_turn_needs_no_second_answer() -> None:
    bench = Bench(PEEPER, 3, decks=[DECKS[True]], bots=(1, 2), pace_ms=1_000, clock=SETTLE)
    assert bots.bot_input(bench.table, 10**9) is None
    bench.act(1_000, 0, single("5"))
    due = bench.table.bot_due
    assert due is not None
    assert bots.bot_input(bench.table, due - 1) is None
    bench.play_bots(until=4_299)
    assert bench.table.bot_due is None


def test_a_bot_that_is_late_for_the_sealed_time_is_asked_once() -> None:
    bench = Bench(PEEPER, 3, decks=[DECKS[False]], bots=(1,), pace_ms=3_400, clock=SETTLE)
    bench.act(1_000, 0, single("5"))
    request = bench.table.state.requests[bench.request(1)]
    request.bot_due = 4_350
    inp = bots.bot_input(bench.table, 4_350)
    assert inp is not None
    while inp is not None and inp.request != request.id:
        bench.handle(inp)
        inp = bots.bot_input(bench.table, 4_350)
    assert inp is not None
    assert bench.handle(inp).held
    assert bots.bot_input(bench.table, 4_350) is None
    assert bench.table.bot_due is None


def test_a_bot_that_is_too_late_for_a_claim_is_due_no_more() -> None:
    bench = Bench(CHAMSAEJAK, 2, bots=(0, 1), clock=SETTLE, pace_ms=1_000)
    while not any(r.kind == "claim" for r in bench.table.state.requests.values()):
        bench.play_bots(until=bench.table.bot_due)
    window = bench.table.state.window
    assert window is not None
    (claim,) = [r for r in bench.table.state.requests.values() if r.kind == "claim"]
    claim.bot_due = window.until - 1
    due = bench.table.bot_due
    assert due == window.until - 1
    inp = bots.bot_input(bench.table, window.until - 1)
    assert inp is not None
    # A process that stood still meanwhile asks only now: the claim would be refused.
    assert bots.bot_input(bench.table, window.until) is None
    assert bots.bot_input(bench.table, window.closing - 1) is None
    bench.table.tick(window.until)
    assert bench.table.bot_due is None
    assert bench.table.state.window is window


def test_a_default_is_there_for_a_choice_that_was_refused() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1))
    inp = bots.bot_input(bench.table, 0, default=True)
    assert inp is not None
    assert inp.action == bench.game.default(bench.table.engine, inp.seat or 0)


def test_an_unknown_level_is_played_steadily() -> None:
    plain = Bench(PEEPER, 2, bots=(0, 1), level="steady")
    odd = Bench(PEEPER, 2, bots=(0, 1), level="from another version")
    for bench in (plain, odd):
        bench.play_bots()
    assert plain.events("public")[4:] == odd.events("public")[4:]


class Spy:
    """A bot that keeps what it was given and takes any legal action."""

    def __init__(self) -> None:
        self.given: list[tuple[bytes, Ask]] = []

    def __call__(self, view: Any, ask: Ask, stream: Any) -> Any:
        self.given.append((msgspec.json.encode(view), ask))
        return stream.choice(ask.legal)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_a_bot_gets_its_seats_stream_and_its_request_and_nothing_else(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy()
    monkeypatch.setattr(game, "bots", {**game.bots, "spy": spy, "steady": spy})
    bench = Bench(game, game.min_seats, bots=tuple(range(game.min_seats)), level="spy", pace_ms=700)
    bench.play_bots(until=60_000)
    streams = {
        bytes(view)
        for one in bench.shown
        if one.stream != "public" and (view := _view(one.data)) is not None
    }
    asked = {
        msgspec.json.encode(part["legal"]) for one in bench.shown for part in one.requests or []
    }
    assert len(spy.given) > 3
    for view, ask in spy.given:
        assert view in streams
        assert msgspec.json.encode(ask.legal) in asked
        assert ask.can in (None, True)


def _view(data: bytes) -> bytes | None:
    view = msgspec.json.decode(data, type=dict[str, msgspec.Raw])["view"]
    return None if bytes(view) == b"null" else bytes(view)


def test_a_bots_choice_is_logged_as_its_seats_action() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1), clock=LIVE)
    inp = bots.bot_input(bench.table, 0)
    assert inp is not None
    bench.handle(inp)
    logged = msgspec.json.decode(bench.entries[-1].data)
    assert logged["seat"] == inp.seat
    assert logged["action"] == msgspec.to_builtins(inp.action)


def test_no_label_of_the_bots_is_a_label_of_the_deals() -> None:
    bench = Bench(PEEPER, 2)
    deck, bot = bots.stream(bench.table, "deck:0"), bots.stream(bench.table, "deck:0")
    assert [deck.below(100) for _ in range(5)] == [bot.below(100) for _ in range(5)]
    deal = Stream(bench.table.match.dealer.key, "deck:0")
    again = bots.stream(bench.table, "deck:0")
    assert [deal.below(10**9) for _ in range(5)] != [again.below(10**9) for _ in range(5)]


def test_a_player_who_is_back_is_not_played_for() -> None:
    bench = Bench(PEEPER, 2, decks=[peeper_deck("1r")], bots=(1,), away_ms=0)
    bench.handle(Input(at=0, seat=0, away=True))
    bench.tick(0)
    assert bench.table.bot_due == 0
    bench.handle(Input(at=0, seat=0, back=True))
    assert bots.bot_input(bench.table, 0) is None
