"""The journal of many processes: Redis holds the logs, the fences and the leases.

Appends have a connection of their own (`redis_append`), everything else a bounded pool. A call whose
answer was lost is repeated for `CALL_S`, which harms nothing, then Unavailable; what it did then shows
in `tables`, so a sweep also meets tables that this process holds without running them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from server.journal import redis_scripts
from server.journal.base import (
    Batch,
    Done,
    Entry,
    Exists,
    Fenced,
    Journal,
    JournalError,
    Own,
    Unavailable,
)
from server.journal.redis_append import Appender
from server.journal.redis_lease import LEASE_MS, Lease
from server.redis.address import address
from server.redis.client import again, client

T = TypeVar("T")
Fsync = Literal["always", "everysec", "no"]
CALL_S = 5.0
SLICE = 500
"""Entries read at a time."""


class RedisJournal(Journal):
    """url: see server/redis/address. prefix: of every key and channel. fsync: the server's
    `appendfsync`, named here so that nobody is surprised by it. checked: refuse a server whose
    settings lose acknowledged entries. give_up_s: how long an append of unknown outcome is asked for
    (then LeaseLost); None: until Redis answers. lease_ms: after which silence a holder is gone.
    """

    def __init__(
        self,
        url: str,
        prefix: str = "hanpan:",
        fsync: Fsync = "always",
        checked: bool = True,
        give_up_s: float | None = None,
        lease_ms: int = LEASE_MS,
    ) -> None:
        """Raises ValueError for a URL that is none."""
        self.prefix = prefix
        self._url = url
        self._address = address(url)
        self._fsync = fsync
        self._checked = checked
        self._lease_ms = lease_ms
        self.appends = Appender(self._address, self._keys, self._channel, give_up_s)
        self._redis: Redis | None = None
        self._leases: dict[str, Lease] = {}

    def _keys(self, table: str) -> tuple[str, str]:
        # One hash tag a table.
        return f"{self.prefix}{{{table}}}:own", f"{self.prefix}{{{table}}}:log"

    def _channel(self, channel: str) -> str:
        return self.prefix + channel

    def _lease(self, node: str) -> str:
        return f"{self.prefix}node:{node}"

    @property
    def _tables(self) -> str:
        return f"{self.prefix}tables"

    async def start(self) -> None:
        self._redis = client(self._url)
        try:
            if self._checked:
                await self._check(self._redis)
            await self.appends.start()
        except (RedisError, OSError) as error:
            await self._disconnect()
            raise JournalError(f"Redis at {self._address} cannot be used: {error}.") from error
        except JournalError:
            await self._disconnect()
            raise

    async def _check(self, redis: Redis) -> None:
        wanted = {"appendonly": "yes", "appendfsync": self._fsync, "maxmemory-policy": "noeviction"}
        try:
            found = await redis.config_get(*wanted)
        except ResponseError as error:
            raise JournalError(
                f"The settings of Redis at {self._address} cannot be read ({error}); allow CONFIG GET,"
                " or start with its check switched off."
            ) from error
        settings = {_text(name): _text(value) for name, value in found.items()}
        wrong = [name for name, value in wanted.items() if settings.get(name) != value]
        if wrong:
            said = ", ".join(
                f"{name} is {settings.get(name)}, not {wanted[name]}" for name in wrong
            )
            raise JournalError(
                f"Redis at {self._address} would lose acknowledged actions: {said}. Change it there,"
                " name its fsync mode here, or start with the check switched off."
            )

    async def stop(self) -> None:
        if self._redis is None:
            return
        await self.appends.stop()
        for lease in self._leases.values():
            await lease.stop()
        self._leases.clear()
        await self._disconnect()

    async def _disconnect(self) -> None:
        if self._redis is not None:
            redis, self._redis = self._redis, None
            await redis.aclose()
            await redis.connection_pool.disconnect()

    def append(self, batch: Batch, done: Done) -> None:
        self.appends.append(batch, done)

    # -- everything else ------------------------------------------------------------------------

    async def _call(self, call: Callable[[Redis, int], Awaitable[T]]) -> T:
        if self._redis is None:
            raise Unavailable("The journal is closed.")
        redis = self._redis
        try:
            return await again(lambda attempt: call(redis, attempt), CALL_S)
        except RedisError as error:
            raise Unavailable(f"Redis at {self._address} does not do it: {error}.") from error

    async def _script(self, script: str, keys: list[str], *args: str | int) -> Any:
        async def call(redis: Redis, _: int) -> Any:
            return await redis.eval(script, len(keys), *keys, *args)

        return await self._call(call)

    async def create(self, table: str, holder: str) -> Own:
        keys = [self._keys(table)[0], self._tables]

        async def call(redis: Redis, attempt: int) -> Any:
            repeat = "1" if attempt else ""
            return await redis.eval(redis_scripts.CREATE, 2, *keys, table, holder, repeat)

        if not await self._call(call):
            raise Exists(f"There is a table {table} already.")
        return Own(holder, 1, 0)

    async def tables(self) -> list[tuple[str, Own]]:
        async def call(redis: Redis, _: int) -> list[tuple[str, Own]]:
            names = sorted(_text(name) for name in await redis.smembers(self._tables))
            pipeline = redis.pipeline(transaction=False)
            for name in names:
                pipeline.hmget(self._keys(name)[0], "holder", "fence", "number")
            rows = zip(names, await pipeline.execute(), strict=True)
            # One that was dropped in between has no fence.
            return [
                (name, Own(_text(row[0]), int(row[1]), int(row[2])))
                for name, row in rows
                if row[1] is not None
            ]

        return await self._call(call)

    async def take(self, table: str, holder: str, expected: Own) -> Own | None:
        keys = [self._keys(table)[0], self._lease(expected.holder)]
        taken = await self._script(
            redis_scripts.TAKE, keys, expected.holder, expected.fence, holder
        )
        return None if taken is None else Own(holder, *taken)

    async def _settled(self) -> None:
        try:
            await self.appends.settled(CALL_S)
        except TimeoutError as error:
            raise Unavailable(f"Redis at {self._address} does not answer appends.") from error

    async def release(self, table: str, fence: int) -> None:
        await self._settled()
        if not await self._script(redis_scripts.RELEASE, [self._keys(table)[0]], fence):
            raise Fenced(f"{table} is no longer held with fence {fence}.")

    async def tail(self, table: str) -> list[Entry]:
        own, _ = self._keys(table)
        snapshot = await self._call(lambda redis, _: redis.hget(own, "snapshot"))
        return await self.entries(table, max(int(snapshot or 1), 1))

    async def entries(self, table: str, start: int = 1) -> list[Entry]:
        log = self._keys(table)[1]
        found: list[Entry] = []
        while True:
            first = found[-1].number + 1 if found else start
            rows = await self._call(partial(_slice, log, first))
            found += rows
            if len(rows) < SLICE:
                return found

    async def drop(self, table: str, fence: int | None = None) -> None:
        await self._settled()
        keys = [*self._keys(table), self._tables]
        under = "" if fence is None else fence
        if not await self._script(redis_scripts.DROP, keys, table, under):
            raise Fenced(f"{table} is no longer held with fence {fence}.")

    async def hold(self, node: str) -> None:
        if self._redis is None:
            raise Unavailable("The journal is closed.")
        lease = Lease(self._redis, self._lease(node), self._lease_ms)
        await lease.hold()
        self._leases[node] = lease

    async def alive(self, node: str) -> bool:
        return bool(await self._call(lambda redis, _: redis.exists(self._lease(node))))

    def held(self, node: str) -> bool:
        """Whether this process holds the node's lease, by its own clock alone."""
        return node in self._leases and self._leases[node].held


async def _slice(log: str, first: int, redis: Redis, _: int) -> list[Entry]:
    rows: Any = await redis.xrange(log, min=f"{first}-0", count=SLICE)
    return [
        Entry(int(number.split(b"-")[0]), fields[b"d"], b"s" in fields) for number, fields in rows
    ]


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
