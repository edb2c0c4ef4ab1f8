"""A player's connection: the lobby, and one object a table."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Literal

from hanpan._messages import (
    Audience,
    ChatLine,
    ClientMessage,
    CreateTable,
    Detail,
    Error,
    Frozen,
    GameInfo,
    Hello,
    Identify,
    JoinTable,
    ListGames,
    ListTables,
    Lobby,
    Ok,
    PlayerInfo,
    Pong,
    Requests,
    SeatedAt,
    ServerMessage,
    Snapshot,
    TableInfo,
    Thawed,
    Top,
    Unseated,
    UnwatchLobby,
    Update,
    Watch,
    WatchLobby,
)
from hanpan.address import Address
from hanpan.backoff import Backoff
from hanpan.calls import Calls
from hanpan.errors import Disconnected, HanpanError, Refused, stop
from hanpan.errors import Unseated as UnseatedError
from hanpan.feeds import Feed, Hook
from hanpan.link import Link
from hanpan.lobby import LobbyTables
from hanpan.sockets import Dial, SocketClosed, dial
from hanpan.table import Table
from hanpan.wire import convert, tables

Want = Literal["say"]
Status = Literal["connected", "lost", "stopped"]


class Client:
    """A connection that resumes by itself; made by `connect`.

    on_status: callbacks told `connected`, `lost` (it is coming back) and `stopped`. error: why it
    stopped. player: who this is. token: to come back as the same player.
    """

    def __init__(
        self,
        token: str,
        locale: str = "en",
        want: Iterable[Want] = (),
        name: str = "hanpan-py/0.1",
    ) -> None:
        self.token = token
        self.locale = locale
        self.want: list[Want] = list(want)
        self.player: PlayerInfo | None = None
        self.hello: Hello | None = None
        self.tables: dict[str, Table] = {}
        self.seated: list[SeatedAt] = []
        self.error: HanpanError | None = None
        self.resumes = -1
        self.on_status: Hook[Status] = Hook()
        self._name = name
        self._calls = Calls()
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self._lobby = LobbyTables()
        self._behind: dict[str, int] = {}
        self._own: set[asyncio.Task[None]] = set()
        self._stopped = False

    # -- opening and closing ---------------------------------------------------------------------------
    async def open(
        self,
        address: Address,
        dial: Dial = dial,
        backoff: Backoff | None = None,
        patience_s: float | None = 300.0,
    ) -> None:
        """Connect for the first time. Raises Disconnected, Refused or Stopped."""
        self._link = Link(self, address, dial, backoff or Backoff(), patience_s)
        try:
            await self._link.open()
        except SocketClosed as closed:
            raise stop(closed.code, closed.reason) or Disconnected(
                f"the connection was closed: {closed}"
            ) from None
        self._task = asyncio.create_task(self._link.run())

    async def close(self) -> None:
        """Close the connection; every iteration ends, open requests fail with Disconnected."""
        if self._link is not None:
            await self._link.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._end(None)
        for own in list(self._own):
            own.cancel()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()

    async def closed(self) -> None:
        """Until the connection has ended for good. Raises what it ended with."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self.error is not None:
            raise self.error

    def drop_connection(self) -> None:
        """Let the connection drop, as a network would; the client comes back by itself."""
        if self._link is not None:
            self._link.abort()

    # -- the lobby -------------------------------------------------------------------------------------
    async def games(self) -> list[GameInfo]:
        """The games that can be played here."""
        return (await self.request(ListGames())).games or []

    async def list_tables(self, **filters: Any) -> list[TableInfo]:
        """All public tables; filters: game, ruleset, speed, phase, open."""
        found: dict[str, TableInfo] = {}
        skip, more = 0, True
        while more:
            page = await self.request(ListTables(**filters, skip=skip))
            # While pages are fetched tables change their places.
            found |= {info.table: info for info in tables(page.tables)}
            skip, more = skip + len(page.tables or ()), page.more
        return list(found.values())

    @property
    def lobby(self) -> dict[str, TableInfo]:
        """The public tables by id, while the lobby is watched."""
        return self._lobby.tables

    async def watch_lobby(self) -> Feed[Lobby]:
        """What changes in the lobby, from now on."""
        feed = self._lobby.watch()
        self._lobby.list(await self.request(WatchLobby()))
        return feed

    async def unwatch_lobby(self) -> None:
        """No more of the lobby."""
        self._lobby.end()
        await self.request(UnwatchLobby())

    async def create_table(self, game: str, seats: int, **fields: Any) -> tuple[str, str | None]:
        """A new table; its id and, of a private one, its invite. Fields: those of `create_table`.

        Safe to repeat, which the client does by itself.
        """
        fields.setdefault("key", self.key())
        ok = await self.request(CreateTable(game=game, seats=seats, **fields))
        return ok.table or "", ok.invite

    async def join(
        self,
        table: str,
        seat: int | None = None,
        invite: str | None = None,
        detail: Detail = "view",
    ) -> Table:
        """Take a seat. The table's first snapshot is there when this returns."""
        message = JoinTable(table=table, seat=seat, invite=invite, detail=detail)
        return await self._follow(message, table, detail, invite)

    async def watch(
        self,
        table: str,
        detail: Detail = "view",
        stream: str | None = None,
        invite: str | None = None,
    ) -> Table:
        """Watch a table: one's own seat where one sits there, else as a spectator."""
        message = Watch(table=table, detail=detail, stream=stream, invite=invite)
        return await self._follow(message, table, detail, invite, stream)

    async def play(self, game: str, seats: int, **fields: Any) -> Table:
        """Make a table, fill it with bots, sit down and start. Fields: those of `create_table`."""
        fields.setdefault("bots", seats - 1)
        table_id, invite = await self.create_table(game, seats, **fields)
        table = await self.join(table_id, invite=invite)
        await table.ready()
        return table

    async def request(self, message: ClientMessage) -> Ok:
        """Send any message and wait for its answer. Raises a Refused, Uncertain, or Disconnected."""
        if self._stopped or self._link is None:
            raise self.error or Disconnected("the client is closed")
        call = self._calls.make(message)
        self._link.push(call)
        try:
            return await call.answer
        finally:
            self._calls.forget(call)

    @staticmethod
    def key() -> str:
        """A fresh key for a request that may have to be repeated."""
        return uuid.uuid4().hex

    async def _follow(
        self,
        message: JoinTable | Watch,
        table_id: str,
        detail: Detail,
        invite: str | None,
        stream: str | None = None,
    ) -> Table:
        table = self.tables.get(table_id)
        fresh = table is None
        if table is None:
            table = self.tables[table_id] = Table(self, table_id, detail)
        table.detail, table.invite, table.stream = detail, invite, stream
        before = (table.state.epoch, table.state.seq, table.state.stream)
        try:
            ok = await self.request(message)
        except BaseException:
            if fresh:
                self.tables.pop(table_id, None)
            raise
        table.following = True
        if isinstance(message, JoinTable) and ok.table is None and ok.seat is None:
            await self.request(table.watch_message())
        while not table.state.stream or (
            isinstance(message, JoinTable)
            and table.seat is None
            and before == (table.state.epoch, table.state.seq, table.state.stream)
        ):
            if table.ended:
                raise table.error or UnseatedError(table_id, "closed")
            await table.changed()
        return table

    # -- what the link hands on ------------------------------------------------------------------------
    def identify(self) -> Identify:
        """Who this is, and from where its streams go on."""
        places = [t.state.place(t.detail) for t in self.tables.values() if t.following]
        return Identify(
            token=self.token,
            client=self._name,
            locale=self.locale,
            want=list(self.want),
            at=[place for place in places if place is not None][:32],
        )

    def connected(self, hello: Hello, ok: Ok) -> None:
        """Identified: mark the replay, ask for streams that do not go on, repeat what is open."""
        assert self._link is not None
        self.hello, self.player = hello, ok.player
        self.seated = convert(ok.tables or [], list[SeatedAt])
        self.resumes += 1
        self._behind.clear()
        tops = {(top.table, top.stream): top for top in ok.at or []}
        for table in list(self.tables.values()):
            if table.following and not table.resumed(tops.get((table.id, table.state.stream))):
                self._watch_again(table)
        if self._lobby.watched:
            self._again(WatchLobby(), self._lobby.list)
        for call in self._calls:
            self._link.push(call)
        self.on_status("connected")

    def disconnected(self, error: HanpanError | None) -> None:
        """The connection is gone."""
        if error is not None:
            self._end(error)
        elif not self._stopped:
            self._calls.lost()
            self.on_status("lost")

    def receive(self, message: ServerMessage) -> None:
        """Hand a message to whom it is for."""
        if isinstance(message, (Ok, Error)):
            self._answer(message)
        elif isinstance(message, Pong):
            self._check(message.at)
        elif isinstance(message, Lobby):
            self._lobby.change(message)
        elif isinstance(
            message, (Snapshot, Update, Requests, ChatLine, Audience, Unseated, Frozen, Thawed)
        ):
            table = self.tables.get(message.table)
            if table is not None:
                self._at_table(table, message)

    def drop(self, table: Table) -> None:
        """A table has ended."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]

    # -- inside ----------------------------------------------------------------------------------------
    def _answer(self, message: Ok | Error) -> None:
        if isinstance(message, Error) and message.requests is not None:
            for call in self._calls:
                table = self.tables.get(getattr(call.message, "table", ""))
                if call.id == message.re and table is not None:
                    table.refused(message.requests)
        again = self._calls.answered(message)
        if again is not None and isinstance(message, Error) and self._link is not None:
            wait = (message.after_ms or 250) / 1000
            link = self._link
            if message.code != "draining":
                asyncio.get_running_loop().call_later(wait, link.push, again)

    def _at_table(self, table: Table, message: ServerMessage) -> None:
        match message:
            case Snapshot():
                table.receive_snapshot(message)
            case Update():
                if not table.receive_update(message):
                    self._watch_again(table)
            case Requests():
                table.receive_requests(message)
            case ChatLine():
                table.on_chat(message)
            case Audience():
                table.watchers = message.count
            case Unseated():
                self._unseated(table, message.why)
            case Frozen():
                table.frozen = True
            case Thawed():
                table.frozen = False

    def _unseated(self, table: Table, why: str) -> None:
        """The server has no place there for this client.

        Who took the table over may not know that it showed the invite: that is shown once more.
        """
        if why == "closed" and table.invite is not None and table.following and table.seat is None:
            self._watch_again(table, UnseatedError(table.id, why))
        else:
            table.end(None if why == "left" else UnseatedError(table.id, why))

    def _check(self, tops: list[Top]) -> None:
        """A stream that is behind the same number at two heartbeats has lost its last frames."""
        for top in tops:
            table = self.tables.get(top.table)
            if table is None or not table.state.stream:
                continue
            mark = self._behind.pop(table.id, None)
            if mark is not None and table.state.seq < mark:
                self._watch_again(table)
            elif table.state.behind(top):
                self._behind[table.id] = top.seq

    def _watch_again(self, table: Table, ended: HanpanError | None = None) -> None:
        """Ask for the stream. ended: with what the table ends if there is none, if not with the refusal."""

        def failed(error: HanpanError) -> None:
            if not isinstance(error, Disconnected):
                table.end(ended or error)

        self._again(table.watch_message(), lambda ok: None, failed)

    def _again(self, message: ClientMessage, done: Any, failed: Any = None) -> None:
        """Send a message of the client's own, as often as it takes."""

        async def ask() -> None:
            while True:
                try:
                    done(await self.request(message))
                except Refused as refused:
                    if refused.retry:
                        await asyncio.sleep((refused.after_ms or 500) / 1000)
                        continue
                    if failed is not None:
                        failed(refused)
                except HanpanError as error:
                    if failed is not None:
                        failed(error)
                return

        task = asyncio.create_task(ask())
        self._own.add(task)
        task.add_done_callback(self._own.discard)

    def _end(self, error: HanpanError | None) -> None:
        if self._stopped:
            return
        self._stopped = True
        self.error = error
        self._calls.end(error or Disconnected("the client was closed"))
        for table in list(self.tables.values()):
            table.end(error)
        self._lobby.end(error)
        self.on_status("stopped")
