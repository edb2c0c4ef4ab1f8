"""Tests of server/core/claims.py: the window alone, and random histories against an oracle.

A history is a window of Peeper with claims, turns, withdrawals and declines in random order of arrival,
stamped now and then earlier than they come. The oracle below says what must come of it from the rules'
words alone. HANPAN_HISTORIES sets how many are played (CI 2,000).
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from engines.kit.stream import Stream
from server.core.claims import Held, Sealed, Window
from server.core.clocks import ClockRules
from server.core.inputs import Input
from server.core.refusals import Denied
from tests.server.core.bench import DECLINE, PASS, PEEPER, Bench, mine, peeper_deck, single

HISTORIES = int(os.environ.get("HANPAN_HISTORIES", "2000"))


def window(**given: Any) -> Window:
    fields: dict[str, Any] = {
        "id": "w1",
        "kinds": ("mine",),
        "opener": 0,
        "claim_ms": 3_000,
        "grace_ms": 300,
        "ends": "next_action",
        "wins": "one",
        "beside": True,
        "since": 1_000,
        "opened": 1_000,
        "until": 4_300,
        "closing": 4_400,
    }
    return Window(**{**fields, **given})


def claim(seat: int, stamp: int = 2_000, rank: int = 0, valid: bool = True) -> Sealed:
    return Sealed(seat, f"r{seat}", DECLINE, stamp, rank, valid, stamp - 1_000)


# -- the window alone ----------------------------------------------------------------------------------
def test_the_best_claim_is_valid_then_ranked_then_nearest_to_the_opener() -> None:
    claims = [claim(1, rank=1), claim(2, valid=False), claim(3), claim(4)]
    made = window(claims=claims)
    assert [c.seat for c in made.ranked([1, 2, 3, 4])] == [3, 4, 1, 2]
    assert [c.seat for c in made.ranked([4, 3, 2, 1])] == [4, 3, 1, 2]
    assert [c.seat for c in made.winners([4, 3, 2, 1])] == [4]
    assert [c.seat for c in window(claims=claims, wins="all").winners([4, 3, 2, 1])] == [4, 3, 2, 1]
    assert window(claims=[claim(2, valid=False)]).winners([1, 2]) == []


def test_a_shift_moves_the_end_and_the_opening_only_where_that_was_late() -> None:
    made = window()
    made.shift(700, 2_000)
    assert (made.since, made.opened, made.until, made.closing) == (1_000, 1_000, 5_000, 5_100)
    made = window()
    made.shift(700, 1_000)
    assert (made.since, made.opened, made.until, made.closing) == (1_000, 1_700, 5_000, 5_100)


def test_a_restart_has_the_full_length_and_keeps_what_was_sealed() -> None:
    made = window(claims=[claim(2)], held=Held(1, "r1", PASS, 2_000))
    made.restart(9_000)
    assert (made.since, made.opened, made.until, made.closing) == (1_000, 9_000, 12_300, 12_400)
    assert (len(made.claims), made.held is not None) == (1, True)


def test_what_was_late_is_in_time_once_the_end_has_moved() -> None:
    late = [claim(2, 4_310), Held(1, "r1", PASS, 4_320), claim(3, 4_390)]
    made = window(late=list(late))
    assert [held.seat for held in made.turns()] == [1]
    made.shift(50, 4_310)
    assert [c.seat for c in made.claims] == [2]
    assert made.held is not None
    assert [one.seat for one in made.late] == [3]
    kept = window(held=Held(1, "r1", DECLINE, 2_000), late=[Held(1, "r1", PASS, 4_320)])
    kept.restart(5_000)
    assert kept.held is not None
    assert kept.held.action == DECLINE


# -- histories -----------------------------------------------------------------------------------------
DECK = peeper_deck("1r 5 9", "6 7 5 X", "5 X 8 10", "5 X 12", "11 13", size=12)
"""Seat 0 lays a 5; under wild_mine seats 1, 2 and 3 can each mine it with an X, seat 4 cannot."""
NATURAL = peeper_deck("1r 5 9", "6 7 5 X", "5 5 8 10", "14 12", "11 13", size=12)
"""Here seat 2 holds two natural 5s, and seat 3 nothing."""
SEATS = 5


class Sent(msgspec.Struct):
    """What one seat sends: read at `stamp`, handled at `at`."""

    at: int
    stamp: int
    seat: int
    action: dict[str, Any] | None
    """None takes the held turn back."""


def history(number: int) -> tuple[bool, ClockRules, int, list[Sent]]:
    """A random one: whether a natural pair is out, the times, and what is sent in order of arrival."""
    stream = Stream(number.to_bytes(8, "big"), "history")
    natural = stream.below(2) == 1
    rules = ClockRules(grace_ms=stream.choice([0, 300]), settle_ms=stream.choice([0, 100, 400]))
    claim_ms = stream.choice([0, 50, 3_000])
    end = 1_000 + claim_ms + rules.grace_ms
    sent = []
    for _ in range(1 + stream.below(9)):
        stamp = stream.choice(
            [end - 1, end, end + 1, 1_000, 999, 1_000 + stream.below(claim_ms + 900)]
        )
        delay = stream.choice([0, 0, 1, 30, 99, 100, stream.below(500)])
        seat = stream.below(SEATS)
        action: dict[str, Any] | None
        if seat == 1 and stream.below(2):
            action = stream.choice([single("6"), single("7"), PASS, None, single("6")])
        elif natural and seat == 2:
            action = stream.choice([mine("5", "5"), DECLINE, mine("5", "5")])
        else:
            action = stream.choice([mine("5", "X"), mine("5", "X"), DECLINE])
        # The window opens at 1,000: nothing is handled before.
        sent.append(Sent(max(1_000, stamp + delay), stamp, seat, action))
    sent.sort(key=lambda one: one.at)
    return natural, rules, claim_ms, sent


Outcome = tuple[str, int, int, dict[str, Any] | None, list[tuple[int, str]]]
"""What ended the window: kind, when, seat, action; and the published claims with their fate."""


def oracle(natural: bool, rules: ClockRules, claim_ms: int, sent: list[Sent]) -> Outcome | None:
    """What must come of a history, from the rules; None while the window is open."""
    end = 1_000 + claim_ms + rules.grace_ms
    closing = end + rules.settle_ms
    can = {1, 2} if natural else {1, 2, 3}
    # A message that is read when the window is settled finds its tail, whatever its stamp says.
    before = [one for one in sent if one.at < closing]
    after = [one for one in sent if one.at >= closing]
    answered: dict[int, dict[str, Any]] = {}
    claims: list[Sent] = []
    turns: list[Sent] = []
    late: list[Sent] = []
    for one in before:
        kind = one.action["type"] if one.action is not None else None
        in_time = one.stamp < end
        if kind in ("mine", "decline"):
            fair = one.seat != 0 and one.stamp >= 1_000 and one.seat not in answered
            if fair and kind == "decline":
                answered[one.seat] = one.action or {}
            elif fair and one.seat in can:
                answered[one.seat] = one.action or {}
                (claims if in_time else late).append(one)
        elif one.action is None:
            if turns and in_time:
                turns = []
        elif in_time:
            # The one stamped last stands; of two read at the same time, the one that came last.
            known = [t.action for t in [*turns, *late] if t.seat == 1 and t.action]
            known = [a for a in known if a["type"] != "mine"]
            if one.action not in known and (not turns or one.stamp >= turns[0].stamp):
                turns = [one]
        elif not turns and not any(t.action and t.action["type"] != "mine" for t in late):
            late.append(one)
    fates: list[tuple[int, str]] = []
    if claims:
        rank = {one.seat: (0 if natural and one.seat == 2 else 1, one.seat) for one in claims}
        best = min(claims, key=lambda one: rank[one.seat])
        fates = sorted((c.seat, "won" if c is best else "lost") for c in claims)
        return "mined", closing, best.seat, best.action, fates
    if turns:
        return "turn", closing, 1, turns[0].action, []
    for one in late:
        if one.action is not None and one.action["type"] == "mine":
            return "mined", closing, one.seat, one.action, [(one.seat, "won")]
        return "turn", closing, 1, one.action, []
    for one in after:
        if one.action is None or one.action == DECLINE:
            fresh = one.seat not in (0, *answered) and one.stamp >= 1_000
            if one.action == DECLINE and fresh:
                answered[one.seat] = DECLINE
            continue
        if one.action["type"] != "mine":
            return "turn", one.at, 1, one.action, []
        if one.seat in can and one.seat not in answered and one.stamp >= 1_000:
            return "mined", one.at, one.seat, one.action, [(one.seat, "won")]
    return None


def played(natural: bool, rules: ClockRules, claim_ms: int, sent: list[Sent]) -> Outcome | None:
    """What the table makes of it."""
    deck = NATURAL if natural else DECK
    options = {"claim_ms": claim_ms, "wild_mine": True}
    bench = Bench(PEEPER, SEATS, options, clock=rules, decks=[deck])
    bench.act(1_000, 0, single("5"))
    requests = {(r.seat, r.kind): r.id for r in bench.table.state.requests.values()}
    for one in sent:
        claims = one.action is not None and one.action["type"] in ("mine", "decline")
        request = requests.get((one.seat, "claim" if claims else "turn"), "r0")
        inp = Input(at=one.at, stamp=one.stamp, seat=one.seat, request=request)
        if one.action is None:
            inp.withdraw = True
        else:
            inp.action = dict(one.action)
        try:
            bench.handle(inp)
        except Denied:
            bench.collect()
    bench.tick(100_000)
    closed = [event for event in bench.told("public", "window_closed") if event["window"] == "w1"]
    assert len(closed) <= 1
    if not closed:
        return None
    fates = sorted((c["seat"], c["outcome"]) for c in closed[0]["claims"])
    frame = next(o for o in bench.stream("public") if o.at == closed[0]["at"] and closed_in(o))
    done = next(e for e in frame.events if e["type"] in ("mined", "played", "passed"))
    at = closed[0]["at"]
    if done["type"] == "mined":
        return "mined", at, done["seat"], mine(*done["tiles"]), fates
    action = PASS if done["type"] == "passed" else single(done["tiles"][0])
    return "turn", at, done["seat"], action, fates


def closed_in(frame: Any) -> bool:
    return any(e["type"] == "window_closed" and e["window"] == "w1" for e in frame.events)


def same(one: Outcome | None, two: Outcome | None) -> bool:
    """Equal; the tiles of a Mine are a set."""
    if one is None or two is None:
        return one is two
    left, right = dict(one[3] or {}), dict(two[3] or {})
    for action in (left, right):
        action["tiles"] = sorted(action.get("tiles", []))
    return one[:3] == two[:3] and left == right and one[4] == two[4]


def test_every_window_resolves_once_and_by_the_rule() -> None:
    kinds: dict[str, int] = {}
    for number in range(HISTORIES):
        made = history(number)
        expected, got = oracle(*made), played(*made)
        assert same(expected, got), (number, expected, got, made)
        kinds[expected[0] if expected else "open"] = (
            kinds.get(expected[0] if expected else "open", 0) + 1
        )
    if HISTORIES >= 100:
        assert min(kinds.values()) > HISTORIES // 100
        assert set(kinds) == {"mined", "turn", "open"}


def test_order_of_arrival_inside_the_sealed_time_never_matters() -> None:
    stream = Stream(b"arrival", "order")
    for number in range(min(HISTORIES, 300)):
        natural, rules, claim_ms, _ = history(number)
        end = 1_000 + claim_ms + rules.grace_ms
        if end == 1_000:
            continue
        seats = [1, 2] if natural else [1, 2, 3]
        sent = [
            Sent(end - 1, 1_000 + stream.below(end - 1_000), seat, mine("5", "X")) for seat in seats
        ]
        if natural:
            sent[1].action = mine("5", "5")
        sent.append(Sent(end - 1, 1_000, 1, single("6")))
        first = played(natural, rules, claim_ms, sent)
        stream.shuffle(sent)
        assert same(first, played(natural, rules, claim_ms, sent)), number
