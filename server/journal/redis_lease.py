"""A process's lease in Redis: the sign that its tables are looked after."""

from __future__ import annotations

import asyncio
import contextlib
import secrets

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.journal.base import JournalError, Unavailable
from server.journal.redis_scripts import FREE
from server.journal.redis_scripts import RENEW as RENEW_SCRIPT
from server.redis.client import again

LEASE_MS = 5000
RENEW = 0.3
"""How often it is renewed, as a part of its length."""
TAKE_S = 6.0
"""How long a lease that another process holds under this name is waited for."""


class Lease:
    """Held from `hold` to `stop`, by a token of its own, renewed in a task.

    A lease that ran out while Redis or this process stood still is taken again if it is free: who
    took a table meanwhile is told by the fence, not by the lease.
    """

    def __init__(self, redis: Redis, key: str, ms: int = LEASE_MS) -> None:
        self.key = key
        self._ms = ms
        self._token = secrets.token_hex(16)
        self._renew = redis.register_script(RENEW_SCRIPT)
        self._free = redis.register_script(FREE)
        self._task: asyncio.Task[None] | None = None
        self._until = 0.0
        self._ends = asyncio.Event()

    async def hold(self) -> None:
        """Take it and go on holding it. Raises Unavailable, or JournalError if another one holds it."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + TAKE_S
        try:
            while not await again(self._once, TAKE_S):
                if loop.time() > deadline:
                    raise JournalError(f"Another process runs under this name ({self.key}).")
                await asyncio.sleep(0.2)
        except RedisError as error:
            raise Unavailable(f"Redis does not give a lease: {error}.") from error
        self._task = loop.create_task(self._keep(), name=f"lease {self.key}")

    @property
    def held(self) -> bool:
        """Whether it cannot have run out by this process's clock."""
        return asyncio.get_running_loop().time() < self._until

    async def _once(self, _: int = 0) -> bool:
        before = asyncio.get_running_loop().time()
        ours = await self._renew(keys=[self.key], args=[self._token, self._ms])
        if ours:
            self._until = before + self._ms / 1000
        return bool(ours)

    async def _keep(self) -> None:
        while not await self._ended(RENEW * self._ms / 1000 if self.held else 0.1):
            with contextlib.suppress(RedisError, OSError):
                await self._once()

    async def _ended(self, seconds: float) -> bool:
        """Whether it is to be let go within this time."""
        try:
            await asyncio.wait_for(self._ends.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def stop(self) -> None:
        """Let go of it, so that nobody has to wait for its end."""
        if self._task is not None:
            # A renewal under way is waited for: cancelled, it could reach Redis after the letting go.
            self._ends.set()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            self._until = 0.0
            with contextlib.suppress(RedisError, OSError):
                await self._free(keys=[self.key], args=[self._token])
