"""Tests of server/core/record.py: what a file may hold, and how it is played on virtual time."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.registry import AnyGame
from server.core import record as records
from server.core.inputs import Input, Start
from server.core.record import Played, RecordError, build, parse, public_events, set_up
from server.core.table import Table
from tests.server.core.bench import (
    CHAMSAEJAK,
    DECLINE,
    GAMES,
    PASS,
    PEEPER,
    RON,
    SEED,
    Bench,
    Shown,
    chamsaejak_deck,
    mine,
    peeper_deck,
    shown,
    single,
)
from tests.server.core.wild import Wild

DECK = peeper_deck("1r 5 9", "6 7 5", "5 5 8", "10 11")
RONS = chamsaejak_deck("9 9 C C F", "5 5 5r 7 7", "2r 3 4 6r 8r", then="1 7 2 3 4 1 2")


def file(log: Any = (), **fields: Any) -> bytes:
    """A record of Peeper with four seats, but for what is given."""
    base: dict[str, Any] = {
        "format": "hanpan.record/1",
        "game": "peeper",
        "seats": 4,
        "decks": [DECK],
        "log": None if log is None else list(log),
    }
    merged = {**base, **fields}
    return msgspec.json.encode({k: v for k, v in merged.items() if v != "absent"})


def played(data: bytes) -> tuple[list[Played], Table]:
    """What comes of every line, and the table at the end."""
    record = parse(data)
    table = set_up(record, GAMES)
    public_events(table)
    return list(records.play(record, table)), table


def act(at: int, seat: int, action: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"at": at, "seat": seat, "action": action, **more}


def told(lines: list[Played]) -> list[list[str]]:
    """The types of each line's events."""
    return [[str(e.__struct_config__.tag) for e in line.events] for line in lines]


def codes(lines: list[Played]) -> list[str | None]:
    return [line.denied.code if line.denied else None for line in lines]


# -- playing --------------------------------------------------------------------------------------------
def test_every_line_gets_the_public_events_that_it_led_to_until_the_next() -> None:
    lines, _ = played(
        file(
            [
                act(0, 0, single("5")),
                act(900, 2, mine("5", "5")),
                act(1_000, 1, single("6")),
                act(5_000, 1, {"type": "return", "tiles": ["5"]}),
            ]
        )
    )
    assert told(lines) == [
        ["played", "window_opened"],
        [],
        ["window_closed", "mined", "window_opened"],
        ["window_closed", "returned"],
    ]
    assert [line.ok for line in lines] == [True] * 4


def test_without_a_clock_there_are_no_time_outs_no_grace_and_no_early_closing() -> None:
    lines, table = played(
        file([act(0, 0, single("5")), act(2_999, 2, DECLINE), act(3_000, 1, PASS)])
    )
    assert told(lines)[2] == ["window_closed", "passed"]
    rules = table.state.config.clock
    assert (rules.turn_ms, rules.bank_ms, rules.grace_ms, rules.settle_ms) == (None, None, 0, 0)
    lines, table = played(file([act(0, 0, single("5")), act(9 * 10**9, 1, PASS)]))
    assert codes(lines) == [None, None]
    early = [act(0, 0, single("5")), *(act(1, seat, DECLINE) for seat in (1, 2, 3))]
    assert told(played(file(early))[0])[3] == []
    clock = {"early_close": True}
    assert told(played(file(early, clock=clock))[0])[3] == ["window_closed"]


def test_a_held_turn_takes_effect_at_the_end_of_the_sealed_time() -> None:
    lines, table = played(
        file(
            [act(0, 0, single("5")), act(100, 1, single("6")), act(3_300, 2, PASS)],
            clock={"grace_ms": 300},
        )
    )
    assert told(lines)[1] == ["window_closed", "played", "window_opened"]
    # The pass answers the next seat's turn beside the new window: held, until time runs out.
    assert lines[2].ok
    assert told(lines)[2] == ["window_closed", "passed"]
    assert table.state.now == 6_600


def test_time_outs_before_the_next_line_are_its_forerunners() -> None:
    lines, _ = played(
        file(
            [act(0, 0, single("5")), act(100_000, 2, PASS)],
            clock={"turn_ms": 20_000, "bank_ms": 60_000},
        )
    )
    assert told(lines) == [
        ["played", "window_opened", "timed_out", "window_closed", "passed"],
        ["passed"],
    ]


