"""Tests of server/core/play.py: what is taken, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.contract import Action
from engines.kit.fuzz import random_action
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from server.core.inputs import Input
from server.core.refusals import Denied
from tests.server.core.bench import (
    CHAMSAEJAK,
    DECLINE,
    GAMES,
    PASS,
    PEEPER,
    Bench,
    mine,
    peeper_deck,
    single,
)

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")


def opened(**settings: Any) -> Bench:
    bench = Bench(PEEPER, 4, decks=[DECK], **settings)
    bench.act(1_000, 0, single("5"))
    return bench


def refusal(bench: Bench, inp: Input) -> Denied:
    with pytest.raises(Denied) as caught:
        bench.handle(inp)
    return caught.value


BAD: list[tuple[int, Any, str | None, str]] = [
    (1, {"type": "play", "tiles": ["5"], "note": 1}, None, "bad_message"),
    (1, {"type": "play"}, None, "bad_message"),
    (1, {"type": "play", "tiles": ["99"]}, None, "bad_message"),
    (1, {"type": "play", "tiles": "5"}, None, "bad_message"),
    (1, {"type": "castle"}, None, "bad_message"),
    (1, {}, None, "bad_message"),
    (1, ["pass"], None, "bad_message"),
    (1, 7, None, "bad_message"),
    (1, b'{"type":"play","tiles":[', None, "bad_message"),
    (1, b'{"type":"pass"}' * 2, None, "bad_message"),
    (1, b"[" * 5_000, None, "bad_message"),
    (1, single("4"), None, "illegal_action"),
    (1, single("15"), None, "illegal_action"),
    (1, {"type": "play", "tiles": []}, None, "illegal_action"),
    (2, single("8"), None, "not_your_turn"),
    (2, PASS, None, "not_your_turn"),
    (2, mine("5", "X"), None, "illegal_action"),
    (3, mine("5", "5"), None, "illegal_action"),
    (0, mine("5", "5"), None, "illegal_action"),
    (2, {"type": "return", "tiles": ["5"]}, None, "illegal_action"),
    (1, single("6"), "r1", "stale_request"),
    (1, single("6"), "", "stale_request"),
]


@pytest.mark.parametrize(("seat", "action", "request_id", "code"), BAD)
def test_a_refused_action_leaves_the_table_untouched(
    seat: int, action: Any, request_id: str | None, code: str
) -> None:
    bench = opened()
    before, shown, entries = bench.table.save(), len(bench.shown), len(bench.entries)
    raw = msgspec.Raw(action) if isinstance(action, bytes) else action
    denied = refusal(bench, Input(at=1_000, seat=seat, action=raw, request=request_id))
    assert denied.code == code
    assert bench.table.save() == before
    assert (len(bench.shown), len(bench.entries)) == (shown, entries)


def test_a_malformed_action_is_described_without_what_was_sent() -> None:
    for secret in (
        {"type": "secret99"},
        {"type": "play", "tiles": ["secret99"]},
        {"type": "play", "tiles": ["5"], "as": "secret99"},
        {"type": "pass", "secret99": 1},
        {"secret99": 1},
    ):
        denied = refusal(opened(), Input(at=1_000, seat=1, action=secret))
        assert "secret99" not in str(denied.params)
        assert denied.params["detail"]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
@pytest.mark.parametrize("number", range(6))
def test_random_actions_are_taken_or_leave_the_table_untouched(game: AnyGame, number: int) -> None:
    stream = Stream(b"fuzz", f"{game.name}:{number}")
    bench = Bench(game, game.max_seats, seed=f"{number:02x}" * 32)
    pieces = game.pieces(game.options())
    taken = now = 0
    for _ in range(150):
        now += stream.below(2_000)
        bench.tick(now)
        if bench.table.state.phase != "running":
            break
        seat = stream.below(game.max_seats)
        action: Action | None = random_action(game, pieces, stream)
        if stream.below(3) == 0 and game.turn(bench.table.engine) is not None:
            seat = game.turn(bench.table.engine) or 0
            action = stream.choice(game.legal(bench.table.engine, seat).actions)
        if action is None:
            continue
        before = bench.table.save()
        try:
            bench.act(now, seat, msgspec.to_builtins(action))
            taken += 1
        except Denied:
            assert bench.table.save() == before
    assert taken > 5


def test_before_the_match_nothing_can_be_played() -> None:
    bench = Bench(PEEPER, 4, start=False)
    denied = refusal(bench, Input(at=0, seat=0, action=PASS))
    assert (denied.code, denied.rule) == ("not_your_turn", "not_started")
    assert refusal(bench, Input(at=0, seat=0, standing={})).code == "not_your_turn"
    assert refusal(bench, Input(at=0, seat=0, withdraw=True)).code == "not_your_turn"


def test_after_the_match_everything_is_over() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1))
    now = bench.play_bots()
    for inp in (
        Input(at=now, seat=0, action=PASS),
        Input(at=now, seat=0, standing={}),
        Input(at=now, seat=0, withdraw=True),
    ):
        assert refusal(bench, inp).code == "match_over"


def test_only_the_own_held_turn_of_an_open_window_can_be_withdrawn() -> None:
    bench = opened()
    assert refusal(bench, Input(at=1_100, seat=1, withdraw=True)).rule == "not_held"
    bench.act(1_200, 1, single("6"))
    request = bench.request(1)
    assert refusal(bench, Input(at=1_300, seat=2, withdraw=True)).rule == "not_held"
    assert refusal(bench, Input(at=1_300, seat=1, withdraw=True, request="r1")).rule == "not_held"
    bench.handle(Input(at=1_300, seat=1, withdraw=True, request=request))
    assert refusal(bench, Input(at=1_400, seat=1, withdraw=True)).rule == "not_held"
    bench.act(1_500, 1, single("6"))
    bench.tick(4_300)
    assert refusal(bench, Input(at=4_300, seat=1, withdraw=True)).code == "stale_request"


def test_nothing_is_held_where_no_turn_stands_beside_the_window() -> None:
    bench = Bench(CHAMSAEJAK, 3)
    tile = msgspec.to_builtins(bench.game.default(bench.table.engine, 0))
    bench.act(1_000, 0, tile)
    for seat in range(3):
        assert bench.refused(1_100, seat, tile) == "not_your_turn"


def test_orders_that_the_game_does_not_know_are_refused() -> None:
    bench = opened()
    before = bench.table.save()
    denied = refusal(bench, Input(at=1_000, seat=2, standing={"ron": "auto"}))
    assert denied.game
    assert bench.table.save() == before


def test_a_forfeited_seat_plays_no_more() -> None:
    bench = opened(away_policy="forfeit", away_ms=1_000)
    bench.handle(Input(at=1_100, seat=1, away=True))
    bench.tick(2_100)
    bench.handle(Input(at=2_200, seat=1, back=True))
    denied = refusal(bench, Input(at=2_300, seat=1, action=single("6")))
    assert (denied.code, denied.rule) == ("forbidden", "forfeited")
    bench.tick(4_300)
    # He passes on without losing time.
    assert bench.told("public", "passed")[0]["at"] == 4_300
    assert not bench.told("public", "timed_out")


def test_an_answer_names_the_number_of_the_frame_with_its_effect() -> None:
    bench = Bench(PEEPER, 4, decks=[DECK])
    answer = bench.act(1_000, 0, single("5"))
    frame = bench.stream("seat:0")[-1]
    assert answer.seq == frame.seq
    assert frame.events[0]["type"] == "played"


def test_a_decline_is_sealed_like_a_claim() -> None:
    assert opened().act(1_100, 3, DECLINE).sealed
