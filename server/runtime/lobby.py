"""The public tables as the lobby shows them: each made and encoded when it has changed, not when somebody
asks, and never more at once than a line takes that is read well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.client import ListTables
from protocol.server import Lobby as LobbyMessage
from protocol.server import SeatInfo, TableInfo
from server.core.table import Table
from server.runtime.parts import raw
from server.runtime.session import encoded
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.host import Host
    from server.runtime.hub import Hub

MOST = 100
"""Tables an answer or a `lobby` message: about 60 KiB, well below what may be unsent to a connection."""
FILTERS = ("game", "ruleset", "speed", "phase")


class Listing:
    """A table as it is shown. open: whether there is a seat to be taken; encoded: as JSON."""

    __slots__ = ("encoded", "info", "open", "public")

    def __init__(self, info: TableInfo) -> None:
        self.info = info
        self.public = info.visibility == "public"
        self.open = info.phase != "running" and any(seat.state == "open" for seat in info.seats)
        self.encoded = raw(info)


class Lobby:
    """The tables of all processes as this one knows them, and what of them has changed since last told."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._listings: dict[str, Listing] = {}
        self._changed: dict[str, None] = {}  # in the order of the changes: each gets its turn
        self._public: set[str] = set()

    def note(self, table: str) -> None:
        """Remember that a table is new, shows otherwise now, or is gone or in another process."""
        self._listings.pop(table, None)
        self._changed[table] = None

    def info(self, table: str) -> TableInfo | None:
        """A table as the lobby shows it, private ones too; None if it is nowhere."""
        listing = self._listing(table)
        return None if listing is None else listing.info

    def listed(self, wish: ListTables) -> tuple[list[msgspec.Raw], bool]:
        """A page of the public tables that match every filter, and whether there are more: those with
        an open seat first, `MOST` at most from the wished place on."""
        wanted = ((name, getattr(wish, name)) for name in FILTERS)
        filters = [(name, value) for name, value in wanted if value is not None]
        found = [
            listing
            for listing in self._all()
            if listing.public
            and wish.open in (None, listing.open)
            and all(getattr(listing.info, name) == value for name, value in filters)
        ]
        found.sort(key=lambda listing: not listing.open)
        page = found[wish.skip : wish.skip + MOST]
        return [listing.encoded for listing in page], len(found) > wish.skip + MOST

    def take_message(self) -> Message | None:
        """What has changed since the last call, as much as is told at once; None if nothing has."""
        shown: list[Any] = []
        gone: list[str] = []
        while self._changed and len(shown) < MOST:
            name = next(iter(self._changed))
            del self._changed[name]
            listing = self._listing(name)
            if listing is None:
                if name in self._public:  # nobody heard of any other
                    self._public.discard(name)
                    gone.append(name)
            elif listing.public:
                shown.append(listing.encoded)
        if not shown and not gone:
            return None
        return encoded(LobbyMessage(tables=shown, gone=sorted(gone)))

    def forget_changes(self) -> None:
        """Nobody is told of them: whoever begins to listen gets all tables first."""
        self._changed.clear()
        self._public.intersection_update(self._listings)

    def _all(self) -> Iterator[Listing]:
        names = list(self._hub.directory.hosts)
        if self._hub.cluster is not None:
            names += self._hub.cluster.tables.names()
        for name in names:
            listing = self._listing(name)
            if listing is not None:
                yield listing

    def _listing(self, name: str) -> Listing | None:
        listing = self._listings.get(name)
        if listing is not None:
            return listing
        host = self._hub.directory.hosts.get(name)
        cluster = self._hub.cluster
        if host is not None:
            info = table_info(host)
        else:
            found = cluster.tables.info(name) if cluster is not None else None
            if found is None:
                return None
            info = found
        listing = self._listings[name] = Listing(info)
        if listing.public:
            self._public.add(name)
        return listing


def seat_infos(table: Table) -> list[SeatInfo]:
    """All seats as on the wire."""
    return [msgspec.convert(part, SeatInfo, from_attributes=True) for part in table.seat_parts()]


def table_info(host: Host) -> TableInfo:
    """A table as the lobby shows it."""
    table = host.table
    state, config = table.state, table.state.config
    options: dict[str, Any] = config.options
    early = state.match.early_close if state.match is not None else bool(config.early_close)
    return TableInfo(
        table=config.table,
        game=config.game,
        ruleset=config.ruleset,
        options=options,
        speed=config.speed,  # type: ignore[arg-type]  # validated when the table was made
        seats=seat_infos(table),
        phase=state.phase,
        visibility=config.visibility,  # type: ignore[arg-type]  # likewise
        host=config.host,
        rated=config.rated,
        arranged=config.arranged,
        audience=host.audience,
        turn_ms=config.clock.turn_ms,
        bank_ms=config.clock.bank_ms,
        claim_ms=options.get("claim_ms"),
        grace_ms=config.clock.grace_ms,
        early_close=early,
        away_policy=config.away_policy,
        away_ms=config.away_ms,
        open_record=config.open_record,
        spectate_delay_ms=config.spectate_delay_ms,
    )
