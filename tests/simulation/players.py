"""People at SDK clients: they answer at random, late or never, twice, go away and come back."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING, Any

from hanpan import Backoff, Client, Request, Table
from hanpan.address import Address
from hanpan.errors import (
    Disconnected,
    HanpanError,
    LimitError,
    ServerError,
    StateError,
    Unseated,
)
from hanpan.requests import Action
from hanpan.state import Frame
from server.store.models import Player
from tests.simulation.network import Link

if TYPE_CHECKING:
    from tests.simulation.world import World

PATIENT_S, MANY = 30.0, 60
"""When somebody leaves a long match after the faults: after so much time and so many requests."""
ADDRESS = Address.of("http://simulated")


class Person:
    """Somebody with a token. table: where he plays, once he found it."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.name = f"Player {'ABCDEFGH'[number]}"
        self.id = f"p_{number}"
        self.token = f"token{number}"
        self.chance = random.Random(f"person:{world.seed}:{number}")
        world.store.players[self.token] = Player(self.id, self.name, True, 0)
        self.detail = self.chance.choice(["view", "view", "events"])
        self.want = ["say"] if self.chance.random() < 0.1 else []
        self.client: Client | None = None
        self.table: Table | None = None
        self.done = False
        self.folder: Folder | None = None
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._moods: asyncio.Task[None] | None = None

    # -- being there -----------------------------------------------------------------------------------
    async def live(self, meeting: Meeting) -> None:
        """Come back to the table until the match is over."""
        while not self.done:
            try:
                await self._connect()
                await self._sit(meeting)
                await self._play()
            except HanpanError as error:
                self.world.witness.said(self.id, error)
                await asyncio.sleep(self.chance.uniform(0.1, 0.6))
            finally:
                self._stop_thinking()
                if not self.done and self.client is not None:
                    await self.client.close()

    async def _connect(self) -> None:
        self.client = Client(self.token, want=self.want)  # type: ignore[arg-type]
        backoff = Backoff(0.1, 1.0, random.Random(self.chance.getrandbits(32)))
        while True:
            try:
                dial = self.world.network.dial(self.id)
                await self.client.open(ADDRESS, dial, backoff, patience_s=None)
                return
            except (Disconnected, ServerError):
                await asyncio.sleep(self.chance.uniform(0.05, 0.4))

    async def _sit(self, meeting: Meeting) -> None:
        assert self.client is not None
        table, invite = await meeting.found(self)
        if any(seat.table == table for seat in self.client.seated):
            self.table = await self.client.watch(table, detail=self.detail, invite=invite)  # type: ignore[arg-type]
        else:
            self.table = await self.client.join(table, invite=invite, detail=self.detail)  # type: ignore[arg-type]
        self.folder = Folder(self)

    # -- playing ---------------------------------------------------------------------------------------
    async def _play(self) -> None:
        table = self.table
        assert table is not None
        if table.info is not None and table.info.phase == "waiting":
            with contextlib.suppress(StateError):
                await table.ready()
        self._moods = asyncio.create_task(self._mood(table))
        while table.result is None and not table.ended:
            if table.info is not None and table.info.phase == "ended":
                break
            if table.seat is None:
                raise Unseated(
                    table.id, "left"
                )  # away for too long before the start: sit down again
            for request in table.requests:
                if request.id not in self._thinking:
                    self._think(request)
            await table.changed()
        if table.error is not None and not self.done:
            raise table.error
        self.done = True

    def _think(self, request: Request) -> None:
        self._thinking[request.id] = asyncio.create_task(self._bear(request))

    async def _bear(self, request: Request) -> None:
        # Not given the coroutine: of a task that is cancelled before it began nobody would await that.
        with contextlib.suppress(StateError, LimitError, Disconnected):
            await self._decide(request)

    async def _decide(self, request: Request) -> None:
        chance, world = self.chance, self.world
        if not world.quiet and chance.random() < 0.04:
            return  # silence: time decides, or a later mood
        await asyncio.sleep(self._pause(request))
        if request.kind == "claim":
            await self._claim(request)
        else:
            await self._turn(request)

    def _pause(self, request: Request) -> float:
        patience = 0.02 if self.world.quiet else self.world.plan.patience
        return self.chance.expovariate(1 / patience) if self.chance.random() < 0.8 else 0.0

    async def _claim(self, request: Request) -> None:
        chance = self.chance
        claims = [action for action in request.playable if action.get("type") != "decline"]
        if request.can and claims and chance.random() < 0.7:
            action = chance.choice(claims)
        elif chance.random() < 0.08 and not self.world.quiet:
            action = chance.choice(request.legal)  # whatever it holds
        elif chance.random() < 0.3 and not self.world.quiet:
            return  # silence
        else:
            action = request.default
        if chance.random() < 0.35:
            self._aim()
        await self._send(request, action)

    async def _turn(self, request: Request) -> None:
        chance, quiet = self.chance, self.world.quiet
        action = self._choice(request)
        if not quiet and chance.random() < 0.05:
            with contextlib.suppress(StateError):
                await request.act(
                    {**action, "type": action.get("type", "pass")} | self._spoiled(action)
                )
        if chance.random() < 0.15:
            self._aim()
        ok = await self._send(request, action)
        if ok and not quiet and chance.random() < 0.4:
            await asyncio.sleep(chance.uniform(0.0, 0.3))
            if chance.random() < 0.5:
                await request.withdraw()
                await asyncio.sleep(chance.uniform(0.0, 0.2))
            await self._send(request, self._choice(request))

    def _choice(self, request: Request) -> Action:
        bids = any(action.get("type") == "bid" for action in request.legal)
        if bids and self.chance.random() < 0.8:
            return request.default  # who always bids never gets to the end
        return self.chance.choice(request.playable or request.legal or [request.default])

    def _spoiled(self, action: Action) -> dict[str, Any]:
        for field in ("tiles", "cards"):
            if action.get(field):
                return {field: [*action[field], action[field][0]]}
        return {}

    async def _send(self, request: Request, action: Action) -> bool:
        """Answer, sometimes twice at once; until there is an answer. Whether the turn is held."""
        chance = self.chance
        while True:
            try:
                if chance.random() < 0.1:
                    calls = [request.act(action), request.act(action)]
                    oks = await asyncio.gather(*calls, return_exceptions=True)
                    for ok in oks:
                        if isinstance(ok, BaseException):
                            raise ok
                    return bool(oks[0].held)  # type: ignore[union-attr]
                return bool((await request.act(action)).held)
            except ServerError:
                await asyncio.sleep(chance.uniform(0.1, 0.5))

    def _aim(self) -> None:
        """Let the next frame be read at the very end of the window, or just before or after it."""
        link = self._link()
        host = next((h for h in self.world.hosts() if self.table and h.id == self.table.id), None)
        if link is None or host is None or host.table.state.window is None:
            return
        window = host.table.state.window
        off = self.chance.choice([-2, -1, 0, 0, 0, 1])
        at = (window.until + off + self.chance.uniform(0.05, 0.9) - self.world.at_ms(0)) / 1000
        if 0 < at - self.world.loop.time() < 4:
            link.aim = at

    def _link(self) -> Link | None:
        mine = [link for link in self.world.network.links if link.who == self.id]
        return mine[-1] if mine else None

    # -- moods -----------------------------------------------------------------------------------------
    async def _mood(self, table: Table) -> None:
        """Now and then something else than an answer."""
        chance, world = self.chance, self.world
        if chance.random() < 0.4:
            with contextlib.suppress(HanpanError):
                await self._do("orders", table)
        while True:
            await asyncio.sleep(chance.expovariate(1 / 4.0))
            if world.quiet_since is not None:
                if world.loop.time() - world.quiet_since > PATIENT_S and len(self._thinking) > MANY:
                    await self._leave(table)
                    return
                for request in table.requests:  # what was passed over is answered in the end
                    task = self._thinking.get(request.id)
                    if task is None or task.done():
                        self._think(request)
                continue
            kind = chance.choice(["orders", "ask", "drop", "again", "chat", "cancel", "second"])
            with contextlib.suppress(HanpanError):
                await self._do(kind, table)

    async def _leave(self, table: Table) -> None:
        """Give up the seat: bots play a long match to its end."""
        with contextlib.suppress(HanpanError):
            await table.leave()
            self.done = True

    async def _do(self, kind: str, table: Table) -> None:
        chance = self.chance
        if kind == "orders":
            await table.standing(self._orders(), until=chance.choice(["round", "match"]))
        elif kind == "ask":
            await table.ask(chance.choice(["hand", "turn", "score"]))
        elif kind == "chat":
            await table.chat("a line")
        elif kind == "drop" and self.client is not None and chance.random() < 0.5:
            self.client.drop_connection()
        elif kind == "again":
            for request in table.requests:
                task = self._thinking.get(request.id)
                if task is None or task.done():
                    self._think(request)
        elif kind == "cancel":
            self.cancel()
        elif kind == "second" and chance.random() < 0.2:
            await self._second(table)

    async def _second(self, table: Table) -> None:
        """The seat is taken over by another connection of the same player, for a while."""
        other = Client(self.token)
        dial = self.world.network.dial(self.id)
        try:
            await other.open(ADDRESS, dial, Backoff(0.1, 1.0, random.Random(1)), patience_s=None)
            await other.watch(table.id)
            await asyncio.sleep(self.chance.uniform(0.0, 1.0))
        finally:
            await other.close()

    def cancel(self) -> None:
        """Give up waiting, wherever that is, and answer anew."""
        for name, task in list(self._thinking.items()):
            if not task.done() and self.chance.random() < 0.7:
                task.cancel()
                del self._thinking[name]

    def _orders(self) -> dict[str, Any]:
        """Mostly such as claim: what they lead to is seldom, for few seats hold what they ask for."""
        claims = {"peeper": ("mine", "all"), "chamsaejak": ("ron", "auto")}
        if self.world.plan.game not in claims:
            return {}
        kind, how = claims[self.world.plan.game]
        orders: list[dict[str, Any]] = [{}, {"decline": [kind]}, *[{kind: how}] * 4]
        return self.chance.choice(orders)

    def _stop_thinking(self) -> None:
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()
        if self._moods is not None:
            self._moods.cancel()


