"""Streams and their frames: what each viewer class of a table gets, with contiguous numbers."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.contract import View
from server.core.state import SeatState

PUBLIC = "public"
DELAYED = "public:delayed"


def stream_names(seats: int) -> list[str]:
    """The names of a table's own streams, in the order of their numbers."""
    return [f"seat:{seat}" for seat in range(seats)] + [PUBLIC]


class ClockPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clock as viewers see it. left_ms counts from the frame's time."""

    seat: int
    left_ms: int
    bank_ms: int
    running: bool = True


class SeatPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as viewers see it."""

    seat: int
    state: str
    player: str | None = None
    name: str | None = None
    level: str | None = None
    ready: bool = False
    policy: str | None = None
    policy_in_ms: int | None = None


class RequestPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open request as its seat sees it."""

    request: str
    kind: str
    legal: Any
    default: Any
    more: bool = False
    window: str | None = None
    can: int | None = None
    held: Any = None
    left_ms: int | None = None
    bank_ms: int | None = None


class Frame:
    """One numbered message of one stream. Parts that did not change are None.

    index: the stream's place; the public one is last. view: None too where nobody wants it.
    at: the table's time. rendered: False where nobody listens and only the number counts.
    """

    __slots__ = (
        "at", "clock", "events", "index", "rendered", "requests", "seats", "seq", "stream", "view",
    )  # fmt: skip

    def __init__(self, index: int, stream: str, seq: int, at: int) -> None:
        self.index = index
        self.stream = stream
        self.seq = seq
        self.at = at
        self.rendered = False
        self.events: list[Any] = []
        self.view: View | None = None
        self.clock: ClockPart | None = None
        self.seats: list[SeatPart] | None = None
        self.requests: list[RequestPart] | None = None


class Step:
    """What one input, or one thing that fell due, changes for the viewers.

    events: in order, each with the seat that alone may see it, or None for everyone (redacted).
    moved: the engine's state is another. stopped: the seat whose clock no longer runs.
    """

    __slots__ = ("clock", "events", "moved", "requests", "seats", "stopped")

    def __init__(self) -> None:
        self.events: list[tuple[Any, int | None]] = []
        self.requests: set[int] = set()
        self.moved = False
        self.clock = False
        self.stopped: int | None = None
        self.seats = False

    @property
    def empty(self) -> bool:
        """Whether nobody needs a frame."""
        return not (self.events or self.requests or self.clock or self.seats)


def seat_part(seat: int, state: SeatState, policy: str, now: int) -> SeatPart:
    """One seat as every viewer may see it."""
    shown = "bot" if state.driven else state.state
    return SeatPart(
        seat=seat,
        state=shown,
        player=state.player,
        name=state.name or None,
        level=state.level,
        ready=state.ready,
        policy=policy if state.away_until is not None else None,
        policy_in_ms=max(0, state.away_until - now) if state.away_until is not None else None,
    )
