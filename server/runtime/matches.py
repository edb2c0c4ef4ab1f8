"""What remains of a match: its full record and its result, stored once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from server.core.config import TableConfig
from server.core.record import build
from server.core.state import MatchState
from server.journal.base import JournalError
from server.runtime.host import Host
from server.runtime.loader import entries_of
from server.store.models import Match, Seat, StoreError

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.matches")


class Matches:
    """Stores ended matches; while the store is away results wait in the journal and arrive later."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._storing: dict[str, asyncio.Task[None]] = {}
        self._tables: dict[str, str] = {}

    def ended(self, host: Host, match: MatchState) -> None:
        """A match's end is committed: store it, however long that takes."""
        if match.id not in self._storing and match.id not in host.stored:
            self._tables[match.id] = host.id
            self._storing[match.id] = self._hub.spawn(self._store(host, match))

    def catch_up(self, host: Host) -> None:
        """Store what a table read back from its log had ended before."""
        state = host.table.state
        for match in state.unstored:
            self.ended(host, match)
        if state.match is not None and state.phase == "ended":
            self.ended(host, state.match)

    async def stored(self, host: Host) -> None:
        """Wait until the table's ended matches are stored."""
        for task in [self._storing[m] for m in self._storing if self._tables[m] == host.id]:
            await asyncio.shield(task)

    async def _store(self, host: Host, match: MatchState) -> None:
        config, engine = host.table.state.config, host.table.game.version
        name = config.table
        wait = 0.5
        while True:
            try:
                entries = entries_of(await self._hub.journal.entries(name, match.first_entry))
                record = msgspec.json.encode(build(config, match, engine, entries))
                await self._hub.store.finish(result(config, match), record)
                log.info("match_stored", table=name, match=match.id, game=config.game)
                host.stored.add(match.id)
                self._storing.pop(match.id, None)
                self._tables.pop(match.id, None)
                return
            except (StoreError, JournalError) as error:
                log.warning("match_waits", table=name, match=match.id, error=str(error))
                await asyncio.sleep(wait)
                wait = min(30.0, wait * 2)


def result(config: TableConfig, match: MatchState) -> Match:
    """The result of an ended match."""
    seats: list[Any] = []
    for number, seat in enumerate(match.players):
        scored = not match.voided and match.places
        seats.append(
            Seat(
                name=seat.name,
                player=seat.player,
                bot=seat.level if seat.player is None else None,
                score=match.scores[number] if scored else None,
                place=match.places[number] if scored else None,
            )
        )
    assert match.ended is not None
    return Match(
        id=match.id,
        table=config.table,
        game=config.game,
        ruleset=config.ruleset,
        started=match.started,
        ended=match.ended,
        seats=seats,
        rated=config.rated,
        voided=match.voided,
    )
