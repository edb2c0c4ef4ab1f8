"""One world of three processes around one Redis."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from server.bus import redis as bus_redis
from server.bus.redis import RedisBus
from server.journal import redis as journal_redis
from server.journal import redis_append
from server.journal.base import Batch, Done, JournalError
from server.journal.redis import RedisJournal
from server.runtime.cluster import link
from server.runtime.cluster.cluster import Cluster
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.runtime.wall import Wall
from server.transport.base import Socket
from tests.simulation import world as one
from tests.simulation.journal import Commit, Disk
from tests.simulation.network import Network
from tests.simulation.nodes.loop import ProcessLife, ProcessLoop
from tests.simulation.nodes.plan import Plan
from tests.simulation.nodes.redis import SimRedis
from tests.simulation.nodes.wires import OUTSIDE
from tests.simulation.witness import Witness
from tests.simulation.world import EPOCH_MS, GAMES, FakeStore, World

if TYPE_CHECKING:
    from server.store.store import Store
    from tests.simulation.players import Person

NODES = 3
LEASE_MS = 2_000
SETTLE_MS = 100
EXPECTED = ("commit_failed",)
"""Errors in the log that are no fault of ours."""

SETTINGS = one.SETTINGS.__class__(
    joins_per_minute=100_000,
    chat=100_000,
    connections=12,
    away_after_ms=2_000,
    heartbeat_ms=6_000,
    drain_ms=400,
    empty_table_ms=600_000,
    lease_ms=LEASE_MS,
    settle_ms=SETTLE_MS,
)


class NodeJournal(RedisJournal):
    """The journal as it is; when each of its commits was handed on and answered is written down."""

    def __init__(self, url: str, disk: Disk) -> None:
        super().__init__(url, checked=False, lease_ms=LEASE_MS)
        self._disk = disk

    def append(self, batch: Batch, done: Done) -> None:
        began = self._disk.loop.time()

        def noted(error: JournalError | None) -> None:
            if error is None:
                first, last = batch.entries[0].number, batch.entries[-1].number
                durable = self._disk.durable_at[batch.table][last - 1]
                now = self._disk.loop.time()
                self._disk.commits.append(Commit(batch.table, first, last, began, durable, now))
            done(error)

        super().append(batch, noted)


class Node:
    """A process: a hub among others, alive until it is killed or leaves."""

    def __init__(self, world: NodesWorld, number: int) -> None:
        self._world = world
        self.name = f"n{number}"
        self.up = False
        self.leaving = False
        self.life = ProcessLife(self.name, self._died)
        self.line = world.redis.line(self.name)
        world.loop.call_soon(self._begin, context=self.life.context)

    def _begin(self) -> None:
        world = self._world
        wall = Wall(lambda: world.loop.time() * 1000.0, EPOCH_MS + world.loop.time() * 1000.0)
        url = f"redis://{self.name}:1/0"
        journal = NodeJournal(url, world.disk)
        store = cast("Store", world.store)
        self.hub = Hub(SETTINGS, GAMES, journal, RedisBus(url), store, SETTLE_MS, wall)
        self.hub.cluster = Cluster(self.hub)
        world.loop.create_task(self._boot())

    async def _boot(self) -> None:
        try:
            await self.hub.start()
        except Exception as error:
            # Without Redis a process does not start; whoever watches it starts another one.
            self._world.witness.said(self.name, error)
            self.life.end()
            return
        self.up = True

    @property
    def runs(self) -> bool:
        """Whether it is up and does something."""
        return self.up and self.life.alive and not self.life.stopped

    def accept(self, socket: Socket) -> None:
        """A connection came in."""
        self.hub.connected(socket)

    def _died(self) -> None:
        self.up = False
        self._world.died(self)

    def leave(self) -> None:
        """End in good order, as on SIGTERM."""
        if self.up and not self.leaving:
            self.leaving = True
            self._world.loop.call_soon(
                lambda: self._world.loop.create_task(self._leave()), context=self.life.context
            )

    async def _leave(self) -> None:
        await self.hub.drain()
        await self.hub.stop()
        self._world.left(self)
        self.life.end()


class NodesWorld(World):
    """Everything of one seed. met: the tables that people meet at; people: all of them. last: no process
    follows one that ends any more; leftovers: what such ones left running."""

    def __init__(self, seed: int, plan: Plan) -> None:
        # What the world of one process offers to people and judges is here too, made of other parts.
        self.seed = seed
        self.plan: Plan = plan  # type: ignore[assignment]  # more than the other one
        self.loop: ProcessLoop = ProcessLoop()
        self.redis = SimRedis(self.loop, random.Random(f"redis:{seed}"))
        self.disk = self.redis.disk
        self.witness = Witness(self.loop)
        self.network = Network(self.loop, random.Random(f"network:{seed}"), self.witness)
        self.network.server = self._dialled
        self.store = FakeStore(random.Random(f"store:{seed}"))
        self.chance = random.Random(f"world:{seed}")
        self.members: list[Node] = []
        self.quiet_since: float | None = None
        self.logs = []
        self.met: list[str] = []
        self.people: list[Person] = []
        self.last = False
        self.leftovers: list[str] = []
        self._down_s = random.Random(f"down:{seed}")
        self._dials = random.Random(f"dials:{seed}")
        for _ in range(NODES):
            self.start_node()

    # -- processes --------------------------------------------------------------------------------------
    def start_node(self) -> None:
        """A process begins."""
        if not self.last:
            self.members.append(Node(self, len(self.members)))

    def alive(self) -> list[Node]:
        """The processes that have not ended, stopped ones too."""
        return [node for node in self.members if node.life.alive]

    def died(self, node: Node) -> None:  # type: ignore[override]  # another kind of process
        """A process is gone: its lines break, another one starts in a while."""
        self.network.cut(server=node)  # type: ignore[arg-type]  # its life is of another kind
        node.line.end()
        pause = self._down_s.choice([0.02, 0.3, 2.0])
        self.loop.call_later(pause, self.start_node, context=OUTSIDE)

    def left(self, node: Node) -> None:
        """A process ended in good order: nothing of it may be left running."""
        this = asyncio.current_task(self.loop)
        left = [task for task in node.life.running() if task is not this]
        self.leftovers += [f"{node.name} left {task!r}" for task in left]
        if node.line.wires:
            self.leftovers.append(f"{node.name} left connections to Redis")

    def _dialled(self, who: str) -> Any:
        up = [node for node in self.alive() if node.up]
        return self._dials.choice(up) if up else None

    def hosts(self) -> list[Host]:
        """Each table at its owner, where that is up and does something."""
        found = []
        for node in self.alive():
            if node.runs:
                for host in node.hub.directory.hosts.values():
                    own = self.disk.own.get(host.id)
                    if own is not None and (own.holder, own.fence) == (
                        node.hub.node,
                        host.own.fence,
                    ):
                        found.append(host)
        return found

    def ended(self) -> bool:
        """Whether every match that people met for is over."""
        phases = {host.id: host.table.state.phase for host in self.hosts()}
        return all(phases.get(table) == "ended" for table in self.met)

    def errors(self) -> list[str]:
        """What a process logged as an error, and what nobody caught."""
        return [one for one in super().errors() if not one.startswith(EXPECTED)]


@contextmanager
def staged(world: NodesWorld) -> Iterator[None]:
    """As for one process; and Redis is the simulated one, and all chance is of the seed."""
    redis = world.redis
    places: list[tuple[Any, str, Any]] = [
        (journal_redis, "client", redis.client),
        (redis_append, "connect", redis.connect),
        (bus_redis, "connect", redis.connect),
        (link, "time", SimpleNamespace(time_ns=lambda: int(world.loop.time() * 1e9))),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    chance = random.getstate()
    random.seed(f"global:{world.seed}")
    for owner, name, value in places:
        setattr(owner, name, value)
    try:
        with one.staged(world):
            yield
    finally:
        random.setstate(chance)
        for owner, name, value in before:
            setattr(owner, name, value)
