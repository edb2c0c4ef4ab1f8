"""Wild play: people and bots at a table doing everything that they may, late and wrong things too."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.fuzz import random_action, random_options
from engines.kit.playout import accepted
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from server.core import play
from server.core.clocks import ClockRules
from server.core.inputs import Input, Joiner, Start
from server.core.refusals import Denied
from server.core.state import Request
from tests.server.core.bench import DECLINE, SEED, Bench

ORDERS: dict[str, list[dict[str, Any]]] = {
    "peeper": [{"mine": "all"}, {"mine": ["5"], "return": "all"}, {"decline": ["mine"]}, {}],
    "chamsaejak": [{"ron": "auto"}, {"decline": ["ron"]}, {}],
}


class Wild:
    """A match in which every seat does random things; the same key does the same things."""

    def __init__(self, game: AnyGame, key: int) -> None:
        stream = self.stream = Stream(key.to_bytes(8, "big"), f"wild:{game.name}")
        seats = game.min_seats + stream.below(game.max_seats - game.min_seats + 1)
        _, options = random_options(game, stream)
        humans = [seat for seat in range(seats) if stream.below(4)]
        turn_ms = stream.choice([None, 3_000, 12_000])
        self.bench = Bench(
            game,
            seats,
            msgspec.to_builtins(options),
            clock=ClockRules(
                turn_ms=turn_ms,
                bank_ms=stream.choice([0, 5_000]) if turn_ms is not None else None,
                grace_ms=stream.choice([0, 300]),
                settle_ms=stream.choice([0, 100]),
            ),
            first=None,
            seed=f"{key % 256:02x}" * 32,
            bots=tuple(seat for seat in range(seats) if seat not in humans),
            pace_ms=stream.choice([0, 700]),
            early_close=stream.below(3) == 0,
            away_policy=stream.choice(["bot", "forfeit"]),
            away_ms=stream.choice([500, 8_000]),
        )
        self.game = game
        self.seats = seats
        self.pieces = game.pieces(options)

    def step(self) -> None:
        """One thing that happens: time, a bot, or what somebody sends."""
        table, stream = self.bench.table, self.stream
        now = table.state.now
        if table.state.phase != "running":
            self._between(now)
            return
        what = stream.below(20)
        if what < 7:
            self._time(now)
        elif what < 17:
            self._answer(now)
        else:
            self._odd(now, stream.below(self.seats))

    def run(self, steps: int) -> Bench:
        """So many steps."""
        for _ in range(steps):
            self.step()
        return self.bench

    def handle(self, inp: Input) -> None:
        """Send something; it may be refused."""
        try:
            self.bench.handle(inp)
        except Denied:
            self.bench.collect()

    def _between(self, now: int) -> None:
        for seat, one in enumerate(self.bench.table.state.seats):
            if one.state == "away":
                self.handle(Input(at=now, seat=seat, back=True))
        self.handle(Input(at=now + 1, start=Start(f"m{now}", SEED)))
        if self.bench.table.state.phase != "running":
            for seat, one in enumerate(self.bench.table.state.seats):
                if one.state in ("left", "open"):
                    self.handle(Input(at=now, seat=seat, join=_joiner(seat, now)))

    def _time(self, now: int) -> None:
        table, stream = self.bench.table, self.stream
        dues = [due for due in (table.deadline, table.bot_due) if due is not None]
        if dues and stream.below(2):
            now = max(now, min(dues) + stream.choice([-1, 0, 0, 0, 1, 40]))
        else:
            now += stream.below(1_500)
        self.bench.tick(max(now, table.state.now))
        inp = play.bot_input(table, table.state.now)
        if inp is not None:
            self.handle(inp)

    def _answer(self, now: int) -> None:
        """Somebody answers an open request: legally, mostly."""
        table, stream = self.bench.table, self.stream
        requests = [r for r in table.state.requests.values() if r.bot_due is None]
        if not requests:
            self._time(now)
            return
        request = stream.choice(requests)
        at = now + stream.choice([0, 1, 50, 400])
        stamp = at - stream.choice([0, 0, 0, 30, 200])
        action = self._choice(request)
        named = request.id if stream.below(4) else None
        self.handle(
            Input(at=at, seat=request.seat, action=action, request=named, stamp=min(at, stamp))
        )
        if stream.below(8) == 0:
            self.handle(Input(at=at, seat=request.seat, action=action, request=named))

    def _choice(self, request: Request) -> Any:
        table, stream = self.bench.table, self.stream
        if request.kind == "turn":
            legal = self.game.legal(table.engine, request.seat).actions
            return msgspec.to_builtins(stream.choice(legal)) if legal else DECLINE
        offer = table.offer
        assert offer is not None
        claims = accepted(self.game, table.engine, request.seat, offer)
        if claims and stream.below(3):
            return msgspec.to_builtins(stream.choice(claims))
        return DECLINE

    def _odd(self, now: int, seat: int) -> None:
        """Something else than an answer."""
        stream = self.stream
        what = stream.below(24)
        if what < 6:
            self.handle(Input(at=now, seat=seat, **stream.choice([_AWAY, _BACK, _BACK])))
        elif what == 6:
            self.handle(Input(at=now, seat=seat, left=True))
        elif what == 7:
            self.handle(Input(at=now, stalled=60 + stream.below(900)))
        elif what == 8:
            self.handle(Input(at=now, resumed=stream.below(2_000)))
        elif what < 12:
            self.handle(Input(at=now, seat=seat, withdraw=True))
        elif what < 15:
            orders = stream.choice(ORDERS.get(self.game.name, [{}]))
            until: Any = stream.choice(["round", "match"])
            self.handle(Input(at=now, seat=seat, standing=orders, until=until))
        else:
            action = random_action(self.game, self.pieces, stream)
            if action is not None:
                self.handle(Input(at=now, seat=seat, action=msgspec.to_builtins(action)))


_AWAY: dict[str, Any] = {"away": True}
_BACK: dict[str, Any] = {"back": True}


def _joiner(seat: int, now: int) -> Joiner:
    return Joiner(f"N{seat}", f"n{seat}:{now}")
