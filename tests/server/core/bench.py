"""A table on a bench: plain numbers for time, everything that leaves it kept for comparison."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from engines.chamsaejak import GAME as CHAMSAEJAK
from engines.cockroach_duel import GAME as DUEL
from engines.kit.registry import AnyGame, load
from engines.peeper import GAME as PEEPER
from server.core import play
from server.core.clocks import ClockRules
from server.core.config import TableConfig
from server.core.frames import Frame
from server.core.inputs import Input, Joiner, Start
from server.core.refusals import Denied, Taken
from server.core.table import Entry, Table

__all__ = [
    "CHAMSAEJAK",
    "DUEL",
    "GAMES",
    "PEEPER",
    "Bench",
    "Shown",
    "chamsaejak_deck",
    "peeper_deck",
]

GAMES = load()
SEED = "5e" * 32
LIVE = ClockRules(turn_ms=20_000, bank_ms=60_000, grace_ms=300)
"""The clock of a table at standard speed."""


class Shown(msgspec.Struct, frozen=True):
    """A frame as it left the table: `data` is what its stream's listeners would be sent of it."""

    stream: str
    seq: int
    at: int
    data: bytes

    @property
    def events(self) -> list[dict[str, Any]]:
        """Its events as on the wire."""
        return msgspec.json.decode(self.data)["events"]  # type: ignore[no-any-return]

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Its requests as on the wire."""
        return msgspec.json.decode(self.data)["requests"]  # type: ignore[no-any-return]


def shown(frame: Frame) -> Shown:
    """The frame encoded at once, before the views that it shares change."""
    parts = {
        "events": frame.events,
        "view": frame.view,
        "seats": frame.seats,
        "clock": frame.clock,
        "requests": frame.requests,
    }
    return Shown(frame.stream, frame.seq, frame.at, msgspec.json.encode(parts))


class Bench:
    """A table whose match has begun at time 0, with everybody there.

    bots: seats that the server plays. settings: further fields of the table's config.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        options: dict[str, Any] | None = None,
        *,
        clock: ClockRules = LIVE,
        decks: list[list[str]] | None = None,
        first: int | None = 0,
        seed: str = SEED,
        bots: tuple[int, ...] = (),
        level: str = "random",
        start: bool = True,
        **settings: Any,
    ) -> None:
        config = TableConfig(
            table="t",
            epoch="e",
            game=game.name,
            ruleset="standard",
            options=msgspec.to_builtins(game.options("standard", options)),
            seats=seats,
            decks=decks or [],
            first=first,
            seed=seed,
            clock=clock,
            early_close=settings.pop("early_close", False),
            **settings,
        )
        self.game = game
        self.shown: list[Shown] = []
        self.entries: list[Entry] = []
        self.table = Table.create(game, config, 0)
        for seat in range(seats):
            bot = seat in bots
            name = "ABCDEF"[seat]
            joiner = Joiner(name, None if bot else f"p{seat}", level if bot else None)
            self.handle(Input(at=0, seat=seat, join=joiner))
        if start:
            self.handle(Input(at=0, start=Start("m1", seed)))

    # -- inputs -------------------------------------------------------------------------------------
    def handle(self, inp: Input) -> Taken:
        """The input's answer; frames and entries are kept."""
        try:
            return self.table.handle(inp)
        finally:
            self.collect()

    def tick(self, now: int) -> None:
        """Let time pass."""
        self.table.tick(now)
        self.collect()

    def collect(self) -> None:
        """Keep what has left the table."""
        out = self.table.take_out()
        self.entries += out.entries
        self.shown += [shown(frame) for frame in out.frames]

    def act(
        self,
        at: int,
        seat: int,
        action: dict[str, Any],
        request: str | None = None,
        stamp: int | None = None,
    ) -> Taken:
        """A seat's action; the request is the one that it would answer in a record if none is named."""
        inp = Input(at=at, seat=seat, action=dict(action), request=request, stamp=stamp)
        return self.handle(inp)

    def refused(self, at: int, seat: int, action: dict[str, Any], **given: Any) -> str:
        """The code with which an action is refused."""
        try:
            answer = self.act(at, seat, action, **given)
        except Denied as denied:
            return denied.code
        raise AssertionError(f"taken: {answer}")

    # -- what is there ------------------------------------------------------------------------------
    def request(self, seat: int, kind: str = "turn") -> str:
        """The id of an open request of the seat."""
        return next(
            r.id for r in self.table.state.requests.values() if r.seat == seat and r.kind == kind
        )

    def asked(self, seat: int) -> list[str]:
        """The kinds of the seat's open requests."""
        return [r.kind for r in self.table.state.requests.values() if r.seat == seat]

    def stream(self, name: str) -> list[Shown]:
        """All frames of a stream so far."""
        return [one for one in self.shown if one.stream == name]

    def events(self, name: str = "public") -> list[dict[str, Any]]:
        """All events of a stream so far, each with the time of its frame."""
        return [{**event, "at": one.at} for one in self.stream(name) for event in one.events]

    def told(self, name: str, kind: str) -> list[dict[str, Any]]:
        """The events of one type in a stream."""
        return [event for event in self.events(name) if event["type"] == kind]

    def times(self, *kinds: str) -> list[tuple[int, str]]:
        """When which public events of these types were told."""
        return [(e["at"], e["type"]) for e in self.events() if e["type"] in kinds]

    def play_bots(self, until: int | None = None) -> int:
        """Let time and the bots go on, to the match's end or until a time; returns the time."""
        now = self.table.state.now
        while self.table.state.phase == "running":
            due = [d for d in (self.table.deadline, self.table.bot_due) if d is not None]
            if not due or (until is not None and min(due) > until):
                break
            now = max(now, min(due))
            if self.table.deadline is not None and self.table.deadline <= now:
                self.tick(now)
                continue
            inp = play.bot_input(self.table, now)
            assert inp is not None
            self.handle(inp)
        return now


