"""Processes in one process: a network that loses, doubles and shuffles, and the least of a hub."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from protocol.client import Identify
from protocol.server import SeatInfo, TableInfo
from server.bus.base import Bus, Listener
from server.bus.listeners import Listeners
from server.journal.base import Own
from server.runtime.connection import Connection
from server.runtime.hub import Hub
from server.settings import Settings
from server.store.models import Player
from server.transport.base import Message


class Network:
    """What is published lies here until `run`. lose, double: how likely; shuffle: in any order."""

    def __init__(self, seed: int = 1) -> None:
        self.buses: list[NetworkBus] = []
        self.waiting: list[tuple[str, bytes]] = []
        self.chance = random.Random(seed)
        self.lose = 0.0
        self.double = 0.0
        self.shuffle = False

    def bus(self) -> NetworkBus:
        """Another process's bus."""
        bus = NetworkBus(self)
        self.buses.append(bus)
        return bus

    async def run(self) -> None:
        """Deliver until nothing is on its way."""
        await asyncio.sleep(0)
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            if self.shuffle:
                self.chance.shuffle(waiting)
            for channel, payload in waiting:
                times = 0 if self.chance.random() < self.lose else 1
                times += self.chance.random() < self.double
                for _ in range(times):
                    for bus in self.buses:
                        bus.listeners.deliver(channel, payload)
            await asyncio.sleep(0)


class NetworkBus(Bus):
    """One process's end of the network."""

    def __init__(self, network: Network) -> None:
        self.listeners = Listeners()
        self.resets: list[Callable[[], None]] = []
        self.up = True
        self._network = network

    async def start(self) -> None:
        """It is there."""

    async def stop(self) -> None:
        """It stays."""

    def publish(self, channel: str, payload: bytes) -> None:
        if self.up:
            self._network.waiting.append((channel, payload))

    def subscribe(self, channel: str, listener: Listener) -> None:
        self.listeners.add(channel, listener)

    def unsubscribe(self, channel: str, listener: Listener) -> None:
        self.listeners.remove(channel, listener)

    async def settle(self) -> None:
        """In force at once."""

    @property
    def is_up(self) -> bool:
        return self.up

    def on_reset(self, callback: Callable[[], None]) -> None:
        self.resets.append(callback)


class FakeSocket:
    """What was sent to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_open = True
        self.unsent = 0
        self.code: int | None = None
        self.on_message: Any = None
        self.on_close: Any = None

    def send(self, message: Message, bulk: bool = False) -> None:
        """Remember it."""
        self.sent.append(message.payload)

    def close(self, code: int, reason: str = "") -> None:
        """It is closed."""
        self.is_open, self.code = False, code


class FakeDirectory:
    """The tables that are here. told: those that the lobby is to be told of."""

    def __init__(self) -> None:
        self.hosts: dict[str, Any] = {}
        self.told: list[str] = []
        self.taken: list[tuple[str, Own]] = []
        self.let_go_of: list[str] = []
        self.lobby = SimpleNamespace(note=self.told.append)

    def find(self, name: str) -> Any:
        """By id."""
        return self.hosts.get(name)

    async def take(self, name: str, own: Own) -> bool:
        """Taken."""
        self.taken.append((name, own))
        return True

    def let_go(self, host: Any) -> None:
        """Not here any more."""
        self.let_go_of.append(host.id)
        del self.hosts[host.id]


def fake_hub(network: Network, node: str, **settings: Any) -> Hub:
    """The least of a hub; `wall.ms` is its time."""
    wall = SimpleNamespace(ms=1_000_000)
    wall.now = lambda: wall.ms
    hub = SimpleNamespace(
        node=node,
        bus=network.bus(),
        wall=wall,
        settings=Settings(**settings),
        directory=FakeDirectory(),
        connections={},
        games={"peeper": None},
        draining=False,
        hello=lambda: Identify(token=""),
    )
    return cast("Hub", hub)


def connection(hub: Hub, player: str = "p_1") -> Connection:
    """An identified connection with a socket that remembers."""
    made = Connection.__new__(Connection)
    made.hub, made.socket = hub, cast("Any", FakeSocket())
    made.player = Player(player, player, True, 0, "en")
    made.locale, made.language, made.places = "en", None, {}
    hub.connections[made] = None
    return made


def sent(connection: Connection) -> list[bytes]:
    """What its socket was sent, and forget it."""
    socket = cast("Any", connection.socket)
    found, socket.sent = socket.sent, []
    return cast("list[bytes]", found)


def table_info(name: str, game: str = "peeper", player: str | None = None) -> TableInfo:
    """A table as the lobby shows it."""
    seats = [SeatInfo(seat=0, state="open" if player is None else "here", player=player)]
    return TableInfo(
        table=name,
        game=game,
        ruleset="standard",
        options={},
        speed="standard",
        seats=seats,
        phase="waiting",
        visibility="public",
        host=None,
        rated=False,
        arranged=False,
        audience=0,
        turn_ms=None,
        bank_ms=0,
        claim_ms=None,
        grace_ms=300,
        early_close=False,
        away_policy="bot",
        away_ms=60_000,
        open_record=False,
        spectate_delay_ms=0,
    )