def test_after_the_last_line_time_runs_until_nothing_is_held_or_sealed() -> None:
    held, table = played(file([act(0, 0, single("5")), act(1, 1, single("6"))]))
    assert told(held)[1] == ["window_closed", "played", "window_opened"]
    assert table.state.now == 3_000
    # A window that ends with the next action stays open, and turn clocks stand.
    open_window, table = played(
        file([act(0, 0, single("5"))], clock={"turn_ms": 1_000, "bank_ms": 0})
    )
    assert told(open_window) == [["played", "window_opened"]]
    assert table.state.window is not None
    # One with a deadline closes, and the next player draws.
    log = [act(0, 0, {"type": "discard", "tile": "7"}), act(5, 1, RON)]
    chamsaejak = {"game": "chamsaejak", "seats": 3, "decks": [RONS], "first": 0}
    won, table = played(file(log, **chamsaejak))
    assert told(won)[1][:2] == ["window_closed", "won"]
    drew, table = played(file(log[:1], **chamsaejak))
    assert told(drew)[0] == ["discarded", "window_opened", "window_closed", "drew"]
    assert table.state.now == 2_000


def test_lines_at_the_same_time_are_taken_in_their_order() -> None:
    first = [act(0, 0, single("5")), act(3_000, 1, PASS), act(3_000, 2, mine("5", "5"))]
    assert codes(played(file(first))[0]) == [None, None, "claim_closed"]
    other = [first[0], first[2], first[1]]
    assert codes(played(file(other))[0]) == [None, None, "not_your_turn"]


def test_a_seat_answers_a_window_once() -> None:
    log = [
        act(0, 0, single("5")),
        act(1, 2, mine("5", "5")),
        act(2, 2, mine("5", "5")),
        act(3, 2, DECLINE),
        act(4, 3, DECLINE),
        act(5, 3, DECLINE),
    ]
    lines, _ = played(file(log))
    assert codes(lines) == [None, None, None, "stale_request", None, None]
    closed = next(e for e in lines[-1].events if e.__struct_config__.tag == "window_closed")
    assert [claim.seat for claim in closed.claims] == [2]


def test_a_stamp_alone_is_compared_with_deadlines() -> None:
    clock = {"grace_ms": 300, "settle_ms": 100}
    base = [act(0, 0, single("5")), act(10, 1, single("6"))]
    in_time = [*base, act(3_350, 2, mine("5", "5"), stamp=3_299)]
    assert told(played(file(in_time, clock=clock))[0])[2][:2] == ["window_closed", "mined"]
    late = [*base, act(3_350, 2, mine("5", "5"))]
    assert told(played(file(late, clock=clock))[0])[2][:2] == ["window_closed", "played"]


def test_the_other_inputs_are_taken_too() -> None:
    log: list[dict[str, Any]] = [
        {"at": 0, "seat": 2, "standing": {"mine": ["5"]}, "until": "match"},
        act(0, 0, single("5")),
        {"at": 10, "stalled": 500},
        {"at": 20, "seat": 3, "away": True},
        {"at": 30, "seat": 3, "back": True},
        act(40, 1, single("6")),
        {"at": 50, "seat": 1, "withdraw": True},
        {"at": 60, "seat": 3, "left": True},
        {"at": 70, "seat": 1, "bot": "steady"},
        {"at": 80, "resumed": 100},
    ]
    lines, table = played(file(log))
    assert codes(lines) == [None] * len(log)
    assert table.state.seats[3].state == "left"
    assert told(lines)[-1][-3:] == ["window_closed", "mined", "window_opened"]


def test_a_line_of_a_seat_that_left_is_what_its_bot_chose() -> None:
    log: list[dict[str, Any]] = [{"at": 0, "seat": 0, "left": True}, act(5, 0, single("5"))]
    assert codes(played(file(log))[0]) == [None, None]


def test_anything_after_the_end_of_the_match_is_over() -> None:
    bench = Bench(PEEPER, 2, bots=(0, 1))
    now = bench.play_bots()
    record = built(bench)
    record.log += [
        records.LogLine(at=now + 1, seat=0, action=PASS),
        records.LogLine(at=now + 1, seat=0, away=True),
        records.LogLine(at=now + 1, stalled=5),
        records.LogLine(at=now + 10**6, seat=1, action=DECLINE),
    ]
    lines, _ = played(msgspec.json.encode(record))
    assert codes(lines)[-4:] == ["match_over"] * 4
    assert all(line.events == [] for line in lines[-4:])


def test_decks_beyond_the_list_come_from_the_seed() -> None:
    ends = []
    for seed in ("00" * 32, "AB" * 32, "ab" * 32, "absent"):
        bench = Bench(PEEPER, 2, {"rounds": 2}, bots=(0, 1), decks=[peeper_deck("1r")])
        bench.play_bots(until=0)
        data = file([], seats=2, options={"rounds": 2}, decks=[peeper_deck("1r")], seed=seed)
        table = set_up(parse(data), GAMES)
        dealer = table.match.dealer
        ends.append(dealer.deck(PEEPER.pieces(PEEPER.options())))
    assert ends[1] == ends[2] != ends[0] == ends[3]


# -- building -------------------------------------------------------------------------------------------
def built(bench: Bench) -> records.Record:
    table = bench.table
    return build(table.state.config, table.match, table.game.version, bench.entries)


