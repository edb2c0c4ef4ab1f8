"""Tables whose players send what was recorded, each answer as soon as its request has come."""

from __future__ import annotations

from collections import deque
from time import perf_counter

import msgspec

from loadtests.line import Line
from loadtests.script import Script

_UPDATE = b'{"type":"update"'
_ERROR = b'{"type":"error"'
_SAMPLE = 4_000
"""Frames whose sizes are kept for the comparison with a bare `send()`."""


class _Request(msgspec.Struct):
    request: str
    kind: str


class _Asked(msgspec.Struct):
    requests: list[_Request]


_asked = msgspec.json.Decoder(_Asked)


class Counts(msgspec.Struct):
    """What a load client has done and seen. latencies: in s, from a turn's send to its last seat."""

    actions: int = 0
    declines: int = 0
    opened: int = 0
    turns: int = 0
    frames: int = 0
    octets: int = 0
    watched: int = 0
    matches: int = 0
    errors: list[str] = []
    latencies: list[float] = []
    sizes: list[int] = []
    cpu_s: float = 0.0

    def take(self) -> Counts:
        """All of it; counting begins again."""
        taken = msgspec.structs.replace(self)
        fresh = Counts()
        for field in self.__struct_fields__:
            setattr(self, field, getattr(fresh, field))
        return taken

    def frame(self, payload: bytes) -> None:
        """Count a frame that was delivered to a player."""
        self.frames += 1
        size = len(payload)
        self.octets += size
        if len(self.sizes) < _SAMPLE:
            self.sizes.append(size)
        if payload.startswith(_ERROR):
            self.errors.append(payload.decode())


class Seat:
    """A player. turn, claim: his open requests. window: whether one is open. seen: his updates."""

    __slots__ = ("_counts", "_table", "answered", "claim", "line", "seen", "turn", "window")

    def __init__(self, table: Table, counts: Counts) -> None:
        self._table = table
        self._counts = counts
        self.line: Line | None = None
        self.turn: str | None = None
        self.claim: str | None = None
        self.answered = ""
        self.window = False
        self.seen = 0

    def take(self, payload: bytes) -> None:
        """A frame of this seat's line."""
        self._counts.frame(payload)
        if not payload.startswith(_UPDATE):
            return
        table = self._table
        self.seen += 1
        if self.seen == table.target:
            table.delivered()
        if b'"window_opened"' in payload:
            self.window = True
        elif b'"window_closed"' in payload:
            self.window = False
        if b'"requests":[' in payload:
            self._asked(payload)
        if b'"match_started"' in payload:
            self.seen = 0
        elif b'"match_ended"' in payload:
            table.ended(self)
        table.go_on()

    def _asked(self, payload: bytes) -> None:
        self.turn = self.claim = None
        for asked in _asked.decode(payload).requests:
            if asked.request == self.answered:
                continue  # made before our answer was read
            if asked.kind == "turn":
                self.turn = asked.request
            else:
                self.claim = asked.request

    def send(self, message: bytes) -> None:
        """Write a message of this seat."""
        assert self.line is not None
        self.line.send(message)


class Table:
    """A table and its script. permits: None lets it play as fast as it can; else the times at which
    its turns were due, taken one by one. target: the update that tells of the turn sent last."""

    __slots__ = (
        "_counts", "_missing", "_since", "_step", "_until", "name", "permits", "playing", "script", "seats",
        "target",
    )  # fmt: skip

    def __init__(self, name: str, script: Script, counts: Counts) -> None:
        self.name = name
        self.script = script
        self.seats = [Seat(self, counts) for _ in range(script.seats)]
        self.permits: deque[float] | None = None
        self.playing = False
        self.target = -1
        self._counts = counts
        self._step = 0
        self._until = len(script.steps)
        self._since = 0.0
        self._missing = 0

    def go_on(self) -> None:
        """Send every answer whose turn it is and whose request has come."""
        steps = self.script.steps
        while self.playing and self._step < self._until:
            step = steps[self._step]
            seat = self.seats[step.seat]
            request = seat.claim if step.claim else seat.turn
            if request is None or not (step.claim or self._may_turn(seat)):
                return
            self._step += 1
            if step.claim:
                seat.claim = None
            else:
                seat.turn = None
                self._counts.turns += 1
                self._counts.opened += step.opens
            seat.answered = request
            if step.decline:
                self._counts.declines += 1
            else:
                self._counts.actions += 1
            seat.send(
                b'{"type":"act","id":1,"table":"%b","request":"%b","action":%b}'
                % (self.name.encode(), request.encode(), step.action)
            )

    def play_to(self, step: int) -> None:
        """Play on until so many steps of the script are sent."""
        self._until = step
        self.go_on()

    @property
    def stands(self) -> bool:
        """Whether every step that it may send is sent."""
        return self._step >= self._until

    def _may_turn(self, seat: Seat) -> bool:
        if seat.window:
            return False  # the bot did not hold a turn either
        since = perf_counter()
        if self.permits is not None:
            if not self.permits:
                return False
            since = self.permits.popleft()
        self._since, self._missing = since, len(self.seats)
        self.target = seat.seen + 1
        return True

    def delivered(self) -> None:
        """One seat has seen what the turn led to."""
        self._missing -= 1
        if self._missing == 0:
            self._counts.latencies.append(perf_counter() - self._since)

    def ended(self, seat: Seat) -> None:
        """A seat has seen the end: it wants the same again."""
        if self._step:
            self._step = 0
            self.target = -1
            self._counts.matches += 1
        seat.turn = seat.claim = None
        seat.window = False
        seat.send(b'{"type":"rematch","id":1,"table":"%b"}' % self.name.encode())
