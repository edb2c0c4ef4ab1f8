"""A table out of the journal, and what it is to be told first; also one that cannot be continued."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

from server.core.inputs import Input
from server.core.restore import restoring
from server.core.salvage import other_version, salvage
from server.core.table import Entry as CoreEntry
from server.core.table import Table
from server.journal.base import Entry
from server.runtime import ids

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.loader")

RENDERED = 24
"""Entries before a restart whose frames are kept for those who come back; others get a snapshot."""


SLICE_MS = 5
"""A replay lets the loop turn after so long: whoever takes over many tables serves his own meanwhile."""


class Loaded(msgspec.Struct):
    """A table, and what it is told first. void: why its match cannot go on, if it cannot."""

    table: Table
    inputs: list[Input]
    void: str | None = None


class Loader:
    """Reads tables of the journal. A log that cannot be continued is copied to the data folder."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        # One replay at a time: two would share the same processor, and hold the loop twice as long.
        self._replaying = asyncio.Lock()

    async def load(self, name: str) -> Loaded | None:
        """The table; None, and an error in the log, where not even its seats can be read.

        Raises JournalError.
        """
        entries = entries_of(await self._hub.journal.tail(name))
        if not entries:
            return None
        try:
            table, same = await self._replayed(entries)
            if table.state.entries != entries[-1].number:
                raise ValueError("the replay does not end at the log's number")
        except Exception as error:
            # Also what an engine raises for the state of another version.
            return await self._lost(name, str(error))
        if table.state.phase == "running" and table.engine is None:
            return Loaded(table, [], void="version")
        if same:
            return Loaded(table, self._resumption(table))
        table.take_out()
        return Loaded(table, [self._epoch(table), *self._resumption(table)])

    async def _replayed(self, entries: list[CoreEntry]) -> tuple[Table, bool]:
        """Play the log again in slices. Raises what `restore` and an engine raise."""
        steady = self._hub.wall.steady
        async with self._replaying:
            steps = restoring(entries, self._hub.games, rendered=RENDERED)
            began = steady()
            while True:
                try:
                    next(steps)
                except StopIteration as done:
                    replayed: tuple[Table, bool] = done.value
                    return replayed
                if steady() - began >= SLICE_MS:
                    await asyncio.sleep(0)
                    began = steady()

    async def _lost(self, name: str, error: str) -> Loaded | None:
        raw = await self._hub.journal.entries(name)
        try:
            table = salvage(entries_of(raw), self._hub.games)
        except Exception:
            log.exception("salvage_failed", table=name)
            table = None
        if table is None:
            log.error("table_unplayable", table=name, error=error)
            return None
        why = "version" if other_version(entries_of(raw), self._hub.games) else "engine"
        kept = self._keep(name, raw)
        log.error("table_lost", table=name, error=error, log=str(kept))
        return Loaded(table, [self._epoch(table)], void=why)

    def _keep(self, name: str, entries: list[Entry]) -> Path:
        """Copy the log for an operator: the table's own goes on behind it, and away with the table."""
        folder = Path(self._hub.settings.data) / "lost"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}-{entries[-1].number}.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries))
        return path

    def _epoch(self, table: Table) -> Input:
        return Input(at=max(table.state.now, self._hub.wall.now()), epoch=ids.new_id("e"))

    def _resumption(self, table: Table) -> list[Input]:
        """What tells a table that it stood still since its last entry."""
        last, now = table.state.now, self._hub.wall.now()
        if table.state.phase != "running":
            return []
        return [Input(at=last, stalled=max(0, now - last)), Input(at=max(now, last), resumed=0)]


def entries_of(entries: list[Entry]) -> list[CoreEntry]:
    """Journal entries as the core's."""
    return [CoreEntry(e.number, e.data, e.snapshot) for e in entries]
