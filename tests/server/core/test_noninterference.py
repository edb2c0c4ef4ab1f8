"""Two tables that differ only in what a viewer may not know are the same for him, to the byte.

Along a match, the table is forked again and again: the twin's engine is in another world that the
viewer cannot tell from the real one, and from there both go on with the same public actions while
every other seat does secret things of its own in each of them: it declines or is silent, is refused,
holds turns and takes them back, gives orders. Compared are the viewer's and the public stream's whole
frames, numbers and times, every answer and refusal that the viewer gets, what a resume would give him,
and when the table next acts. A pair ends where the rules show the viewer what parts the two worlds.

HANPAN_PAIRS sets how many pairs a game are played (CI 2,000).
"""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from engines.kit.contract import Decline, Refused
from engines.kit.fuzz import random_options
from engines.kit.playout import accepted, copy
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from server.core import bots
from server.core.clocks import ClockRules
from server.core.inputs import Input
from server.core.refusals import Denied
from server.core.restore import load_snapshot
from server.core.table import Table
from tests.server.core.bench import DECLINE, GAMES, Bench, Shown, shown

PAIRS = int(os.environ.get("HANPAN_PAIRS", "2000"))
STEPS = 14
"""A pair that has not parted after so many steps is left for the next."""
A_MATCH = 25
"""So many pairs of a match, then another one with other options and seats."""


class Parted(Exception):
    """The rules have shown the viewer what he did not know: the end of a pair."""


class Count(msgspec.Struct):
    """What was compared."""

    pairs: int = 0
    different: int = 0
    frames: int = 0
    answers: int = 0
    parted: int = 0


