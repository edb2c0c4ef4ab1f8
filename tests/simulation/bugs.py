"""Bugs to plant: each breaks the server in one way that the invariants must find.

A bug is a context manager; inside of it the server is broken, the oracle's replay included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import getattr_static
from typing import Any

import msgspec

from engines.kit.contract import Decline
from server.core import asking, claims, play, requests, settling
from server.core import events as ev
from server.core.inputs import Input, encoder
from server.core.table import CORE_VERSION, Saved, Table
from server.journal.base import JournalError
from server.runtime import channel, host
from server.runtime.handlers import places
from server.runtime.host import Host, Item
from server.runtime.loader import Loader
from server.runtime.matches import Matches
from tests.simulation.journal import Disk

Bug = Callable[[], Any]
BUGS: dict[str, Bug] = {}


def planting(make: Callable[[], list[tuple[Any, str, Any]]]) -> Bug:
    """A context in which what a function puts stands in other things' places: (owner, name, value)."""

    @contextmanager
    def planted() -> Iterator[None]:
        patches = make()
        # As it stands there: a static method found by `getattr` would come back as a plain function.
        before = [(owner, name, getattr_static(owner, name)) for owner, name, _ in patches]
        for owner, name, value in patches:
            setattr(owner, name, value)
        try:
            yield
        finally:
            for owner, name, value in before:
                setattr(owner, name, value)

    return planted


def bug(make: Callable[[], list[tuple[Any, str, Any]]]) -> Bug:
    """Register a bug under the function's name."""
    BUGS[make.__name__] = planting(make)
    return BUGS[make.__name__]


# -- committing ------------------------------------------------------------------------------------------
@bug
def ack_before_append() -> list[tuple[Any, str, Any]]:
    queue = Host._queue

    def hasty(self: Host, item: Item) -> None:
        reply, item.reply = item.reply, None
        if reply is not None:
            reply(item.answer)
        queue(self, item)

    return [(Host, "_queue", hasty)]


@bug
def frames_before_commit() -> list[tuple[Any, str, Any]]:
    queue = Host._queue

    def hasty(self: Host, item: Item) -> None:
        for parts in item.parts:
            self.channels[parts.index].deliver(parts, bulk=False)
        item.parts = []
        queue(self, item)

    return [(Host, "_queue", hasty)]


@bug
def failed_commit_taken_for_done() -> list[tuple[Any, str, Any]]:
    committed = Host._committed

    def blind(self: Host, error: JournalError | None, life: int) -> None:
        committed(self, None, life)

    return [(Host, "_committed", blind)]


@bug
def commit_done_twice() -> list[tuple[Any, str, Any]]:
    append = Disk.append

    def twice(self: Disk, batch: Any) -> JournalError | None:
        """No check of the number: a repeat after a lost answer is done again."""
        first = append(self, batch)
        if first is None and batch.entries[-1].number % 13 == 0:
            self.log[batch.table] += batch.entries
            self.durable_at[batch.table] += [self.loop.time()] * len(batch.entries)
        return first

    return [(Disk, "append", twice)]


@bug
def stalled_not_applied() -> list[tuple[Any, str, Any]]:
    return [(host, "STALL_MS", 10**9)]


@bug
def bots_before_commit() -> list[tuple[Any, str, Any]]:
    plan, due, turn = Host._plan, Host._due, Host._bots_turn

    def unbound(work: Callable[[Host], None]) -> Callable[[Host], None]:
        def done(self: Host) -> None:
            flying, self._flying = self._flying, type(self._flying)()
            try:
                work(self)
            finally:
                flying.extend(self._flying)
                self._flying = flying

        return done

    queue = Host._queue

    def queued(self: Host, item: Item) -> None:
        queue(self, item)
        self._plan()

    return [
        (Host, "_plan", unbound(plan)),
        (Host, "_due", unbound(due)),
        (Host, "_bots_turn", unbound(turn)),
        (Host, "_queue", queued),
    ]


# -- time --------------------------------------------------------------------------------------------------
@bug
def less_for_less_or_equal() -> list[tuple[Any, str, Any]]:
    tick = Table.tick

    def late(self: Table, now: int) -> None:
        due = self.deadline
        if due is not None and due == now:
            self.state.now = max(self.state.now, now)
            return
        tick(self, now)

    return [(Table, "tick", late)]


@bug
def deadline_forgotten() -> list[tuple[Any, str, Any]]:
    plan = Host._plan

    def forgetful(self: Host) -> None:
        if self._timer is None:
            plan(self)

    return [(Host, "_plan", forgetful)]


@bug
def grace_forgotten() -> list[tuple[Any, str, Any]]:
    def short(**fields: Any) -> claims.Window:
        window = claims.Window(**fields)
        window.until -= window.grace_ms
        window.closing -= window.grace_ms
        return window

    return [(asking, "Window", short)]


@bug
def closes_when_nobody_can_claim() -> list[tuple[Any, str, Any]]:
    waited = play._waited_for

    def telling(t: Table, window: claims.Window) -> bool:
        able = any(
            t.game.can(t.engine, r.seat) for r in t.state.requests.values() if r.kind == "claim"
        )
        return able and waited(t, window)

    return [(play, "_waited_for", telling)]


@bug
def outage_not_told() -> list[tuple[Any, str, Any]]:
    return [(Loader, "_resumption", lambda self, table: [])]


