"""What every journal promises; the kinds are siblings of this file and pass one contract suite.

Only the holder of the newest fence can append, entries are numbered from 1 without a gap, and nothing
is reported as done before it would survive the death of the process. An append whose outcome is
unknown is the journal's to settle: `done` always hears a definite answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """One numbered piece of a table's log. number: from 1, without a gap."""

    number: int
    data: bytes
    snapshot: bool = False


class Publish(msgspec.Struct, frozen=True):
    """A payload that becomes visible with the batch that carries it, and not without it."""

    channel: str
    payload: bytes


class Batch(msgspec.Struct, frozen=True):
    """What is committed as one: entries and what they publish.

    Raises ValueError without an entry, or for numbers that are not contiguous.
    """

    table: str
    fence: int
    entries: list[Entry]
    publishes: list[Publish] = []

    def __post_init__(self) -> None:
        if len(self.entries) == 1:
            return
        numbers = [entry.number for entry in self.entries]
        if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise ValueError(f"a batch of {self.table} with the numbers {numbers}")


class Own(msgspec.Struct, frozen=True):
    """Who owns a table. holder: a node's id, empty if free. number: the last committed one, 0 for none."""

    holder: str
    fence: int
    number: int


class JournalError(Exception):
    """An append or another call that had no effect; the message says why."""


class Fenced(JournalError):
    """Another holder took the table (or it was dropped): stop, emit nothing."""


class LeaseLost(Fenced):
    """It is not known whether the batch was done, and no longer asked: stop, as when fenced. Whoever
    takes the table next reads what was done."""


class Conflict(JournalError):
    """The fence holds, but the number does not follow, or it holds other bytes: reload the tail."""


class Unavailable(JournalError):
    """The disk is full, the database locked or Redis away: nothing of the batch was done."""


class Exists(JournalError):
    """A table of this name is there already."""


Done = Callable[[JournalError | None], None]


class Journal(ABC):
    """The log and the ownership of every live table."""

    @abstractmethod
    async def start(self) -> None:
        """Open it. Raises JournalError with a sentence for an operator."""

    @abstractmethod
    async def stop(self) -> None:
        """Commit what was appended, answer it, and close."""

    @abstractmethod
    def append(self, batch: Batch, done: Done) -> None:
        """Commit the batch; never blocks. Called on the event loop.

        done is called on the loop, in the order of the appends of a table, with None once the batch is
        durable (or was already: a byte-equal repeat), or with what kept it from being done. A batch
        behind a refused one of the same table is refused as well. Batches gathered while a commit runs
        go in the next one together.
        """

    @abstractmethod
    async def create(self, table: str, holder: str) -> Own:
        """A new table with fence 1 and number 0. Raises Exists."""

    @abstractmethod
    async def tables(self) -> list[tuple[str, Own]]:
        """Every live table, by name."""

    @abstractmethod
    async def take(self, table: str, holder: str, expected: Own) -> Own | None:
        """Own the table under the next fence, if its holder and fence are still the expected ones.

        None when somebody else was faster, the table is gone, or (Redis) its holder still lives.
        """

    @abstractmethod
    async def release(self, table: str, fence: int) -> None:
        """Hand the table over: it is free, and at once to be taken. Raises Fenced."""

    @abstractmethod
    async def tail(self, table: str) -> list[Entry]:
        """The last snapshot and everything after it; everything if there is none."""

    @abstractmethod
    async def entries(self, table: str, start: int = 1) -> list[Entry]:
        """The entries from number start on."""

    @abstractmethod
    async def drop(self, table: str, fence: int | None = None) -> None:
        """Forget a table whose result is stored; a table that is not there is no error.

        fence: only if it is held under this one. Raises Fenced.
        """

    @abstractmethod
    async def hold(self, node: str) -> None:
        """Begin to hold this node's lease, until `stop`."""

    @abstractmethod
    async def alive(self, node: str) -> bool:
        """Whether the node holds its lease."""

    def held(self, node: str) -> bool:
        """Whether this process's lease cannot have run out; always, where there is but one process."""
        return True