def filled(pieces: tuple[str, ...], given: list[list[str]], size: int) -> list[str]:
    """A deck with these hands, each filled up to its size with what nobody was given."""
    left = list((Counter(pieces) - Counter(t for hand in given for t in hand)).elements())
    assert len(left) + sum(map(len, given)) == len(pieces), "a piece was given twice"
    deck: list[str] = []
    for hand in given:
        missing = size - len(hand)
        deck += hand + left[:missing]
        del left[:missing]
    return deck + left


def peeper_deck(*hands: str, size: int = 16, unused: str = "") -> list[str]:
    """A deal of Peeper; each hand is written as `5 5 X` and filled up. unused: out of play for sure."""
    out = unused.split()
    deck = filled(_without(PEEPER.pieces(PEEPER.options()), out), [h.split() for h in hands], size)
    return deck + out


def chamsaejak_deck(*hands: str, then: str = "") -> list[str]:
    """A deal of Chamsae-jak: five tiles each, then the dora and what is drawn."""
    after = then.split()
    given = [hand.split() for hand in hands]
    deck = filled(_without(CHAMSAEJAK.pieces(CHAMSAEJAK.options()), after), given, 5)
    dealt = 5 * len(hands)
    return deck[:dealt] + after + deck[dealt:]


def _without(pieces: tuple[str, ...], some: list[str]) -> tuple[str, ...]:
    return tuple((Counter(pieces) - Counter(some)).elements())


def single(tile: str) -> dict[str, Any]:
    """The play of one tile."""
    return {"type": "play", "tiles": [tile]}


def mine(*tiles: str) -> dict[str, Any]:
    """A Mine."""
    return {"type": "mine", "tiles": list(tiles)}


PASS = {"type": "pass"}
DECLINE = {"type": "decline"}
RON = {"type": "ron"}