class Pair:
    """A table and its twin, from the fork on; viewer None is a spectator."""

    def __init__(self, real: Table, viewer: int | None, stream: Stream, count: Count) -> None:
        self.game: AnyGame = real.game
        self.viewer = viewer
        self.stream = stream
        self.count = count
        twin, same = load_snapshot(real.save(), GAMES)
        assert same
        twin.engine = self.game.other_world(real.engine, viewer, stream)
        count.pairs += 1
        here, there = (msgspec.msgpack.encode(t.engine) for t in (real, twin))
        count.different += here != there
        self.real, self.twin = real, twin
        self.both = (real, twin)
        # The twin's seats have other private orders.
        for seat in self.others():
            if stream.below(4) == 0:
                self.secretly(twin, Input(at=twin.state.now, seat=seat, standing={}))
        self.compare()

    def others(self) -> list[int]:
        """All seats but the viewer's."""
        return [seat for seat in range(len(self.real.state.seats)) if seat != self.viewer]

    # -- what happens ------------------------------------------------------------------------------
    def publicly(self, inp: Input, twin: Input | None = None) -> None:
        """The same public thing in both worlds."""
        answers = []
        for table, one in ((self.real, inp), (self.twin, twin or copy_of(inp))):
            answers.append(answer(table, one))
        if inp.seat is not None and inp.seat == self.viewer:
            self.count.answers += 1
            assert answers[0] == answers[1], (inp, answers)
        self.compare()

    def secretly(self, table: Table, inp: Input) -> None:
        """Something that only its own seat may learn of, in one of the worlds."""
        answer(table, inp)

    def pass_time(self, now: int) -> None:
        """Time in both worlds."""
        for table in self.both:
            table.tick(now)
        self.compare()

    def compare(self) -> None:
        """Raise AssertionError where the viewer could tell the worlds apart, Parted where he may."""
        real, twin = self.real, self.twin
        streams = {"public", "public" if self.viewer is None else f"seat:{self.viewer}"}
        here, there = (
            [shown(frame) for frame in table.take_out().frames if frame.stream in streams]
            for table in self.both
        )
        self.count.frames += len(here)
        for one, two in zip(here, there, strict=False):
            if one != two:
                self.part(one, two)
        assert len(here) == len(there), (here[len(there) :], there[len(here) :])
        assert real.deadline == twin.deadline
        assert self.bots_due(real) == self.bots_due(twin)
        assert self.resumed(real) == self.resumed(twin)

    def part(self, one: Shown, two: Shown) -> None:
        """Two frames differ: fair only from an event on by which the rules show something."""
        assert (one.stream, one.seq, one.at) == (two.stream, two.seq, two.at)
        for left, right in zip(one.events, two.events, strict=False):
            if left != right:
                assert {left["type"], right["type"]} <= self.game.reveals, (left, right)
                self.count.parted += 1
                raise Parted
        raise AssertionError(f"{one}\n{two}")

    def bots_due(self, table: Table) -> list[tuple[str, int | None]]:
        """When bots answer which requests that are open in both worlds."""
        open_in_both = self.real.state.requests.keys() & self.twin.state.requests.keys()
        return sorted((name, table.state.requests[name].bot_due) for name in open_in_both)

    def resumed(self, table: Table) -> bytes:
        """What a resume would give the viewer."""
        index = len(table.streams) - 1 if self.viewer is None else self.viewer
        window = table.state.window
        return msgspec.json.encode(
            {
                "numbers": [table.state.numbers[index], table.state.numbers[-1]],
                "view": table.game.view(table.engine, self.viewer),
                "seats": table.seat_parts(),
                "clock": table.clock_part(),
                "window": None if window is None else (window.id, window.until, window.tail),
                "requests": [] if self.viewer is None else table.request_parts(self.viewer),
            }
        )

    # -- what seats do -----------------------------------------------------------------------------
    def step(self) -> None:
        """The next public thing, with secret ones before it. Raises Parted."""
        state = self.real.state
        if state.phase != "running":
            raise Parted
        if state.window is not None and not state.window.tail:
            self.window()
        else:
            self.turn(state.now + 1 + self.stream.below(900))
        if self.stream.below(6) == 0:
            self.odd()

    def turn(self, at: int) -> None:
        """The seat to act does so: the viewer anything, another something that looks the same."""
        seat = self.game.turn(self.real.engine)
        assert seat is not None
        due = [r.bot_due for r in self.real.state.requests.values() if r.seat == seat and r.bot_due]
        at = max([at, *due])
        self.pass_time_to(at)
        chosen = self.same_turn(seat)
        if chosen is None:
            raise Parted
        self.publicly(self.acts(at, seat, chosen[0]), self.acts(at, seat, chosen[1]))

    def pass_time_to(self, at: int) -> None:
        """Not beyond a time-out of another seat, whose default may be known to himself alone."""
        clock = self.real.state.clock
        over = clock is not None and clock.deadline is not None and clock.deadline <= at
        if over and clock is not None and clock.seat != self.viewer:
            raise Parted
        self.pass_time(at)

    def acts(self, at: int, seat: int, action: Any) -> Input:
        return Input(at=at, seat=seat, action=msgspec.to_builtins(action))

    def same_turn(self, seat: int) -> tuple[Any, Any] | None:
        """A turn action of the seat in each world that looks the same to the viewer."""
        by_bot = self.real.state.seats[seat].by_bot
        legal = self.game.legal(self.real.engine, seat).actions
        for _ in range(6):
            action = self.stream.choice(legal)
            if by_bot and seat != self.viewer:
                request = next(
                    r
                    for r in self.real.state.requests.values()
                    if r.seat == seat and r.kind == "turn"
                )
                action = bots._choice(self.real, request)
            if seat == self.viewer or self.looks(self.real, seat, action) == self.looks(
                self.twin, seat, action
            ):
                return action, action
            candidates = self.game.legal(self.twin.engine, seat).actions
            alike = [
                one
                for one in candidates
                if one.__struct_config__.tag == action.__struct_config__.tag
            ]
            self.stream.shuffle(alike)
            for other in alike[:6]:
                if self.looks(self.twin, seat, other) == self.looks(self.real, seat, action):
                    return action, other
        return None

    def looks(self, table: Table, seat: int, action: Any) -> bytes | None:
        """The first event of an action as the viewer sees it; None where the rules forbid it."""
        engine = copy(table.engine)
        try:
            events = self.game.apply(engine, seat, action, copy(table.match.dealer))
        except Refused:
            return None
        redacted = self.game.redact(events[0], self.viewer)
        return msgspec.json.encode(redacted)

    def window(self) -> None:
        """Everybody does something beside an open window, the twins' others other things."""
        state, stream = self.real.state, self.stream
        window, offer = state.window, self.real.offer
        assert window is not None
        assert offer is not None
        begin, end = window.opened, window.until
        at = state.now
        seats = [seat for seat in range(len(state.seats)) if seat != offer.opener]
        stream.shuffle(seats)
        actor = self.game.turn(self.real.engine)
        if actor in seats and stream.below(2):
            seats.sort(key=actor.__eq__)
        for seat in seats:
            at = min(end - 1, max(at, begin) + stream.below(max(1, (end - at) // 3 + 1)))
            if at < state.now:
                break
            self.pass_time(at)
            if self.real.state.window is not window:
                return
            if seat == self.viewer:
                self.own_claim(at, seat)
            else:
                self.others_claim(at, seat)
            open_still = self.real.state.window is window and window.beside
            if seat == actor and open_still and (window.claims or stream.below(2)):
                self.hold(at, seat)
        if self.real.state.window is window and not window.tail:
            self.pass_time(window.closing)

    def own_claim(self, at: int, seat: int) -> None:
        """The viewer answers the window, or is refused, the same in both worlds."""
        offer = self.real.offer
        if offer is None:
            return
        for _ in range(1 + self.stream.below(2)):
            action = self.stream.choice(offer.legal)
            self.publicly(self.acts(at, seat, action))

    def others_claim(self, at: int, seat: int) -> None:
        """Another seat claims in both worlds, or does something secret in each."""
        offer = self.real.offer
        if offer is None:
            return
        claims = [
            action
            for action in accepted(self.game, self.real.engine, seat, offer)
            if action in accepted(self.game, self.twin.engine, seat, offer)
            and self.game.claim(self.real.engine, seat, action)
            == self.game.claim(self.twin.engine, seat, action)
        ]
        free = all((seat, "claim") in asked(table) for table in self.both)
        if claims and free and self.stream.below(4):
            self.publicly(self.acts(at, seat, self.stream.choice(claims)))
            return
        if self.real.match.early_close:
            # Here it is public when everybody has answered.
            self.publicly(Input(at=at, seat=seat, action=dict(DECLINE)))
            return
        for table in self.both:
            what = self.stream.below(4)
            if what == 0:
                self.secretly(table, Input(at=at, seat=seat, action=dict(DECLINE)))
            elif what == 1:
                wrong = [
                    one
                    for one in offer.legal
                    if not isinstance(one, Decline)
                    and one not in accepted(self.game, table.engine, seat, offer)
                ]
                if wrong:
                    self.secretly(table, self.acts(at, seat, self.stream.choice(wrong)))
            elif what == 2:
                orders: dict[str, Any] = {"decline": list(offer.kinds)}
                self.secretly(table, Input(at=at, seat=seat, standing=orders))

    def hold(self, at: int, seat: int) -> None:
        """The next actor submits his turn already, after some secret changes of mind."""
        window = self.real.state.window
        assert window is not None
        private = seat != self.viewer and not self.real.match.early_close
        for table in self.both if private else ():
            for _ in range(self.stream.below(3)):
                legal = self.game.legal(table.engine, seat).actions
                self.secretly(table, self.acts(at, seat, self.stream.choice(legal)))
                if self.stream.below(2):
                    self.secretly(table, Input(at=at, seat=seat, withdraw=True))
        if private and any(claim.valid for claim in window.claims):
            # A claim will take the turn: what was held, if anything, nobody else may learn.
            return
        chosen = self.same_turn(seat)
        if chosen is None:
            for table in self.both:
                self.secretly(table, Input(at=at, seat=seat, withdraw=True))
            return
        self.publicly(self.acts(at, seat, chosen[0]), self.acts(at, seat, chosen[1]))

    def odd(self) -> None:
        """Something public that is no move, or a try of the viewer's that may be refused."""
        at, stream = self.real.state.now, self.stream
        seat = stream.below(len(self.real.state.seats))
        what = stream.below(6)
        if what == 0:
            self.publicly(Input(at=at, seat=seat, away=True))
            self.publicly(Input(at=at, seat=seat, back=True))
        elif what == 1:
            self.publicly(Input(at=at, stalled=stream.below(500)))
        elif what == 2:
            self.publicly(Input(at=at, resumed=stream.below(500)))
        elif self.viewer is not None:
            pieces = self.game.pieces(self.real.options)
            own = self.game.view(self.real.engine, self.viewer).hand or pieces
            tries: list[dict[str, Any]] = [
                {"type": "play", "tiles": [stream.choice(pieces)]},
                {"type": "mine", "tiles": [stream.choice(own)] * 2},
                {"type": "discard", "tile": stream.choice(pieces)},
                {"type": "play", "card": stream.choice(pieces)},
                {"type": "challenge"},
                {"type": "pass"},
                DECLINE,
                {"type": "ron"},
            ]
            if self.game.turn(self.real.engine) != self.viewer:
                self.publicly(Input(at=at, seat=self.viewer, action=stream.choice(tries)))


def asked(table: Table) -> set[tuple[int, str]]:
    return {(request.seat, request.kind) for request in table.state.requests.values()}


def copy_of(inp: Input) -> Input:
    """The same input afresh; the table fills in what an input leaves open."""
    return msgspec.structs.replace(inp)


def answer(table: Table, inp: Input) -> object:
    """What the sender is told."""
    try:
        return table.handle(inp)
    except Denied as denied:
        return denied.code, denied.rule, denied.game, repr(sorted(denied.params.items()))


def fork_along(game: AnyGame, number: int, count: Count, pairs: int) -> None:
    """One match with random options, forked all along for random viewers."""
    stream = Stream(number.to_bytes(8, "big"), f"worlds:{game.name}")
    seats = game.min_seats + stream.below(game.max_seats - game.min_seats + 1)
    ruleset, options = random_options(game, stream)
    turn_ms = stream.choice([None, 20_000])
    bench = Bench(
        game,
        seats,
        msgspec.to_builtins(options),
        clock=ClockRules(
            turn_ms=turn_ms,
            bank_ms=60_000 if turn_ms else None,
            grace_ms=300,
            settle_ms=stream.choice([0, 100]),
        ),
        first=None,
        seed=f"{number % 251:02x}" * 32,
        bots=tuple(seat for seat in range(seats) if stream.below(4) == 0),
        level="steady",
        pace_ms=stream.choice([0, 700]),
        early_close=stream.below(4) == 0,
    )
    table = bench.table
    assert ruleset in game.rulesets
    while count.pairs < pairs and table.state.phase == "running":
        viewer = stream.choice([None, *range(seats)])
        pair = Pair(table, viewer, stream, count)
        try:
            for _ in range(STEPS):
                pair.step()
        except Parted:
            settle_down(table, stream)
        table.take_out()


def settle_down(table: Table, stream: Stream) -> None:
    """The real table goes on alone to where nothing is sealed or held: there a twin can begin."""
    table.take_out()
    while (window := table.state.window) is not None and not window.tail:
        table.tick(window.closing)
    seat = None if table.state.phase != "running" else table.game.turn(table.engine)
    if seat is not None and stream.below(2):
        action = stream.choice(table.game.legal(table.engine, seat).actions)
        inp = Input(at=table.state.now, seat=seat, action=msgspec.to_builtins(action))
        table.handle(inp)
        while (window := table.state.window) is not None and (window.claims or window.held):
            table.tick(window.closing)
    table.take_out()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda g: g.name)
def test_what_a_viewer_may_not_know_changes_no_byte_of_what_he_gets(game: AnyGame) -> None:
    count = Count()
    number = 0
    while count.pairs < PAIRS:
        try:
            fork_along(game, number, count, min(PAIRS, count.pairs + A_MATCH))
        except AssertionError as error:
            raise AssertionError(f"match {number}: {error}") from error
        number += 1
    assert count.different > count.pairs // 3
    assert count.frames > count.pairs
    assert count.answers > 0
