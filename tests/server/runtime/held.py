"""A journal whose commits end when a test says so, and sockets that remember what they were sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import msgspec

from server.core.table import Table
from server.journal.base import Batch, Done, Journal, JournalError, Own
from server.runtime.host import Host
from server.runtime.hub import Hub
from server.runtime.sentences import Sentences
from server.runtime.session import Session
from server.runtime.wall import Wall
from server.store.models import Player
from server.transport.base import Message


class Held:
    """Appends wait here. batches: those that are under way, the oldest first."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self._done: list[Done] = []

    def append(self, batch: Batch, done: Done) -> None:
        """Take a batch."""
        self.batches.append(batch)
        self._done.append(done)

    def end(self, error: JournalError | None = None) -> None:
        """The oldest commit ends."""
        self.batches.pop(0)
        self._done.pop(0)(error)


def host_of(table: Table, journal: Held, wall: Wall) -> Host:
    """The table's host on a held journal."""
    return Host(table, Own("n1", 1, 0), cast("Journal", journal), wall, Sentences())


async def turns(number: int = 3) -> None:
    """Let the loop turn."""
    for _ in range(number):
        await asyncio.sleep(0)


class Line:
    """A socket that remembers."""

    def __init__(self) -> None:
        self.is_open = True
        self.unsent = 0
        self.got: list[dict[str, Any]] = []

    def send(self, message: Message, bulk: bool = False) -> None:
        """Remember it."""
        self.got.append(msgspec.json.decode(message.payload))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """What came of this type."""
        return [message for message in self.got if message["type"] == kind]


def session(hub: Hub, player: str) -> tuple[Session, Line]:
    """An identified session and its socket."""
    line = Line()
    made = Session(hub, line)
    made.player = Player(player, player, True, 0, "en")
    return made, line


async def until(done: Callable[[], bool]) -> None:
    """Until something is so."""
    async with asyncio.timeout(5):
        while not done():  # noqa: ASYNC110  # of what other tasks do
            await asyncio.sleep(0.005)
