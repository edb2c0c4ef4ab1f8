"""The tables of this process: made, found, recovered, and closed when nobody needs them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import structlog

from engines.kit.contract import OptionError
from engines.kit.dealer import DeckError, check_deck
from engines.kit.registry import AnyGame
from protocol.client import CreateTable
from protocol.server import SeatedAt
from server.core.clocks import SPEEDS
from server.core.config import TableConfig, clock_rules, scaled_options
from server.core.frames import DELAYED, Frame
from server.core.inputs import Input, Joiner
from server.core.refusals import Denied
from server.core.table import Table
from server.journal.base import JournalError, Own
from server.runtime import ids
from server.runtime.delayed import Delayed
from server.runtime.host import Host
from server.runtime.loader import Loader
from server.runtime.lobby import Lobby
from server.runtime.metrics import TABLES
from server.runtime.parts import Parts
from server.runtime.seated import Seated
from server.store.models import Player, StoreError

if TYPE_CHECKING:
    from server.runtime.hub import Hub

log = structlog.get_logger("hanpan.directory")

VOID_S = 3.0
"""How long a match that cannot be continued waits for those who follow it, before it is voided."""

COMEBACK_S = 30
"""How long spectators of a table that was taken over have to come back without a jump."""


class Directory:
    """Every table that this process owns, by id."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.hosts: dict[str, Host] = {}
        self.making: set[str] = set()
        self.unplayable: set[str] = set()
        self.loader = Loader(hub)
        self.lobby = Lobby(hub)
        self._seated = Seated()
        self._made = Seated()  # the same index, of the tables that each player made
        self._empty_since: dict[str, int] = {}
        self._frozen: set[str] = set()

    def host(self, table: str) -> Host:
        """The table's host. A private table is found by its code too, which a player may be told
        without the id. Raises Denied `not_found`."""
        host = self.find(table)
        if host is None:
            raise Denied("not_found", "no_such_table")
        return host

    def find(self, table: str) -> Host | None:
        """As `host`, but None for one that is not here."""
        return self.hosts.get(table) or self._by_code(table)

    def _by_code(self, code: str) -> Host | None:
        if not code.isdigit():
            return None
        return next((h for h in self.hosts.values() if h.table.state.config.invite == code), None)

    def seats_of(self, player: str) -> list[SeatedAt]:
        """The seats at tables of this process that a player can return to."""
        return [
            SeatedAt(
                table=name,
                seat=seat,
                game=self.hosts[name].table.state.config.game,
                phase=self.hosts[name].table.state.phase,
            )
            for name in self._seated.of(player)
            for seat, state in enumerate(self.hosts[name].table.state.seats)
            if state.player == player and state.state != "left"
        ]

    def _note_seats(self, host: Host) -> None:
        if host.id in self.hosts:
            self._seated.note(host.id, (seat.player for seat in host.table.state.seats))

    # -- making -----------------------------------------------------------------------------------------
    async def create(self, player: Player, wish: CreateTable) -> Host:
        """A new table as wished. Raises Denied with what is wrong."""
        game = self._hub.games.get(wish.game)
        if game is None:
            raise Denied(
                "not_found", "no_such_game", wanted=wish.game, known=", ".join(self._hub.games)
            )
        if len(self._made.of(player.id)) >= self._hub.settings.tables_per_player:
            raise Denied(
                "rate_limited", "too_many_tables", most=self._hub.settings.tables_per_player
            )
        config = self.config(game, player, wish)
        self.making.add(config.table)
        try:
            own = await self._hub.journal.create(config.table, self._hub.node)
            host = self._add(Table.create(game, config, self._hub.wall.now()), own)
            host.begin()
        finally:
            self.making.discard(config.table)
        for number in range(wish.bots):
            host.submit(self.bot_input(host, wish.level, number))
        return host

    def config(self, game: AnyGame, player: Player, wish: CreateTable) -> TableConfig:
        """The configuration of a wished table. Raises Denied `bad_options`."""
        try:
            game.check_seats(wish.seats)
            options = scaled_options(game, wish.ruleset, wish.options, wish.speed)
            for number, deck in enumerate(wish.decks):
                check_deck(deck, game.pieces(options), number)
        except (OptionError, DeckError) as error:
            raise Denied("bad_options", "bad_options", detail=str(error)) from None
        arranged = bool(wish.decks) or wish.first is not None or wish.seed is not None
        problem = None
        if wish.level not in game.bots:
            problem = f"level: {game.name} has the bots {', '.join(game.bots)}"
        elif wish.bots > wish.seats:
            problem = f"bots: there are only {wish.seats} seats"
        elif wish.first is not None and wish.first >= wish.seats:
            problem = f"first: must be a seat, 0..{wish.seats - 1}"
        elif wish.rated and (arranged or wish.speed == "instant" or wish.early_close or wish.bots):
            problem = "rated: not with explicit deals, bots, speed instant or early_close"
        if problem is not None:
            raise Denied("bad_options", "bad_options", detail=problem)
        return TableConfig(
            table=ids.new_id("t"),
            epoch=ids.new_id("e"),
            game=game.name,
            ruleset=wish.ruleset,
            options=msgspec.to_builtins(options),
            seats=wish.seats,
            speed=wish.speed,
            visibility=wish.visibility,
            host=player.id,
            invite=ids.invite() if wish.visibility == "private" else None,
            rated=wish.rated,
            away_policy=wish.away_policy,
            away_ms=wish.away_ms,
            early_close=wish.early_close if not wish.rated else False,
            open_record=wish.open_record,
            spectate_delay_ms=wish.spectate_delay_ms,
            decks=wish.decks,
            first=wish.first,
            seed=wish.seed,
            clock=clock_rules(wish.speed, self._hub.settle_ms),
            pace_ms=SPEEDS[wish.speed].pace_ms,
        )

    def bot_input(self, host: Host, level: str, number: int, seat: int | None = None) -> Input:
        """The joining of a bot."""
        names = {s.name for s in host.table.state.seats}
        name = next(n for n in (f"Bot {i}" for i in range(1, 99)) if n not in names)
        return Input(at=self._hub.wall.now(), seat=seat, join=Joiner(name, level=level))

    def _add(self, table: Table, own: Own) -> Host:
        host = Host(table, own, self._hub.journal, self._hub.wall, self._hub.sentences)
        host.look = self._hub.pulse.look
        host.turns = self._hub.turns
        host.on_end = self._hub.matches.ended
        host.on_change = self.note_change
        host.on_fault = self._fault
        host.on_late = self._late
        self.hosts[host.id] = host
        self._made.note(host.id, (table.state.config.host,))
        TABLES.set(len(self.hosts))
        self.note_change(host)
        return host

    # -- recovery ---------------------------------------------------------------------------------------
    async def recover(self) -> None:
        """Take over every table of the journal that nobody looks after, each at its next number."""
        for name, own in await self._hub.journal.tables():
            await self.take(name, own)

    async def take(self, name: str, own: Own) -> bool:
        """Own a table and carry on with it, unless somebody else was faster, or still owns it.

        own: as the journal named it. Raises JournalError.
        """
        if name in self.hosts or name in self.making or name in self.unplayable:
            return False
        self.making.add(name)
        try:
            mine = own
            if own.holder != self._hub.node or self._hub.cluster is None:
                taken = await self._hub.journal.take(name, self._hub.node, own)
                if taken is None:
                    return False
                mine = taken
            if mine.number == 0:
                # Its maker was gone before the first entry: nobody was ever told of this table.
                await self._hub.journal.drop(name, mine.fence)
                return False
            return await self._adopt(name, mine)
        finally:
            self.making.discard(name)

    async def _adopt(self, name: str, own: Own) -> bool:
        """Carry on with a table that this process owns now."""
        loaded = await self.loader.load(name)
        if loaded is None:
            # Another version may be able to: the log stays where it is.
            self.unplayable.add(name)
            await self._hub.journal.release(name, own.fence)
            return False
        table = loaded.table
        host = self._add(table, Own(own.holder, own.fence, table.state.entries))
        self.making.discard(name)
        for seat, state in enumerate(table.state.seats):
            if state.player is not None:
                host.channels[seat].keeps_on = True
        self._keep_for_spectators(host)
        host.set_wanted()
        for frame in table.take_out().frames:
            if frame.rendered:
                host.channels[frame.index].keep(Parts(name, frame, {}))
        if host.delayed is not None:
            self._recover_delayed(host, host.delayed)
        for inp in loaded.inputs:
            host.submit(inp)
        if loaded.void is not None:
            self._void_later(host, loaded.void)
        self._hub.matches.catch_up(host)
        self._hub.presence.recovered(host)
        if self._hub.cluster is not None:
            self._hub.cluster.adopted(host)
        log.info("table_recovered", table=name, phase=table.state.phase)
        return True

    def _void_later(self, host: Host, why: str) -> None:
        """Void the match once those who follow it are back to hear of it."""

        def void() -> None:
            if self.hosts.get(host.id) is host and host.table.state.phase == "running":
                host.submit(Input(at=self._hub.wall.now(), void=why))

        asyncio.get_running_loop().call_later(VOID_S, void)

    def _recover_delayed(self, host: Host, delayed: Delayed) -> None:
        """The delayed stream goes on where the table's log ends."""
        from server.runtime.handlers import places

        table, index = host.table, host.public + 1
        present = Frame(host.public, DELAYED, table.state.numbers[host.public], table.state.now)
        present.seats, present.clock = table.seat_parts(), table.clock_part()
        if table.engine is not None:
            present.view = table.game.view(table.engine, None)

        def tell() -> None:
            for connection in list(host.channels[index].listeners):
                connection.send(places.snapshot(host, index, None, connection))

        shown_at = table.state.now + table.state.config.spectate_delay_ms
        delayed.recover(present, (shown_at - self._hub.wall.now()) / 1000, tell)

    def _keep_for_spectators(self, host: Host) -> None:
        """Until they are back, keep the public frames for those who watched."""
        public = host.channels[host.public]
        public.keeps_on = True

        def let_go() -> None:
            public.keeps_on = host.delayed is not None
            host.set_wanted()

        asyncio.get_running_loop().call_later(COMEBACK_S, let_go)

    def _fault(self, host: Host, why: str) -> None:
        if why == "fenced":
            if self._hub.cluster is not None:
                self._hub.cluster.fenced(host)
            self._forget(host)
            return
        self._freeze(host)
        self._hub.spawn(self._reload(host, void=why == "engine"))

    def _late(self, host: Host) -> None:
        log.warning("table_frozen", table=host.id)
        self._freeze(host)

    def _freeze(self, host: Host) -> None:
        """Tell everyone once, whether the table was late first or failed at once."""
        if host.id not in self._frozen:
            self._frozen.add(host.id)
            self._hub.tell_all(host, frozen=True)
            host.when_thawed.append(lambda: self._thawed(host))

    def _thawed(self, host: Host) -> None:
        self._frozen.discard(host.id)
        log.info("table_thawed", table=host.id)
        self._hub.tell_all(host, frozen=False)
        self._hub.presence.thawed(host)

    async def _reload(self, host: Host, void: bool) -> None:
        """Read a table back from its log and go on; void the match where its engine failed.

        Whether the journal takes entries again shows when the first one is committed; if not, this is
        called again by the next fault.
        """
        await asyncio.sleep(min(2.0, 0.05 * 2 ** min(host.faults, 10)))
        try:
            loaded = await self.loader.load(host.id)
        except JournalError as error:
            log.warning("journal_away", table=host.id, error=str(error))
            host.faults += 1
            self._hub.spawn(self._reload(host, void))
            return
        if host.id not in self.hosts:
            return
        if loaded is None:
            self._forget(host)
            return
        table = loaded.table
        own = Own(host.own.holder, host.own.fence, table.state.entries)
        table.take_out()
        # Where no match runs nothing has to be told, but whether entries are taken must be seen.
        probe = Input(at=max(table.state.now, self._hub.wall.now()), stalled=0)
        inputs = loaded.inputs or [probe]
        if (void or loaded.void is not None) and table.state.phase == "running":
            inputs = [Input(at=self._hub.wall.now(), void=loaded.void or "engine")]
        host.go_on(table, own, inputs)
        self._hub.matches.catch_up(host)
        self.note_change(host)

    # -- closing ----------------------------------------------------------------------------------------
    def stood_still(self, ms: int) -> None:
        """The whole process stood still for so long."""
        for host in list(self.hosts.values()):
            host.stood_still(ms)

    def look(self, host: Host) -> None:
        """Close a table that nobody has played at or watched for a while; to be called every second or so."""
        if not self._is_empty(host):
            self._empty_since.pop(host.id, None)
            return
        now = self._hub.wall.now()
        since = self._empty_since.setdefault(host.id, now)
        if now - since >= self._hub.settings.empty_table_ms:
            self._hub.spawn(self.close(host))

    def _is_empty(self, host: Host) -> bool:
        for channel in host.channels:
            if channel.listeners:
                return False
        state = host.table.state
        if state.phase != "running":
            return True
        return all(s.player is None or s.by_bot or s.forfeited for s in state.seats)

    async def close(self, host: Host) -> None:
        """End a table for good."""
        if host.id not in self.hosts:
            return
        self.making.add(host.id)
        self._forget(host)
        try:
            await self._hub.matches.stored(host)
            await self._hub.journal.drop(host.id, host.own.fence)
        except (JournalError, StoreError) as error:
            log.warning("close_failed", table=host.id, error=str(error))
        finally:
            self.making.discard(host.id)

    def let_go(self, host: Host) -> None:
        """The table is not this process's any more; the sessions here follow it."""
        if self._hub.cluster is not None:
            self._hub.cluster.left(host)
        self._forget(host)

    def _forget(self, host: Host) -> None:
        host.stop("not_found")
        self._hub.unseat_all(host, "closed")
        self.hosts.pop(host.id, None)
        self._seated.note(host.id, ())
        self._made.note(host.id, ())
        self._empty_since.pop(host.id, None)
        self._frozen.discard(host.id)
        self.lobby.note(host.id)
        if self._hub.cluster is not None:
            self._hub.cluster.tables.closed(host)
        TABLES.set(len(self.hosts))

    # -- the lobby --------------------------------------------------------------------------------------
    def note_change(self, host: Host) -> None:
        """Remember that the lobby shows this table otherwise now, and who sits there."""
        self._note_seats(host)
        self.lobby.note(host.id)
        if self._hub.cluster is not None:
            self._hub.cluster.tables.changed(host)