def replayed(record: records.Record, count: int) -> list[Shown]:
    """The first frames of a record's match, so many at least if it has them."""
    again = parse(msgspec.json.encode(record))
    table = set_up(again, GAMES)
    frames = [shown(frame) for frame in table.take_out().frames]
    for line in again.log:
        table.handle(records.to_input(line))
        frames += [shown(frame) for frame in table.take_out().frames]
    while len(frames) < count and table.deadline is not None:
        table.tick(table.deadline)
        frames += [shown(frame) for frame in table.take_out().frames]
    return frames


def anonymous(data: bytes) -> bytes:
    return data.replace(b'"player":"p', b'"player":"seat')


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
@pytest.mark.parametrize("key", range(4))
def test_a_records_replay_is_the_match_to_the_byte(game: AnyGame, key: int) -> None:
    wild = Wild(game, key)
    bench = wild.bench
    for _ in range(200):
        wild.step()
        if bench.table.state.phase == "ended":
            break
    match = bench.table.match
    live = [
        # A record has names, but no players' ids.
        Shown(one.stream, one.seq, one.at - match.started, anonymous(one.data))
        for one in bench.shown
        if one.seq > match.starts[bench.table.streams.index(one.stream)]
    ]
    assert len(live) > 10
    assert replayed(built(bench), len(live))[: len(live)] == live


def test_the_second_match_of_a_table_has_a_record_of_its_own() -> None:
    bench = Bench(PEEPER, 3, bots=(0, 1, 2))
    now = bench.play_bots()
    first = built(bench)
    bench.handle(Input(at=now + 5_000, start=Start("m2", SEED)))
    bench.play_bots()
    second = built(bench)
    assert (first.match, second.match, second.number) == ("m1", "m2", 2)
    assert second.from_ is not None
    assert second.from_["public"] == bench.table.match.starts[-1] > 0
    assert second.log[0].at == 0
    started = bench.table.match.started
    live = [msgspec.structs.replace(o, at=o.at - started) for o in bench.shown if o.at >= started]
    again = replayed(second, len(live))
    assert again == live[-len(again) :]
    assert again[0].events[0]["number"] == 2


def test_a_record_holds_what_was_in_force_and_no_ticks() -> None:
    bench = Bench(CHAMSAEJAK, 3, bots=(0, 1, 2), early_close=True, pace_ms=700)
    bench.play_bots()
    record = built(bench)
    data = msgspec.json.decode(msgspec.json.encode(record))
    assert data["clock"] == {
        "turn_ms": 20_000,
        "bank_ms": 60_000,
        "grace_ms": 300,
        "settle_ms": 0,
        "early_close": True,
    }
    assert data["options"]["claim_ms"] == 2_000
    assert data["levels"] == ["random"] * 3
    assert b"tick" not in msgspec.json.encode(record.log)
    assert all("request" not in line for line in data["log"])


# -- what a file may hold --------------------------------------------------------------------------------
GOOD: list[dict[str, Any]] = [
    {},
    {"kind": "full", "ruleset": "standard", "engine": "1", "options": {}},
    {"kind": None, "ruleset": None, "options": None, "first": None, "clock": None, "seed": None},
    {"options": {"claim_ms": None, "rounds": 2}},
    {"clock": {"turn_ms": None, "grace_ms": None, "early_close": None}},
    {"clock": {"grace_ms": 300}},
    {"decks": []},
    {"decks": None},
    {"first": 3, "seed": "0f" * 32},
    {"ruleset": "ibc"},
    {"names": ["A", "B", "C", "D"], "match": "m", "away_ms": 5},
    {"from": {"seat:0": 7, "public": 9}},
    {"log": None},
]


@pytest.mark.parametrize("fields", GOOD)
def test_absent_and_null_are_the_same(fields: dict[str, Any]) -> None:
    assert played(file(**fields))[1].state.phase == "running"


def test_numbers_go_on_from_where_the_record_says() -> None:
    table = set_up(parse(file(**{"from": {"seat:0": 7, "public": 9}})), GAMES)
    frames = {frame.stream: frame.seq for frame in table.take_out().frames}
    assert (frames["seat:0"], frames["seat:1"], frames["public"]) == (8, 1, 10)


