"""The tables of all processes, as far as this one has heard: who owns them, how the lobby shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.server import SeatedAt, TableInfo
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Query, Shared, Tables
from server.runtime.lobby import table_info
from server.runtime.seated import Seated

if TYPE_CHECKING:
    from server.runtime.host import Host
    from server.runtime.hub import Hub


LATELY_MS = 15_000
"""How long after its owner let go of it a table is expected to be somewhere."""


class SharedTables:
    """Tables of other processes. Messages are lost sometimes, so everything is told again now and then.

    Who claims a table under a lower fence than another has lost it and does not know yet.
    """

    def __init__(self, hub: Hub, link: Link) -> None:
        self._hub = hub
        self._link = link
        self._tables: dict[str, tuple[str, Shared]] = {}
        self._seated = Seated()
        self._codes: dict[str, str] = {}
        self._dirty: set[str] = set()
        self._gone: set[str] = set()
        self._lately: dict[str, int] = {}
        self._fences: dict[str, int] = {}

    def owner(self, table: str) -> str | None:
        """The process that owns the table, as far as is known."""
        found = self._tables.get(table)
        return None if found is None else found[0]

    def owners(self) -> set[str]:
        """All processes that own a table."""
        return {owner for owner, _ in self._tables.values()}

    def fence(self, table: str) -> int:
        """The highest fence that is known of the table: of another process's, of one that is here, and of
        one that was lately. What its owner of old sent may still be on its way."""
        host = self._hub.directory.hosts.get(table)
        if host is not None:
            return host.own.fence
        found = self._tables.get(table)
        return self._fences.get(table, 0) if found is None else found[1].fence

    def lately(self, table: str) -> bool:
        """Whether the table was there a moment ago: it may be on its way to another process."""
        return self._hub.wall.now() - self._lately.get(table, -LATELY_MS) < LATELY_MS

    def expect(self, table: str) -> None:
        """The journal has the table: whether anybody told of it or not, it is somewhere or on its way."""
        self._lately[table] = self._hub.wall.now()

    def named(self, name: str) -> str:
        """The id of a private table that is called by its code; any other name as it is."""
        return self._codes.get(name, name)

    def heard(self, sender: str, item: Tables) -> list[str]:
        """Another process told of its tables; those that have a new owner since."""
        moved = []
        for shared in item.tables:
            name = shared.info.table
            if name in self._hub.directory.hosts:
                self._dispute(sender, name, shared.fence)
                if name in self._hub.directory.hosts:
                    continue
            if shared.fence < self.fence(name):
                continue
            known = self._tables.get(name)
            if known is None or known[0] != sender:
                moved.append(name)
            self._tables[name] = (sender, shared)
            self._seated.note(name, (seat.player for seat in shared.info.seats))
            if shared.invite is not None:
                self._codes[shared.invite] = name
            self._hub.directory.lobby.note(name)
        gone = set(item.gone)
        if item.all:
            told = {shared.info.table for shared in item.tables}
            gone |= {
                n for n, (owner, _) in self._tables.items() if owner == sender and n not in told
            }
        for name in gone:
            self.forget(name, sender)
        return moved

    def _dispute(self, sender: str, table: str, fence: int) -> None:
        """Another process claims a table that is here: the higher fence has it."""
        host = self._hub.directory.hosts[table]
        if fence > host.own.fence:
            host.fence_off()
        else:
            self._link.send(sender, Tables([share(host)], []))

    def forget(self, table: str, owner: str | None = None) -> None:
        """The table is not there (any more), or has come here."""
        found = self._tables.get(table)
        if found is not None and owner in (None, found[0]):
            del self._tables[table]
            self._seated.note(table, ())
            self._codes.pop(found[1].invite or "", None)
            self._was_here(table, found[1].fence)
            self._hub.directory.lobby.note(table)

    def _was_here(self, table: str, fence: int) -> None:
        self._lately[table] = self._hub.wall.now()
        self._fences[table] = max(fence, self._fences.get(table, 0))

    def names(self) -> list[str]:
        """All tables of other processes."""
        return list(self._tables)

    def info(self, table: str) -> TableInfo | None:
        """A table of another process."""
        found = self._tables.get(table)
        return None if found is None else found[1].info

    def seats_of(self, player: str) -> list[SeatedAt]:
        """The player's seats in other processes."""
        return [
            SeatedAt(
                table=shared.info.table,
                seat=seat.seat,
                game=shared.info.game,
                phase=shared.info.phase,
            )
            for shared in (self._tables[name][1] for name in self._seated.of(player))
            for seat in shared.info.seats
            if seat.player == player and seat.state != "left"
        ]

    # -- telling ----------------------------------------------------------------------------------------
    def changed(self, host: Host) -> None:
        """A table of ours is new or changed."""
        self._dirty.add(host.id)

    def closed(self, host: Host) -> None:
        """A table of ours is gone."""
        self._was_here(host.id, host.own.fence)
        self._gone.add(host.id)
        self._dirty.discard(host.id)

    def flush(self) -> None:
        """Tell all of what changed."""
        if not self._dirty and not self._gone:
            return
        hosts = [
            self._hub.directory.hosts[n] for n in self._dirty if n in self._hub.directory.hosts
        ]
        gone = sorted(self._gone - self._hub.directory.hosts.keys())
        self._dirty.clear()
        self._gone.clear()
        self._link.tell_all(Tables([share(host) for host in hosts], gone))

    def tell_everything(self) -> None:
        """Tell all of all our tables."""
        self._lately = {name: at for name, at in self._lately.items() if self.lately(name)}
        self._fences = {name: fence for name, fence in self._fences.items() if self.lately(name)}
        self._link.tell_all(
            Tables([share(h) for h in self._hub.directory.hosts.values()], [], True)
        )

    def answer(self, sender: str, query: Query) -> None:
        """Answer who owns a table, if it is us."""
        hosts = self._hub.directory.hosts
        if not query.table:
            tables = [share(host) for host in hosts.values()]
            self._link.send(sender, Tables(tables, [], True))
            return
        host = self._hub.directory.find(query.table)
        if host is not None:
            self._link.send(sender, Tables([share(host)], []))


def share(host: Host) -> Shared:
    """A table as other processes are told of it."""
    return Shared(table_info(host), host.own.fence, host.table.state.config.invite)
