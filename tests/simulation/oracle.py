"""A table played again from its log, and what every viewer should have seen of it, worked out anew.

The table's own functions play; what is visible is worked out here by the game's `redact` and `view`
alone, so that a fault in the core's making of frames cannot hide itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from engines.kit.contract import Event
from engines.kit.registry import AnyGame
from server.core import events as ev
from server.core.frames import Frame, Step
from server.core.inputs import Input
from server.core.inputs import decoder as input_decoder
from server.core.refusals import Denied
from server.core.table import Entry as CoreEntry
from server.core.table import Table
from server.journal.base import Entry
from tests.simulation.windows import Windows

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode
NOTHING = b"[]"
PRIVATE = (ev.TurnDropped, ev.ClaimDropped, ev.ClockLow)


class Seen(NamedTuple):
    """What one frame must tell, as plain JSON. view: after it, whether or not it carries one."""

    number: int
    events: Any
    view: Any
    seats: Any
    clock: Any
    requests: Any
    moved: bool


class Watched(Table):
    """A table that tells an oracle of each step before its frames are made."""

    oracle: Oracle | None = None

    def finish_step(self) -> None:
        """As the core's, and checked."""
        step = self.step
        if self.oracle is None:
            super().finish_step()
            return
        before = len(self.out.frames)
        shown = self.oracle.shown(step)
        super().finish_step()
        self.oracle.compare(step, shown, self.out.frames[before:])


