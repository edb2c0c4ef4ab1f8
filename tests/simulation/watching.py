"""What is checked while a world runs: nothing is late, and the journal replays to what lives."""

from __future__ import annotations

import asyncio

from server.core.inputs import decoder as input_decoder
from server.core.restore import restore
from server.runtime.host import Host
from server.runtime.loader import entries_of
from tests.simulation.oracle import Oracle
from tests.simulation.world import GAMES, World

LATE_MS = 2_000


class Watch:
    """Looks at every table again and again. oracles: one a table, as far as its log goes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.oracles: dict[str, Oracle] = {}
        self._compared: dict[str, int] = {}

    async def run(self) -> None:
        """Until something is wrong."""
        while not self._world.witness.notes and not any(o.wrong for o in self.oracles.values()):
            await asyncio.sleep(0.4)
            for host in self._world.hosts():
                self._in_time(host)
                self._replayed(host)

    def follow(self, table: str) -> Oracle | None:
        """The oracle of a table, up to the end of its log."""
        log = self._world.disk.full(table)
        if not log:
            return None
        oracle = self.oracles.get(table)
        if oracle is None:
            first = input_decoder.decode(log[0].data)
            assert first.create is not None
            oracle = self.oracles[table] = Oracle(GAMES[first.create.game], log[0])
        oracle.feed(log)
        return oracle

    def end(self) -> None:
        """Every log to its end, and from its last snapshot as from its first entry."""
        for table in self._world.disk.tables():
            oracle = self.follow(table)
            if oracle is None:
                continue
            log = self._world.disk.full(table)
            snapshots = [entry.number for entry in log if entry.snapshot]
            if snapshots:
                again, _ = restore(entries_of(log[snapshots[-1] - 1 :]), GAMES, rendered=0)
                again.state.now = oracle.table.state.now
                if again.save() != oracle.table.save():
                    self._world.witness.wrong("the last snapshot leads elsewhere", table=table)

    def _in_time(self, host: Host) -> None:
        deadline = host.table.deadline
        # While a commit is under way or failing, time waits for it: it is told as `stalled`.
        if deadline is None or host.down is not None or host.frozen or not host.idle:
            return
        late = self._world.now_ms() - deadline
        if late > LATE_MS:
            self._world.witness.wrong("a table is late", table=host.id, late_ms=late)

    def _replayed(self, host: Host) -> None:
        """The live state equals what its log leads to."""
        if host.down is not None or not host.idle:
            return
        if self._compared.get(host.id) == host.table.state.entries:
            return
        self._compared[host.id] = host.table.state.entries
        oracle = self.follow(host.id)
        if oracle is None:
            return
        live, replayed = host.table, oracle.table
        if live.state.now < replayed.state.now:
            self._world.witness.wrong("the live table is behind its log", table=host.id)
            return
        # Refused inputs move the live table's time and leave no entry.
        kept, replayed.state.now = replayed.state.now, live.state.now
        if live.save() != replayed.save():
            self._world.witness.wrong("the log does not lead to the live state", table=host.id)
        replayed.state.now = kept