BAD_FILES: list[tuple[bytes, str]] = [
    (b"", "not a full record"),
    (b"{", "not a full record"),
    (b"[]", "not a full record"),
    (b"\xff\xfe", "not a full record"),
    (b"[" * 100_000, "not a full record"),
    (file(format="hanpan.record/2"), "not a full record"),
    (file(kind="public"), "not a full record"),
    (file(unheard=1), "unheard"),
    (file(seats="4"), "seats"),
    (file(seats="absent"), "seats"),
    (file(game="whist"), "whist"),
    (file(ruleset="nope"), "nope"),
    (file(options={"claim_ms": -1}), "claim_ms"),
    (file(options={"unheard": 1}), "unheard"),
    (file(ruleset="ibc", options={"rank_by": "sum"}), "rank_by"),
    (file(seats=7), "2 to 6"),
    (file(seats=-1), "2 to 6"),
    (file(decks=[DECK[:-1]]), "decks[0]"),
    (file(decks=[DECK, [*DECK[:-1], "5"]]), "decks[1]"),
    (file(first=4), "first"),
    (file(seed="0f"), "seed"),
    (file(seed="zz" * 32), "seed"),
    (file(clock={"turn_ms": -1}), "turn_ms"),
    (file(clock={"turn_ms": 0}), "turn_ms"),
    (file(clock={"grace_ms": -1}), "grace_ms"),
    (file(clock={"unheard": 1}), "unheard"),
    (file(names=["A"]), "names"),
    (file(levels=["steady", None, None]), "levels"),
    (file(levels=["grandmaster", None, None, None]), "grandmaster"),
    (file(**{"from": {"seat:9": 1}}), "seat:9"),
]

BAD_LINES: list[tuple[list[dict[str, Any]], str]] = [
    ([{"at": 0}], "log[0]"),
    ([{"at": 0, "seat": 0}], "log[0]"),
    ([{"seat": 0, "action": PASS}], "at"),
    ([{"at": -1, "seat": 0, "action": PASS}], "log[0]"),
    ([act(5, 0, PASS), act(4, 0, PASS)], "log[1]"),
    ([act(5, 0, PASS, stamp=6)], "log[0]"),
    ([act(0, 4, PASS)], "log[0]"),
    ([act(0, -1, PASS)], "log[0]"),
    ([{"at": 0, "action": PASS}], "log[0]"),
    ([act(0, 0, PASS, away=True)], "log[0]"),
    ([{"at": 0, "seat": 0, "away": False}], "away"),
    ([{"at": 0, "stalled": -1}], "log[0]"),
    ([{"at": 0, "stalled": "x"}], "stalled"),
    ([{"at": 0, "seat": 0, "bot": "grandmaster"}], "grandmaster"),
    ([{"at": 0, "seat": 0, "unheard": 1}], "unheard"),
    ([{"at": 0, "seat": 0, "away": True, "until": "match"}], "until"),
    ([act(0, 0, {"type": "castle"})], "log[0]"),
    ([act(0, 0, {"type": "play"})], "tiles"),
    ([act(0, 0, {"type": "play", "tiles": ["99"]})], "log[0]"),
    ([act(0, 0, {"type": "play", "tiles": ["5"], "as": "flush"})], "log[0]"),
    ([act(0, 0, {"type": "pass", "unheard": 1})], "unheard"),
    ([{"at": 0, "seat": 0, "action": "pass"}], "log[0]"),
    ([act(0, 0, PASS), act(1, 0, {"type": "ron"})], "log[1]"),
]


@pytest.mark.parametrize(
    ("data", "part"), [*BAD_FILES, *((file(log), part) for log, part in BAD_LINES)]
)
def test_what_the_schema_forbids_is_malformed_and_found_before_a_line_is_played(
    data: bytes, part: str
) -> None:
    with pytest.raises(RecordError) as caught:
        set_up(parse(data), GAMES)
    assert part in str(caught.value)


RULES: list[tuple[dict[str, Any], str]] = [
    (single("15"), "illegal_action"),
    ({"type": "play", "tiles": []}, "illegal_action"),
    ({"type": "play", "tiles": ["5"], "as": "pair"}, "illegal_action"),
    ({"type": "play", "tiles": ["5"], "low": 10**12}, "illegal_action"),
    (PASS, "illegal_action"),
    (mine("5", "5"), "claim_closed"),
]


@pytest.mark.parametrize(("action", "code"), RULES)
def test_everything_else_is_a_matter_of_rules_and_gets_its_line(
    action: dict[str, Any], code: str
) -> None:
    lines, _ = played(file([act(0, 0, action)]))
    assert codes(lines) == [code]


def test_no_trump_is_a_written_null() -> None:
    pepper = {"game": "pepper", "seats": 4, "decks": "absent", "first": 3}
    bids = [act(0, 0, {"type": "bid", "bid": 1}), *(act(0, s, PASS) for s in (1, 2, 3))]
    lines, _ = played(file([*bids, act(0, 0, {"type": "trump", "suit": None})], **pepper))
    assert codes(lines)[-1] is None
    with pytest.raises(RecordError):
        set_up(parse(file([act(0, 0, {"type": "trump"})], **pepper)), GAMES)
    huge = played(file([act(0, 0, {"type": "bid", "bid": 10**30})], **pepper))[0]
    assert codes(huge) == ["illegal_action"]