class Oracle:
    """One table's log, entry by entry. inputs: all of them; answers: those to each request. frames: what
    each (stream, number) must tell. owners: each request's seat and the entry that opened it. wrong:
    violations."""

    def __init__(self, game: AnyGame, first: Entry) -> None:
        inp = input_decoder.decode(first.data)
        assert inp.create is not None
        self.game = game
        self.table: Table = Watched.create(game, inp.create, inp.at)
        assert isinstance(self.table, Watched)
        self.table.oracle = self
        self.table.out.entries.clear()
        self.number = 1
        self.inputs: list[tuple[int, Input]] = [(1, inp)]
        self.answers: dict[str, list[tuple[int, Input]]] = {}
        self.frames: dict[tuple[str, int], Seen] = {}
        self.views: dict[str, Any] = {}
        self.wrong: list[str] = []
        self.owners: dict[str, tuple[int, int]] = {}
        self.windows = Windows(self)
        self.numbers = [0] * len(self.table.streams)
        self._entry = first.number
        self._last_at = inp.at
        self._shown = 0
        self._settled: int | None = None
        self._made: list[CoreEntry] = []

    def fault(self, what: str, **facts: Any) -> None:
        """Note a violation."""
        told = " ".join(f"{key}={value!r}" for key, value in facts.items())
        self.wrong.append(f"entry {self._entry}: {what} {told}".rstrip())

    def feed(self, entries: list[Entry]) -> None:
        """Play what is new in the log."""
        for entry in entries[self.number :]:
            self._entry = entry.number
            if entry.number != self.number + 1:
                self.fault("the log has a gap", before=self.number)
            self.number = entry.number
            if entry.snapshot:
                # The core makes its snapshots itself, at the same places.
                made = [one for one in self._made if one.number == entry.number]
                if not made or made[0].data != entry.data:
                    self.fault("a snapshot does not follow from the log")
                self._made = [one for one in self._made if one.number > entry.number]
                continue
            self._play(input_decoder.decode(entry.data))

    def _play(self, inp: Input) -> None:
        table = self.table
        made = table.out.entries
        if inp.tick and self._settled == inp.at:
            return  # the first of several ticks at one time settles them all
        self._settled = inp.at if inp.tick else None
        if self._made:
            self.fault("a snapshot is missing in the log")
        made.clear()
        if inp.at < self._last_at:
            self.fault("time ran back", at=inp.at)
        self._last_at = inp.at
        self.inputs.append((self._entry, inp))
        if inp.request is not None:
            self.answers.setdefault(inp.request, []).append((self._entry, inp))
        due = table.deadline
        if due is not None and not inp.tick and due <= inp.at:
            self.fault("something was due before an input", due=due, at=inp.at)
        self.windows.before(inp)
        before = table.state.window
        self._shown = 0
        try:
            if inp.tick:
                table.tick(inp.at)
            else:
                table.handle(inp)
        except Denied as denied:
            self.fault("a logged input is refused", denied=str(denied))
        self.windows.after(inp)
        self._made = [entry for entry in made if entry.snapshot]
        sealed = inp.action is not None or inp.withdraw or inp.standing is not None
        stays = before is not None and not before.tail and table.state.window is before
        if sealed and stays and self._shown:
            self.fault("what is sealed was shown", seat=inp.seat)
        if inp.resumed is not None:
            self._check_resumed()
        if not inp.tick and all(entry.snapshot for entry in made):
            self.fault("a logged input has no effect")

    def _check_resumed(self) -> None:
        state = self.table.state
        clock, window = state.clock, state.window
        if clock is not None and clock.deadline is not None and clock.started is not None:
            expired = state.seats[clock.seat].forfeited
            if not expired and clock.deadline - state.now < 3_000:
                self.fault("a running clock has less than 3 s after a takeover")
        if window is not None and not window.tail:
            whole = window.claim_ms + window.grace_ms
            if window.until - state.now != whole:
                self.fault("a window does not begin again after a takeover")

    # -- frames ------------------------------------------------------------------------------------------
    def shown(self, step: Step) -> list[tuple[bytes, bytes]]:
        """What each stream must be shown of a step, encoded: its events and its view."""
        table, game = self.table, self.game
        self.windows.step(step)
        found = []
        last = len(table.streams) - 1
        for index in range(last + 1):
            viewer = None if index == last else index
            events = []
            for event, only in step.events:
                if only is not None and only != viewer:
                    continue
                if isinstance(event, PRIVATE) and only is None:
                    self.fault("a private event is told to everyone", event=repr(event))
                if isinstance(event, Event):
                    event = game.redact(event, viewer)
                if event is not None:
                    events.append(event)
            view = None if table.engine is None else game.view(table.engine, viewer)
            # Encoded at once: the engine changes what its views share.
            found.append((encode(events) if events else NOTHING, encode(view)))
        for request in table.state.requests.values():
            self.owners.setdefault(request.id, (request.seat, self._entry))
        return found

    def compare(self, step: Step, shown: list[tuple[bytes, bytes]], frames: list[Frame]) -> None:
        """The frames that the core made against what must be shown."""
        made = {frame.index: frame for frame in frames}
        self._shown += len(frames)
        for index, (events, view) in enumerate(shown):
            frame = made.get(index)
            stream = self.table.streams[index]
            if frame is None:
                if events != NOTHING:
                    self.fault("a viewer is not told", stream=stream, events=events)
                continue
            self.numbers[index] += 1
            if frame.seq != self.numbers[index] or frame.stream != stream:
                self.fault("a frame has another number", stream=stream, seq=frame.seq)
            if encode(frame.events) != events:
                self.fault("events are not what the viewer may know", stream=stream, events=events)
            if frame.view is not None and encode(frame.view) != view:
                self.fault("a view is not the viewer's", stream=stream)
            if step.moved and frame.view is None:
                self.fault("a frame lacks its view", stream=stream)
            for part in frame.requests or ():
                request = self.table.state.requests.get(part.request)
                if request is None or request.seat != index:
                    self.fault("a request of another seat is shown", stream=stream)
            self.frames[stream, frame.seq] = Seen(
                self._entry,
                decode(events),
                decode(view),
                plain(frame.seats),
                plain(frame.clock),
                plain(frame.requests),
                step.moved,
            )


def plain(value: Any) -> Any:
    """A value as it looks after it crossed the wire."""
    return None if value is None else decode(encode(value))
