"""Everything that the sessions of one process share, and the work that goes on beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from engines.kit.registry import AnyGame
from protocol.client import ClientMessage, Identify, Place
from protocol.codec import VERSION
from protocol.codes import Close
from protocol.server import (
    Audience,
    Draining,
    Frozen,
    Hello,
    Limits,
    PlayerInfo,
    SeatedAt,
    Thawed,
    Top,
    Unseated,
)
from server.bus.base import Bus
from server.core.refusals import Denied
from server.journal.base import Journal
from server.runtime import ids, metrics
from server.runtime.cluster.packets import Stand
from server.runtime.connection import Connection
from server.runtime.directory import Directory
from server.runtime.games import game_infos
from server.runtime.host import Host
from server.runtime.matches import Matches
from server.runtime.memory import Surplus
from server.runtime.once import Once
from server.runtime.parts import raw
from server.runtime.presence import Presence
from server.runtime.pulse import Pulse
from server.runtime.sentences import Sentences
from server.runtime.session import Session, encoded
from server.runtime.throttle import Throttle
from server.runtime.wall import Wall
from server.settings import Settings
from server.store.models import Player, StoreError
from server.store.store import Store
from server.transport.base import Socket
from server.transport.turns import Turns

if TYPE_CHECKING:
    from server.runtime.cluster.cluster import Cluster

log = structlog.get_logger("hanpan.hub")
T = TypeVar("T")

FEATURES = ["say", "standing", "ask", "legal"]
SWEEP_S = 1.0
GIVE_BACK_S = 30.0
TABLES_AT_ONCE = 25
"""Tables looked at in one turn of the loop."""


class Hub:
    """The services of one process. settle_ms: how long a window waits for other processes' reads.

    wall: its clock; a simulation has one of its own.
    """

    def __init__(
        self,
        settings: Settings,
        games: dict[str, AnyGame],
        journal: Journal,
        bus: Bus,
        store: Store,
        settle_ms: int = 0,
        wall: Wall | None = None,
    ) -> None:
        self.settings = settings
        self.games = games
        self.journal = journal
        self.bus = bus
        self.store = store
        self.settle_ms = settle_ms
        self.node = ids.new_id("n")
        self.wall = wall or Wall()
        self.sentences = Sentences()
        self.limits = Throttle(settings, self.wall)
        self.once = Once(self.wall)
        self.presence = Presence(self)
        self.matches = Matches(self)
        self.directory = Directory(self)
        self.pulse = Pulse(self.wall, self._stood_still)
        self.turns = Turns()
        self._surplus = Surplus()
        self.connections: dict[Connection, None] = {}
        self._of_player: dict[str, dict[Connection, None]] = {}
        # Encoded once: it is large and the same for everyone.
        self.game_infos = raw(game_infos(games))
        self.cluster: Cluster | None = None
        self.draining = False
        self.ready = False
        from server.runtime.handlers import HANDLERS

        self.handlers = HANDLERS
        self._tasks: set[asyncio.Task[Any]] = set()
        self._revocations = 0

    # -- life -------------------------------------------------------------------------------------------
    async def start(self) -> None:
        """Open what is stored, take over what was running."""
        await self.store.start()
        await self.journal.start()
        await self.bus.start()
        await self.journal.hold(self.node)
        if self.cluster is not None:
            self.cluster.start()
        await self.directory.recover()
        self.spawn(self._sweep())
        self.pulse.start()
        self.ready = True

    async def drain(self) -> None:
        """Take nothing new, and send everyone away with a time to come back at."""
        self.draining, self.ready = True, False
        people = list(self.connections)
        span = self.settings.drain_ms
        for place, connection in enumerate(people):
            connection.send(Draining(in_ms=200 + span * place // max(1, len(people))))
            if place % 100 == 99:
                await asyncio.sleep(0)
        await self._until_idle(span / 1000)
        if self.cluster is not None:
            await self.cluster.hand_over()
            # Play goes on elsewhere, over these sockets too, until everyone has left by himself.
            await self._until_left(span / 1000)
        for place, connection in enumerate(people):
            connection.socket.close(Close.DRAINING, "draining")
            if place % 100 == 99:
                await asyncio.sleep(0)

    async def _until_idle(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        for host in list(self.directory.hosts.values()):
            while not host.idle and loop.time() < until:  # noqa: ASYNC110  # commits end by themselves
                await asyncio.sleep(0.02)

    async def _until_left(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while self.connections and loop.time() < until:  # noqa: ASYNC110  # ends by itself
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Stop working; what runs is in the journal."""
        self.ready = False
        self.pulse.stop()
        for host in self.directory.hosts.values():
            host.stop("draining")
        if self.cluster is not None:
            self.cluster.stop()
        await self._end_tasks()
        await self.journal.stop()
        await self.bus.stop()
        # Until the bus has stopped, what it said may have begun new ones.
        await self._end_tasks()
        await self.store.stop()

    async def _end_tasks(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something beside the sessions; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)
        return task

    def _spawned(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("task_failed", exc_info=task.exception())

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        give_back_at = loop.time()
        while True:
            before = loop.time()
            await asyncio.sleep(SWEEP_S)
            metrics.LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - before - SWEEP_S))
            await self._close_silent()
            await self._look_at_tables()
            self.limits.sweep()
            self.once.sweep()
            self._tell_lobby()
            if loop.time() > give_back_at:
                self._surplus.give_back()
                give_back_at = loop.time() + GIVE_BACK_S

    def _stood_still(self, ms: int) -> None:
        log.warning("stood_still", ms=ms)
        metrics.STANDSTILLS.inc()
        self.directory.stood_still(ms)

    async def _close_silent(self) -> None:
        now, beat = self.wall.steady(), self.settings.heartbeat_ms
        unsent = 0
        for place, connection in enumerate(list(self.connections)):
            unsent += connection.look(now)
            if connection.last_seen < now - 2 * beat:
                connection.socket.close(Close.HEARTBEAT, "no heartbeat")
            elif connection.stuck_since < now - beat:
                connection.socket.close(Close.TOO_SLOW, "nothing was read for long")
            if place % 100 == 99:
                await asyncio.sleep(0)
        metrics.UNSENT_BYTES.set(unsent)

    # -- sessions ---------------------------------------------------------------------------------------
    def connected(self, socket: Socket) -> Connection:
        """A new session on an accepted socket."""
        connection = Connection(self, socket)
        self.connections[connection] = None
        metrics.CONNECTIONS.set(len(self.connections))
        return connection

    def gone(self, connection: Connection) -> None:
        """A socket has ended: nobody listens there any more, its seats may become away."""
        self.connections.pop(connection, None)
        metrics.CONNECTIONS.set(len(self.connections))
        if connection.player is not None:
            mine = self._of_player[connection.player.id]
            del mine[connection]
            if not mine:
                del self._of_player[connection.player.id]
        for table in list(connection.places):
            self.leave_place(connection, table)
        if self.cluster is not None:
            self.cluster.gateway.gone(connection)
            self.cluster.sockets.went(connection)

    def tops(self, connection: Connection) -> list[Top]:
        """The top number of each stream that a connection listens to."""
        distant = self.cluster.gateway.tops(connection) if self.cluster is not None else []
        return connection.tops() + distant

    def forwards(self, message: ClientMessage) -> bool:
        """Whether the message is for a table of another process."""
        table = getattr(message, "table", None)
        return self.cluster is not None and table is not None and self.directory.find(table) is None

    def forward(self, connection: Connection, message: ClientMessage, at: int) -> None:
        """Hand a message to the process that owns its table."""
        assert self.cluster is not None
        self.cluster.gateway.forward(connection, message, at)

    def leave_place(self, connection: Session, table: str) -> None:
        """The connection no longer listens to the table."""
        place = connection.places.pop(table, None)
        if place is None:
            return
        place.host.channels[place.index].listeners.pop(connection, None)
        place.host.set_wanted()
        if place.seat is not None:
            self.presence.lost(place.host, place.seat, connection)

    def hello(self) -> Hello:
        """The first message of a connection."""
        settings = self.settings
        return Hello(
            protocol=VERSION,
            server="hanpan/0.1.0",
            now=self.wall.now(),
            heartbeat_ms=settings.heartbeat_ms,
            limits=Limits(
                max_frame=settings.max_frame,
                frames=settings.frames,
                burst=settings.frame_burst,
                chat=settings.chat,
                chat_ms=settings.chat_ms,
                connections=settings.connections,
            ),
            features=FEATURES,
        )

    async def revoke(self, token: str) -> str | None:
        """End a token: its player's sockets are closed in every process. The player, None for an unknown
        token. Raises StoreError."""
        player = await self.store.revoke(token)
        if player is not None:
            self.close_sockets(player)
            if self.cluster is not None:
                self.cluster.revoked(player)
        return player

    def close_sockets(self, player: str) -> None:
        """Close a player's sockets here; who still has a valid token comes back."""
        self._revocations += 1
        for connection in list(self._of_player.get(player, ())):
            connection.socket.close(Close.IDENTIFY, "the token was revoked")

    async def identify(self, connection: Connection, message: Identify) -> None:
        """Check a token, answer, and go on where the client was. Raises Denied."""
        from server.runtime.handlers import places

        if connection.player is not None:
            raise Denied("forbidden", "identified_already")
        player = await self._player_of(message.token)
        if player is None:
            raise Denied("bad_token")
        if not connection.socket.is_open:
            return
        if self.cluster is None:
            self._limit_connections(player.id)
        connection.identified(player, message)
        self._of_player.setdefault(player.id, {})[connection] = None
        if self.cluster is not None:
            self.cluster.sockets.came(connection)
        resumable = places.resumable(connection, message.at)
        distant = self._distant(message.at)
        connection.ok(
            message,
            player=PlayerInfo(id=player.id, name=player.name, guest=player.guest),
            tables=self.seats_of(player.id),
            at=[top for _, top in resumable] + [top for _, top in distant],
        )
        for place, _ in resumable:
            places.resume(connection, place)
        if self.cluster is not None:
            self.cluster.gateway.resume(connection, [stand for stand, _ in distant])

    async def _player_of(self, token: str) -> Player | None:
        """Whose token it is; looked up again if one was revoked meanwhile, which may have been this one."""
        while True:
            heard = self._revocations
            try:
                player = await self.store.identify(token)
            except StoreError as error:
                raise Denied("unavailable") from error
            if heard == self._revocations:
                return player

    async def close_revoked(self, since: int) -> None:
        """Close the sockets of all whose token was revoked since then (in ms), should it not have been heard."""
        try:
            players = await self.store.revoked(since)
        except StoreError as error:
            log.warning("revocations_unknown", error=str(error))
            return
        for player in players:
            self.close_sockets(player)

    def _distant(self, at: list[Place]) -> list[tuple[Stand, Top]]:
        """Places in tables of other processes. Their top numbers are not known here: what comes after
        the client's own number counts as new."""
        if self.cluster is None:
            return []
        return [
            (
                Stand(p.table, p.stream, p.epoch, p.seq, p.detail == "view"),
                Top(table=p.table, stream=p.stream, epoch=p.epoch, seq=p.seq),
            )
            for p in at
            if p.table not in self.directory.hosts
        ]

    def _limit_connections(self, player: str) -> None:
        mine = self._of_player.get(player, {})
        if len(mine) >= self.settings.connections:
            min(mine, key=lambda c: c.opened).socket.close(
                Close.CONNECTIONS, "too many connections"
            )

    def seats_of(self, player: str) -> list[SeatedAt]:
        """The seats that a player can return to."""
        elsewhere = self.cluster.tables.seats_of(player) if self.cluster is not None else []
        return self.directory.seats_of(player) + elsewhere

    # -- telling ----------------------------------------------------------------------------------------
    def unseat(self, connection: Session, host: Host, why: str) -> None:
        """Tell a connection that it has no part in the table any more."""
        place = connection.places.pop(host.id, None)
        if place is not None:
            host.channels[place.index].listeners.pop(connection, None)
            host.set_wanted()
            connection.send(Unseated(table=host.id, why=why))

    def unseat_all(self, host: Host, why: str) -> None:
        """Tell everyone at a table that it is over."""
        for channel in host.channels:
            for connection in list(channel.listeners):
                self.unseat(connection, host, why)
        for connection in host.returning:
            if connection.socket.is_open:
                connection.send(Unseated(table=host.id, why=why))
        host.returning.clear()
        host.controllers.clear()

    def tell_all(self, host: Host, frozen: bool) -> None:
        """Tell everyone at a table that it stands still, or goes on."""
        told: Frozen | Thawed = Frozen(table=host.id) if frozen else Thawed(table=host.id)
        self.broadcast(host, told)

    def broadcast(self, host: Host, told: Any) -> None:
        """An unnumbered message to everyone who listens to a table."""
        message = encoded(told)
        for channel in host.channels:
            for connection in channel.listeners:
                connection.socket.send(message)

    async def _look_at_tables(self) -> None:
        """Find those that nobody needs, and tell how large the audiences are."""
        for place, host in enumerate(list(self.directory.hosts.values())):
            if place % TABLES_AT_ONCE == TABLES_AT_ONCE - 1:
                await asyncio.sleep(0)
            if self.directory.hosts.get(host.id) is host:
                self.directory.look(host)
                self._tell_audience(host)

    def _tell_audience(self, host: Host) -> None:
        count = sum([len(channel.listeners) for channel in host.channels[host.public :]])
        if host.audience != count:
            host.audience = count
            self.broadcast(host, Audience(table=host.id, count=count))
            self.directory.note_change(host)

    def _tell_lobby(self) -> None:
        watchers = [connection for connection in self.connections if connection.watches_lobby]
        if not watchers:
            self.directory.lobby.forget_changes()
            return
        message = self.directory.lobby.take_message()
        if message is None:
            return
        for connection in watchers:
            connection.socket.send(message, bulk=True)