class Meeting:
    """Where the people of a world find their table: the first of them makes it."""

    def __init__(self) -> None:
        self._made: asyncio.Future[tuple[str, str | None]] | None = None
        self._maker: Person | None = None

    async def found(self, person: Person) -> tuple[str, str | None]:
        """The table's id and invite."""
        world = person.world
        if self._made is None:
            self._made = world.loop.create_future()
            self._maker = person
        if self._maker is person and not self._made.done():
            assert person.client is not None
            plan = world.plan
            while True:
                try:
                    made = await person.client.create_table(plan.game, plan.seats, **plan.fields)
                    break
                except ServerError:
                    await asyncio.sleep(0.3)
            self._made.set_result(made)
        return await asyncio.shield(self._made)


class Folder:
    """Checks a client's stream as it comes: contiguous, and a view that events lead to."""

    def __init__(self, person: Person) -> None:
        self._person = person
        assert person.table is not None
        self._table = person.table
        self._seq = self._table.state.seq
        self._table.on_frame.add(self._frame)

    def _frame(self, frame: Frame) -> None:
        jumped = any(event.type == "snapshot" for event in frame.events)
        if not jumped and frame.seq not in (self._seq, self._seq + 1):
            self._person.world.witness.wrong(
                "a client's stream is not contiguous",
                who=self._person.id,
                before=self._seq,
                seq=frame.seq,
            )
        self._seq = frame.seq
