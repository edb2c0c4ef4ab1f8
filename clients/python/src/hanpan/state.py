"""What a client knows of one table, folded out of its stream. Pure: no connection, no clock."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec

from hanpan._messages import (
    Clock,
    Detail,
    Place,
    RequestInfo,
    Say,
    SeatInfo,
    Snapshot,
    TableInfo,
    Top,
    Update,
)
from hanpan.wire import plain


class Event(msgspec.Struct, frozen=True):
    """Something that happened at a table.

    type: the event's type; `snapshot` where the state jumped and no event tells how. data: all its
    fields. seq: the frame it came in. replay: it was missed and has been sent again.
    """

    type: str
    data: dict[str, Any]
    seq: int
    replay: bool = False

    def __getitem__(self, field: str) -> Any:
        return self.data[field]

    def get(self, field: str, default: Any = None) -> Any:
        """A field, or the default where it is absent."""
        return self.data.get(field, default)


class Frame(msgspec.Struct, frozen=True):
    """One step of a table: its events and sentences, after which the state is `seq`."""

    seq: int
    events: list[Event]
    say: list[Say]
    replay: bool = False


class Gap(Enum):
    """A frame that cannot be folded: one that is known already, or one after missing ones."""

    KNOWN = "known"
    MISSING = "missing"


class State:
    """A table as its stream tells it. `stream` is empty before the first snapshot."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.stream = ""
        self.epoch = ""
        self.seq = 0
        self.info: TableInfo | None = None
        self.seats: list[SeatInfo] = []
        self.view: Any = None
        self.clock: Clock | None = None
        self.window: dict[str, Any] | None = None
        self.requests: list[RequestInfo] = []
        self.chat: list[Any] = []
        self._replay_to = 0
        self._missing = False
        self._jumps = False

    def place(self, detail: Detail) -> Place | None:
        """Where to go on after a lost connection."""
        if not self.stream:
            return None
        return Place(
            table=self.table, stream=self.stream, epoch=self.epoch, seq=self.seq, detail=detail
        )

    def resumed(self, top: Top) -> None:
        """The server's top number of this stream: frames up to it are the replay."""
        self._replay_to = top.seq
        self._missing = False
        self._jumps = True

    def behind(self, top: Top) -> bool:
        """Whether frames are missing at the end: the server is further in the same stream."""
        return (top.stream, top.epoch) == (self.stream, self.epoch) and top.seq > self.seq

    def snapshot(self, message: Snapshot) -> Frame:
        """Take the whole present. The frame holds an event `snapshot` if another state was known."""
        known = bool(self.stream)
        same = (message.stream, message.epoch, message.seq) == (self.stream, self.epoch, self.seq)
        jumped = known and not same
        replay = self._jumps
        self._jumps = False
        self._missing = False
        self.stream, self.epoch, self.seq = message.stream, message.epoch, message.seq
        self.info, self.seats, self.view = message.info, message.seats, message.view
        self.clock, self.window = message.clock, message.window
        self.chat = message.chat
        self.requests = message.requests or []
        events = [Event("snapshot", plain(message), self.seq, replay)] if jumped else []
        return Frame(self.seq, events, message.say or [], replay)

    def settled(self) -> None:
        """The resume is over; a snapshot from now on is none of it."""
        self._jumps = False

    def update(self, message: Update) -> Frame | Gap:
        """Take the next frame, or say why it is not the next one."""
        if message.stream != self.stream or message.seq <= self.seq:
            return Gap.KNOWN
        if message.seq > self.seq + 1:
            again = self._missing
            self._missing = True
            return Gap.KNOWN if again else Gap.MISSING
        if self._missing:
            return Gap.KNOWN
        self.seq = message.seq
        replay = self.seq <= self._replay_to
        if not replay:
            self._jumps = False
        if message.view is not None:
            self.view = message.view
        if message.seats is not None:
            self.seats = message.seats
        if message.clock is not None:
            self.clock = message.clock
        if message.requests is not None:
            self.requests = message.requests
        events = [Event(str(e.get("type", "")), e, self.seq, replay) for e in message.events]
        for event in events:
            self._note(event)
        return Frame(self.seq, events, message.say or [], replay)

    def _note(self, event: Event) -> None:
        if event.type == "window_opened":
            self.window = event.data
        elif event.type == "window_closed":
            self.window = None
        elif event.type == "match_started" and self.info is not None:
            self.info.phase = "running"
        elif event.type in ("match_ended", "match_voided"):
            # A match that is given up or voided under an open window takes it along.
            self.window = self.clock = None
            if self.info is not None:
                self.info.phase = "ended"