@bug
def tick_not_logged() -> list[tuple[Any, str, Any]]:
    log = Table.log

    def quiet(self: Table, inp: Input) -> None:
        if not inp.tick:
            log(self, inp)

    return [(Table, "log", quiet)]


# -- claims ------------------------------------------------------------------------------------------------
@bug
def request_answered_twice() -> list[tuple[Any, str, Any]]:
    remember = requests.remember

    def forgetful(t: Table, request: Any, action: Any, answer: Any) -> Any:
        made = remember(t, request, action, answer)
        if request.kind == "claim" and isinstance(action, Decline):
            t.state.requests[request.id] = request
        return made

    return [(play, "remember", forgetful)]


@bug
def decline_leaks() -> list[tuple[Any, str, Any]]:
    remember = requests.remember

    def loud(t: Table, request: Any, action: Any, answer: Any) -> Any:
        if isinstance(action, Decline):
            t.tell(ev.IsReady(request.seat, ready=False))
        return remember(t, request, action, answer)

    return [(play, "remember", loud)]


@bug
def held_turn_not_dropped() -> list[tuple[Any, str, Any]]:
    tell = settling._tell_closed

    def silent(t: Table, window: claims.Window, winners: Any) -> None:
        window.held = None
        tell(t, window, winners)

    return [(settling, "_tell_closed", silent)]


@bug
def held_turn_lost() -> list[tuple[Any, str, Any]]:
    settle = settling.settle_window

    def losing(t: Table, window: claims.Window, everybody_answered: bool = False) -> None:
        window.held = None
        settle(t, window, everybody_answered)

    return [(play, "settle_window", losing)]


@bug
def standing_order_forgotten() -> list[tuple[Any, str, Any]]:
    return [(asking, "_standing_claim", lambda t, window, request: None)]


@bug
def claims_lose() -> list[tuple[Any, str, Any]]:
    return [(claims.Window, "winners", lambda self, order: [])]


# -- what is shown -----------------------------------------------------------------------------------------
@bug
def wrong_seats_view() -> list[tuple[Any, str, Any]]:
    finish = Table.finish_step

    def mixed(self: Table) -> None:
        before = len(self.out.frames)
        finish(self)
        seats = len(self.streams) - 1
        for frame in self.out.frames[before:]:
            if frame.view is not None and frame.index < seats:
                frame.view = self.game.view(self.engine, (frame.index + 1) % seats)

    return [(Table, "finish_step", mixed)]


@bug
def private_event_to_all() -> list[tuple[Any, str, Any]]:
    tell = Table.tell

    def public(self: Table, *events: Any, only: int | None = None) -> None:
        tell(self, *events)

    return [(Table, "tell", public)]


@bug
def numbers_skip() -> list[tuple[Any, str, Any]]:
    finish = Table.finish_step

    def skipping(self: Table) -> None:
        moved = self.step.moved
        finish(self)
        if moved:
            self.state.numbers[-1] += 1

    return [(Table, "finish_step", skipping)]


@bug
def snapshot_of_another_seat() -> list[tuple[Any, str, Any]]:
    snapshot = places.snapshot

    def other(at: Host, index: int, seat: int | None, connection: Any) -> Any:
        made = snapshot(at, index, seat, connection)
        if at.table.engine is not None and seat is not None:
            seats = len(at.table.state.seats)
            made.view = at.table.game.view(at.table.engine, (seat + 1) % seats)
        return made

    return [(places, "snapshot", other)]


@bug
def snapshot_misses_a_field() -> list[tuple[Any, str, Any]]:
    def save(self: Table) -> bytes:
        engine = msgspec.Raw(encoder.encode(self.engine))
        state = msgspec.structs.replace(self.state, next_request=1)
        return encoder.encode(
            Saved(core=CORE_VERSION, engine=self.game.version, table=state, state=engine)
        )

    return [(Table, "save", save)]


@bug
def resume_from_wrong_number() -> list[tuple[Any, str, Any]]:
    since = channel.Channel.since

    def wrong(self: channel.Channel, seq: int, top: int) -> Any:
        found = since(self, seq, top)
        return found[1:] if found else found

    return [(channel.Channel, "since", wrong)]


@bug
def ring_off_by_one() -> list[tuple[Any, str, Any]]:
    since = channel.Channel.since

    def wrong(self: channel.Channel, seq: int, top: int) -> Any:
        return since(self, seq, top) or (since(self, seq + 1, top) if seq < top else None)

    def small(self: channel.Channel, parts: Any) -> None:
        keep(self, parts)
        while len(self._kept) > 2:
            self._size -= self._kept.pop(0).size

    keep = channel.Channel.keep
    return [(channel.Channel, "since", wrong), (channel.Channel, "keep", small)]


@bug
def resumed_frames_come_late() -> list[tuple[Any, str, Any]]:
    attach = places.attach

    def early(connection: Any, at: Host, index: int, seat: int | None, view: bool) -> None:
        attach(connection, at, index, seat, view)
        at.channels[index].listeners[connection].after -= 1

    return [(places, "attach", early)]


@bug
def delivered_twice() -> list[tuple[Any, str, Any]]:
    deliver = channel.Channel.deliver

    def twice(self: channel.Channel, parts: Any, bulk: bool) -> None:
        deliver(self, parts, bulk)
        if parts.seq % 7 == 0:
            deliver(self, parts, bulk)

    return [(channel.Channel, "deliver", twice)]


@bug
def result_lost() -> list[tuple[Any, str, Any]]:
    return [(Matches, "ended", lambda self, at: None)]
