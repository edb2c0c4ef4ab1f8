"""One world: a disk, a network, a process that may die at any moment, and people who play."""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, cast

import structlog

from engines.kit.registry import AnyGame, load
from hanpan.client import Client
from server.bus.memory import MemoryBus
from server.journal.base import JournalError
from server.runtime import ids
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.runtime.wall import Wall
from server.settings import Settings
from server.store.models import Match, Player, StoreUnavailable
from server.store.store import Store
from server.transport.base import Socket
from tests.simulation.journal import Disk, SimJournal
from tests.simulation.loop import Life, Loop
from tests.simulation.network import Network
from tests.simulation.plan import Plan
from tests.simulation.witness import Witness

EPOCH_MS = 1_700_000_000_000
"""The wall time when the loop's clock stood at nought."""

GAMES: dict[str, AnyGame] = load()

SETTINGS = Settings(
    joins_per_minute=100_000,
    chat=100_000,
    connections=5,
    away_after_ms=2_000,
    heartbeat_ms=6_000,
    drain_ms=400,
    empty_table_ms=600_000,
)


class FakeStore:
    """Who has which token, and what was stored. away: every call fails."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.players: dict[str, Player] = {}
        self.finished: list[tuple[Match, bytes]] = []
        self.away = False

    async def start(self) -> None:
        """Always open."""

    async def stop(self) -> None:
        """Always open."""

    async def _call(self) -> None:
        await asyncio.sleep(self._chance.uniform(0.0002, 0.004))
        if self.away:
            raise StoreUnavailable("the database is away")

    async def identify(self, token: str) -> Player | None:
        """The player whose token it is."""
        await self._call()
        return self.players.get(token)

    async def revoked(self, since: int) -> list[str]:
        """Nobody's token ends here."""
        await self._call()
        return []

    async def finish(self, match: Match, record: bytes) -> bool:
        """Store a match once."""
        await self._call()
        if any(match.id == old.id for old, _ in self.finished):
            return False
        self.finished.append((match, record))
        return True


class Node:
    """A process: a hub with a journal of its own, alive until it is killed or stopped."""

    def __init__(self, world: World, number: int) -> None:
        self._world = world
        self.number = number
        self.up = False
        self.life = Life(f"node {number}", self._died)
        self.kill_at_sync = False
        world.loop.call_soon(self._begin, context=self.life.context)

    def _begin(self) -> None:
        world = self._world
        wall = Wall(lambda: world.loop.time() * 1000.0, EPOCH_MS + world.loop.time() * 1000.0)
        self.journal = SimJournal(world.disk, self._synced)
        store = cast("Store", world.store)
        self.hub = Hub(SETTINGS, GAMES, self.journal, MemoryBus(), store, wall=wall)
        self._task = world.loop.create_task(self._boot())

    async def _boot(self) -> None:
        try:
            await self.hub.start()
        except JournalError:
            # A process that cannot read its journal ends, and is started again.
            self.life.end()
            return
        self.up = True

    def accept(self, socket: Socket) -> None:
        """A connection came in."""
        self.hub.connected(socket)

    def _synced(self) -> None:
        if self.kill_at_sync:
            self.life.end()

    def _died(self) -> None:
        self.up = False
        self._world.died(self)

    async def leave(self) -> None:
        """End in good order, as on SIGTERM."""
        await self.hub.drain()
        await self.hub.stop()
        self.life.end()


class World:
    """Everything of one seed."""

    def __init__(self, seed: int, plan: Plan) -> None:
        self.seed = seed
        self.plan = plan
        self.loop = Loop()
        self.disk = Disk(self.loop, random.Random(f"disk:{seed}"))
        self.witness = Witness(self.loop)
        self.network = Network(self.loop, random.Random(f"network:{seed}"), self.witness)
        self.network.server = lambda who: self.node if self.node.up else None
        self.store = FakeStore(random.Random(f"store:{seed}"))
        self.chance = random.Random(f"world:{seed}")
        self.nodes: list[Node] = []
        self.quiet_since: float | None = None
        self.logs: list[MutableMapping[str, Any]] = []
        self._down_s = random.Random(f"down:{seed}")
        self.start_node()

    @property
    def quiet(self) -> bool:
        """Whether the faults are over."""
        return self.quiet_since is not None

    # -- processes --------------------------------------------------------------------------------------
    @property
    def node(self) -> Node:
        """The newest process."""
        return self.nodes[-1]

    def start_node(self) -> None:
        """A process begins."""
        self.nodes.append(Node(self, len(self.nodes)))

    def died(self, node: Node) -> None:
        """A process is gone: its lines break, another one starts in a while."""
        self.network.cut(server=node)
        pause = self._down_s.choice([0.02, 0.3, 2.0])
        self.loop.call_later(pause, self.start_node, context=OUTSIDE)

    def hosts(self) -> list[Host]:
        """The tables of the process that is up."""
        return list(self.node.hub.directory.hosts.values()) if self.node.up else []

    def ended(self) -> bool:
        """Whether every match is over; who made a table and did not hear of it left another, empty."""
        phases = {host.table.state.phase for host in self.hosts()}
        return "ended" in phases and "running" not in phases

    def at_rest(self) -> bool:
        """Whether everything is committed and shown at this moment."""
        hosts = self.hosts()
        return bool(hosts) and all(host.idle and not host.frozen for host in hosts)

    def now_ms(self) -> int:
        """The wall time."""
        return int(EPOCH_MS + self.loop.time() * 1000.0)

    def at_ms(self, seconds: float) -> float:
        """A time of the loop as wall time."""
        return EPOCH_MS + seconds * 1000.0

    # -- running ----------------------------------------------------------------------------------------
    def errors(self) -> list[str]:
        """What the server logged as an error, and what nobody caught."""
        return list(self.loop.failures) + [
            f"{line['event']}: {line.get('trace') or line}"
            for line in self.logs
            if line["log_level"] in ("error", "critical")
            and line["event"] not in ("commit_failed",)
        ]


def _outside() -> Any:
    import contextvars

    return contextvars.Context()


OUTSIDE = _outside()


class _Loud(logging.Handler):
    """Collects what the standard library's loggers call an error."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self._found.append(f"{record.name}: {record.getMessage()} {trace}")


def _with_trace(_: Any, __: str, event: Any) -> Any:
    if event.get("exc_info"):
        event["trace"] = traceback.format_exc() if sys.exc_info()[0] else repr(event["exc_info"])
    return event


@contextmanager
def staged(world: World) -> Iterator[None]:
    """Ids, secrets and keys come from the seed, and logs are collected, while a world runs."""
    chance = random.Random(f"ids:{world.seed}")
    before = ids.new_id, ids.invite, ids.seed, Client.key

    def name(prefix: str) -> str:
        return f"{prefix}_{chance.getrandbits(48):012x}"

    loud = _Loud(world.loop.failures)
    ids.new_id = name
    ids.invite = lambda: f"{chance.randrange(100_000_000):08d}"
    ids.seed = lambda: f"{chance.getrandbits(256):064x}"
    Client.key = staticmethod(lambda: name("k"))  # type: ignore[method-assign]
    logging.getLogger().addHandler(loud)
    try:
        with structlog.testing.capture_logs([_with_trace]) as world.logs:
            yield
    finally:
        logging.getLogger().removeHandler(loud)
        ids.new_id, ids.invite, ids.seed = before[:3]
        # A function found on a class is no longer static: it must be made so again.
        Client.key = staticmethod(before[3])  # type: ignore[method-assign]
