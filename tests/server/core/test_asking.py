"""Tests of server/core/asking.py: what the engine's state asks of whom."""

from __future__ import annotations

import pytest

from engines.kit.registry import AnyGame
from server.core.asking import QUICK_MS
from server.core.inputs import Input
from tests.server.core.bench import GAMES, PASS, PEEPER, Bench, mine, peeper_deck, single

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_somebody_is_asked_for_something_until_the_match_ends(game: AnyGame) -> None:
    bench = Bench(game, game.max_seats, bots=tuple(range(game.max_seats)))
    while bench.table.state.phase == "running":
        state = bench.table.state
        turns = [r for r in state.requests.values() if r.kind == "turn"]
        turn = game.turn(bench.table.engine)
        assert [r.seat for r in turns] == ([] if turn is None else [turn])
        assert (state.window is None) is (game.offer(bench.table.engine) is None)
        assert turns or state.window is not None
        assert (state.clock is None) is (turn is None)
        bench.play_bots(
            until=min(d for d in (bench.table.deadline, bench.table.bot_due) if d is not None)
        )


def test_ids_of_requests_and_windows_are_never_used_twice() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    seen = {bench.request(0)}
    for at, seat, action in ((1_000, 0, single("5")), (5_000, 1, single("6")), (9_000, 2, PASS)):
        bench.act(at, seat, action)
        new = set(bench.table.state.requests)
        assert not (new & seen) or new <= seen
        seen |= new
    windows = [event["window"] for event in bench.told("public", "window_opened")]
    assert windows == ["w1", "w2"]


def test_a_pass_opens_no_window_and_a_last_tile_neither() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    bench.act(1_000, 0, single("5"))
    bench.act(5_000, 1, PASS)
    assert bench.table.state.window is None
    assert len(bench.told("public", "window_opened")) == 1


def test_a_mine_opens_a_return_window_for_all_but_the_miner() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    bench.act(1_000, 0, single("5"))
    bench.act(1_500, 2, mine("5", "5"))
    bench.tick(4_300)
    assert bench.told("public", "window_opened")[1]["kinds"] == ["return"]
    assert [bench.asked(seat) for seat in range(4)] == [["claim"], ["claim"], ["turn"], ["claim"]]
    bench.act(5_000, 1, {"type": "return", "tiles": ["5"]})
    bench.tick(7_600)
    assert bench.told("public", "returned")[0]["seat"] == 1


def test_a_standing_orders_time_is_drawn_within_the_window() -> None:
    seen = set()
    for number in range(30):
        bench = Bench(PEEPER, 4, decks=[DECK], seed=f"{number:02x}" * 32)
        bench.handle(Input(at=0, seat=2, standing={"mine": ["5"]}))
        bench.act(1_000, 0, single("5"))
        window = bench.table.state.window
        assert window is not None
        assert window.claims[0].stamp == 1_000
        assert QUICK_MS[0] <= window.claims[0].after_ms <= QUICK_MS[1]
        seen.add(window.claims[0].after_ms)
    assert len(seen) > 20
    short = Bench(PEEPER, 4, {"claim_ms": 0}, decks=[DECK])
    short.handle(Input(at=0, seat=2, standing={"mine": ["5"]}))
    short.act(1_000, 0, single("5"))
    window = short.table.state.window
    assert window is not None
    assert window.claims[0].after_ms < 300
