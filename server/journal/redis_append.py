"""Appends to Redis: a pipeline a turn of the loop, and the same calls again until all are answered.

One pipeline is under way at a time. When its connection ends, or no answer comes for `ANSWER_S`, what
it did is unknown; it is then sent again whole on a new connection. That is safe however much of the
first one was done, or is still to be done out of some buffer: each call says its number and its fence,
and a second one of the same bytes answers DONE. An error of Redis (out of memory, a broken AOF) is an
`Unavailable` only for calls that were sent once; after an unknown outcome it proves nothing, and the
calls go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable

from server.journal.base import Batch, Conflict, Done, Fenced, JournalError, LeaseLost, Unavailable
from server.journal.redis_scripts import COMMIT
from server.redis.address import Address
from server.redis.wire import Command, Reply, ReplyError, Wire, connect

ANSWER_S = 2.0
LONGEST_PAUSE_S = 0.5
LOAD: Command = ("SCRIPT", "LOAD", COMMIT)
SHA = hashlib.sha1(COMMIT.encode(), usedforsecurity=False).hexdigest()
TRANSIENT = ("LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN")
"""Errors that pass by themselves, given before anything is done."""

Keys = Callable[[str], tuple[str, str]]
Group = list[tuple[Batch, Done]]


class Appender:
    """The one writer of a process.

    keys: a table's `own` and `log`. channel: what a channel is called in Redis. give_up_s: how long an
    unknown outcome is asked for; None for as long as it takes.
    """

    def __init__(
        self, address: Address, keys: Keys, channel: Callable[[str], str], give_up_s: float | None
    ) -> None:
        self._address = address
        self._keys = keys
        self._channel = channel
        self._give_up_s = give_up_s
        self._gathered: Group = []
        self._group: Group = []
        self._sent = 0
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._wire: Wire | None = None
        self._replies: list[Reply] = []
        self._expected = 0
        self._complete: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self.latency = 0.0
        """How long the last group took, in seconds."""
        self.repeats = 0
        """How often a group was sent again."""

    async def start(self) -> None:
        """Connect. Raises OSError."""
        self._loop = asyncio.get_running_loop()
        await self._connected()
        self._task = self._loop.create_task(self._run(), name="journal appends")

    async def stop(self) -> None:
        """Wait up to `ANSWER_S` for what is under way, then give the rest up."""
        if self._task is None:
            return
        with contextlib.suppress(TimeoutError):
            await self.settled(ANSWER_S)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None
        self._drop_wire()
        self._refuse("The journal is closed.")

    async def settled(self, within: float) -> None:
        """Wait until everything appended so far is answered. Raises TimeoutError."""
        async with asyncio.timeout(within):
            await self._idle.wait()

    def append(self, batch: Batch, done: Done) -> None:
        """Called on the loop; see Journal.append."""
        self._gathered.append((batch, done))
        self._idle.clear()
        if self._task is not None:
            self._wake.set()
        elif len(self._gathered) == 1:
            asyncio.get_running_loop().call_soon(self._refuse, "The journal is closed.")

    def _refuse(self, why: str) -> None:
        group, self._group = self._group, []
        gathered, self._gathered = self._gathered, []
        unknown = LeaseLost if self._sent else Unavailable
        self._idle.set()
        for _, done in group:
            self._tell(done, unknown(why))
        for _, done in gathered:
            self._tell(done, Unavailable(why))

    def _tell(self, done: Done, error: JournalError | None) -> None:
        try:
            done(error)
        except Exception as failure:
            self._loop.call_exception_handler(
                {"message": "answering an append", "exception": failure}
            )

    async def _run(self) -> None:
        while True:
            if not self._gathered:
                self._idle.set()
            # Whatever is appended in the turn that wakes it comes along: a waiter runs in the next.
            await self._wake.wait()
            self._wake.clear()
            self._group, self._gathered = self._gathered, []
            self._sent = 0
            began = self._loop.time()
            outcomes = await self._settle([self._command(batch) for batch, _ in self._group])
            self.latency = self._loop.time() - began
            if outcomes is None:
                self._refuse("Redis does not answer.")
                continue
            group, self._group = self._group, []
            for (batch, done), reply in zip(group, outcomes, strict=True):
                self._tell(done, outcome(batch, reply))

    def _command(self, batch: Batch) -> Command:
        entries = [
            part for entry in batch.entries for part in (entry.data, "1" if entry.snapshot else "")
        ]
        publishes = [
            part for each in batch.publishes for part in (self._channel(each.channel), each.payload)
        ]
        head = ("EVALSHA", SHA, 2, *self._keys(batch.table))
        first = batch.entries[0].number
        return (*head, batch.fence, first, len(batch.entries), *entries, *publishes)

    # -- one group, until its outcome is known ----------------------------------------------------

    async def _settle(self, commands: list[Command]) -> list[Reply] | None:
        """The last answer to each command; None when it was given up."""
        until = None if self._give_up_s is None else self._loop.time() + self._give_up_s
        pause = 0.0
        while True:
            with contextlib.suppress(OSError):
                replies = await self._exchange(commands)
                errors = [str(reply) for reply in replies if isinstance(reply, ReplyError)]
                if any(error.startswith("NOSCRIPT") for error in errors):
                    # A definite answer, and what ran none the less will answer DONE: it does not
                    # count as sent. The new connection brings the script along.
                    self._sent -= 1
                elif not errors or (self._sent == 1 and not errors[0].startswith(TRANSIENT)):
                    return replies
            self._drop_wire()
            if until is not None and self._loop.time() >= until:
                return None
            await asyncio.sleep(pause)
            pause = min(2 * pause + 0.02, LONGEST_PAUSE_S)

    async def _exchange(self, commands: list[Command]) -> list[Reply]:
        wire = await self._connected()
        self._replies = []
        self._expected = len(commands)
        self._complete = self._loop.create_future()
        self.repeats += self._sent > 0
        self._sent += 1
        wire.send(commands)
        async with asyncio.timeout(ANSWER_S):
            await self._complete
        return self._replies

    async def _connected(self) -> Wire:
        if self._wire is None:
            self._wire = await connect(self._address, self._reply, self._lost, ANSWER_S, [LOAD])
        return self._wire

    def _reply(self, reply: Reply) -> None:
        self._replies.append(reply)
        complete = self._complete
        if complete is not None and len(self._replies) == self._expected and not complete.done():
            complete.set_result(None)

    def _lost(self, error: Exception | None) -> None:
        self._wire = None
        if self._complete is not None and not self._complete.done():
            self._complete.set_exception(ConnectionError(str(error or "closed")))

    def _drop_wire(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None


def outcome(batch: Batch, reply: Reply) -> JournalError | None:
    """What the script's answer says."""
    if isinstance(reply, ReplyError):
        return Unavailable(f"Redis refuses to write: {reply}.")
    word, _, rest = reply.decode().partition(" ")
    if word in ("OK", "DONE"):
        return None
    if word == "FENCED":
        return Fenced(f"{batch.table} has fence {rest}, not {batch.fence}.")
    first, last = batch.entries[0].number, batch.entries[-1].number
    return Conflict(f"{batch.table} stands at {rest}; {first} to {last} do not follow.")
