"""One table: what is known of it, what happens at it, and what may be done there."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from hanpan._messages import (
    Act,
    AddBot,
    Ask,
    Chat,
    ChatLine,
    Clock,
    Detail,
    LeaveTable,
    Legal,
    Ok,
    Ready,
    Rematch,
    RemoveBot,
    RequestInfo,
    Requests,
    Say,
    SeatInfo,
    Snapshot,
    Standing,
    Start,
    TableInfo,
    Top,
    Topic,
    Until,
    Unwatch,
    Update,
    Watch,
    Withdraw,
)
from hanpan.errors import HanpanError, StateError, Unseated
from hanpan.feeds import Bell, Fan, Feed, Flat, Hook
from hanpan.requests import Action, Request
from hanpan.state import Event, Frame, Gap, State

if TYPE_CHECKING:
    from hanpan.client import Client

BACKLOG = 300
Choose = Callable[[Request], Action | Awaitable[Action]]


class Table:
    """A table that the client sits at or watches; it lives on over lost connections.

    on_frame, on_say, on_chat, on_end: callbacks, e.g. `table.on_say.add(print)`. A sentence comes with
    whether it is a replay: what was missed and is sent again is not to be read aloud.

    stood: whether the seat was given up while the client was away from a table that does not run. It
    watches from then on, and may `join` again.
    """

    def __init__(self, client: Client, table: str, detail: Detail = "view") -> None:
        self.client = client
        self.id = table
        self.state = State(table)
        self.detail: Detail = detail
        self.invite: str | None = None
        self.stream: str | None = None
        self.seat: int | None = None
        self.stood = False
        self.watchers = 0
        self.frozen = False
        self.result: Event | None = None
        self.on_frame: Hook[Frame] = Hook()
        self.on_say: Hook[tuple[Say, bool]] = Hook()
        self.on_chat: Hook[ChatLine] = Hook()
        self.on_end: Hook[HanpanError | None] = Hook()
        self.following = False
        self.ended = False
        self.error: HanpanError | None = None
        self._requests: list[Request] = []
        self._answered: set[str] = set()
        self._bell = Bell()
        self._frames: Fan[Frame] = Fan(BACKLOG)

    # -- what is known -----------------------------------------------------------------------------
    @property
    def info(self) -> TableInfo | None:
        """Game, options and clocks; None before the first snapshot."""
        return self.state.info

    @property
    def view(self) -> Any:
        """What this viewer sees, as the game defines it. With detail `events`: as of the snapshot."""
        return self.state.view

    @property
    def seats(self) -> list[SeatInfo]:
        """Who sits where."""
        return self.state.seats

    @property
    def clock(self) -> Clock | None:
        """Whose clock it is, as of the last frame that said so."""
        return self.state.clock

    @property
    def window(self) -> dict[str, Any] | None:
        """The claim window that is open."""
        return self.state.window

    @property
    def requests(self) -> list[Request]:
        """The requests that this client has not answered, a held turn among them."""
        return [r for r in self._requests if r.id not in self._answered]

    def request(self, kind: str) -> Request | None:
        """The open request of this kind (`turn` or `claim`), if there is one."""
        return next((r for r in self.requests if r.kind == kind), None)

    # -- what happens ------------------------------------------------------------------------------
    def frames(self) -> Feed[Frame]:
        """Everything that happens step by step, with the sentences, once and in order, over resumes too.

        The first call of this or of `events` also gets what has happened since the table was joined (the
        last 300 steps). The iteration ends with the table; it raises Unseated when another connection
        took the seat.
        """
        return self._frames.open()

    def events(self) -> Flat[Frame, Event]:
        """As `frames`, event by event."""
        return Flat(self._frames.open(), lambda frame: frame.events)

    async def decisions(self) -> AsyncIterator[Request]:
        """Every request that is asked of this seat, once each, while it is open.

        Raises Unseated when the seat is lost.
        """
        seen: set[str] = set()
        while True:
            waiting = [r for r in self.requests if r.id not in seen]
            if waiting:
                seen.add(waiting[0].id)
                yield waiting[0]
            elif self.ended:
                if self.error is not None:
                    raise self.error
                return
            elif self.stood:
                raise Unseated(self.id, "left")
            else:
                await self._bell.wait()

    async def play(self, choose: Choose) -> Event:
        """Answer every request with what `choose` says until the match ends; returns `match_ended`.

        A request that was overtaken (a window closed meanwhile) is passed over. Raises Unseated when the
        seat is lost.
        """
        seen: set[str] = set()
        while self.result is None:
            waiting = [r for r in self.requests if r.id not in seen]
            if not waiting:
                if self.ended or self.stood:
                    raise self.error or Unseated(self.id, "left")
                await self._bell.wait()
                continue
            seen.add(waiting[0].id)
            action = choose(waiting[0])
            chosen = await action if inspect.isawaitable(action) else action
            try:
                await waiting[0].act(chosen)
            except StateError as error:
                if error.code not in ("stale_request", "claim_closed", "match_over"):
                    raise
        return self.result

    async def changed(self) -> None:
        """Until the next frame, answer or end."""
        await self._bell.wait()

    # -- what may be done --------------------------------------------------------------------------
    async def act(self, action: Action, request: str | None = None) -> Ok:
        """Answer a request: the one named, else the open one whose kind fits the action's type.

        Repeated by itself after a lost connection; a request is answered once all the same.
        """
        wanted = request or self._fitting(action)
        ok = await self._ask(Act(table=self.id, request=wanted, action=action))
        if ok.held:
            for open_request in self._requests:
                if open_request.id == wanted:
                    open_request.held = action
        else:
            self._answered.add(wanted)
        self._bell.ring()
        return ok

    async def withdraw(self, request: str | None = None) -> Ok:
        """Take back a held turn."""
        wanted = request or self._turn()
        ok = await self._ask(Withdraw(table=self.id, request=wanted))
        for open_request in self._requests:
            if open_request.id == wanted:
                open_request.held = None
        return ok

    async def legal(self, tiles: list[str], request: str | None = None) -> list[Action]:
        """Every legal action with exactly these pieces. Raises IllegalAction naming the rule."""
        ok = await self._ask(
            Legal(table=self.id, request=request or self._turn(), tiles=list(tiles))
        )
        return ok.legal or []

    async def standing(self, orders: Mapping[str, Any], until: Until = "round") -> Ok:
        """Standing orders for claim windows; an empty mapping takes them back."""
        return await self._ask(Standing(table=self.id, orders=dict(orders), until=until))

    async def ask(self, what: Topic) -> Ok:
        """A question about what is visible: `data`, and `say` where sentences are wanted."""
        return await self._ask(Ask(table=self.id, what=what))

    async def chat(self, text: str) -> Ok:
        """Say a line to everyone at the table."""
        return await self._ask(Chat(table=self.id, text=text, key=self.client.key()))

    async def ready(self, ready: bool = True) -> Ok:
        """Ready to start, or no longer."""
        return await self._ask(Ready(table=self.id, ready=ready))

    async def start(self) -> Ok:
        """Start a full table at once (its host only)."""
        return await self._ask(Start(table=self.id))

    async def rematch(self) -> Ok:
        """Ask for another match; it starts when every player has."""
        self.result = None
        return await self._ask(Rematch(table=self.id))

    async def add_bot(self, seat: int | None = None, level: str = "steady") -> Ok:
        """Seat a bot (the host only)."""
        return await self._ask(AddBot(table=self.id, seat=seat, level=level))

    async def remove_bot(self, seat: int) -> Ok:
        """Take a bot away (the host only)."""
        return await self._ask(RemoveBot(table=self.id, seat=seat))

    async def leave(self) -> None:
        """Give up the seat, or stop watching."""
        if self.seat is not None:
            await self._ask(LeaveTable(table=self.id))
        else:
            await self._ask(Unwatch(table=self.id))
        self.end()

    # -- what the client hands on -------------------------------------------------------------------
    def receive_snapshot(self, message: Snapshot) -> None:
        """The whole present."""
        frame = self.state.snapshot(message)
        name, _, number = message.stream.partition(":")
        seat = int(number) if name == "seat" else None
        self.stood = seat is None and (self.stood or self.seat is not None)
        self.seat = seat
        self._hold(self.state.requests)
        self._tell(frame)
        if frame.events and message.info.phase == "ended":
            self.result = frame.events[-1]

    def receive_update(self, message: Update) -> bool:
        """The next frame. False when frames are missing and the stream has to be asked for again."""
        frame = self.state.update(message)
        if isinstance(frame, Gap):
            return frame is not Gap.MISSING
        if message.requests is not None:
            self._hold(message.requests)
        self._tell(frame)
        return True

    def receive_requests(self, message: Requests) -> None:
        """The open requests after a resume."""
        self.state.settled()
        if message.stream == self.state.stream:
            self.state.requests = message.requests
            self._hold(message.requests)
            self._bell.ring()

    def refused(self, requests: list[RequestInfo]) -> None:
        """A refusal named the requests that stand."""
        self.state.requests = requests
        self._hold(requests)
        self._bell.ring()

    def resumed(self, top: Top | None) -> bool:
        """The connection is back. False when this stream does not go on by itself."""
        if top is None or not self.state.stream:
            return False
        self.state.resumed(top)
        return True

    def watch_message(self) -> Watch:
        """What asks for this stream again."""
        return Watch(table=self.id, detail=self.detail, stream=self.stream, invite=self.invite)

    def end(self, error: HanpanError | None = None) -> None:
        """Nothing more will come of this table."""
        if self.ended:
            return
        self.ended = True
        self.following = False
        self.error = error
        self.client.drop(self)
        self._frames.end(error)
        self._bell.ring()
        self.on_end(error)

    # -- inside --------------------------------------------------------------------------------------
    async def _ask(self, message: Any) -> Ok:
        return await self.client.request(message)

    def _turn(self) -> str:
        found = self.request("turn")
        return found.id if found else "-"

    def _fitting(self, action: Action) -> str:
        kind = action.get("type")
        for request in self.requests:
            if any(a.get("type") == kind for a in request.legal):
                return request.id
        return self._turn()

    def _hold(self, infos: list[RequestInfo]) -> None:
        now = asyncio.get_running_loop().time()
        known = {r.id: r for r in self._requests}
        self._requests = []
        for info in infos:
            request = known.get(info.request)
            if request is None or request.info != info:
                request = Request(self, info, now)
            self._requests.append(request)
        self._answered &= {info.request for info in infos}

    def _tell(self, frame: Frame) -> None:
        for event in frame.events:
            if event.type in ("match_ended", "match_voided"):
                self.result = event
            elif event.type == "match_started":
                self.result = None
        for sentence in frame.say:
            self.on_say((sentence, frame.replay))
        self._frames.put(frame)
        self.on_frame(frame)
        self._bell.ring()
