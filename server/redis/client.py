"""redis-py, set up so that nothing is sent twice behind our back, for everything that is not hot.

Its default retries repeat a write after a stall, and its pools raise at their limit; both are off here.
What may be repeated is repeated by `again`, because whoever calls it knows that a repeat does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

T = TypeVar("T")


class Guard:
    """Beside redis-py's own connection class: uvloop says of a connection that ended a moment ago that it
    is closed by a RuntimeError, which redis-py hands on; whoever calls expects a connection error."""

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """As redis-py's. Raises redis's ConnectionError."""
        try:
            await super().send_packed_command(command, check_health)  # type: ignore[misc]  # a mixin
        except RuntimeError as error:
            raise RedisConnectionError(f"the connection is closed: {error}") from error


CONNECTIONS = 8
ANSWER_S = 2.0


def client(url: str) -> Redis:
    """A client with a pool of its own: bounded, waiting for a free place, without retries."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=ANSWER_S,
        socket_timeout=ANSWER_S,
        socket_connect_timeout=ANSWER_S,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    pool.connection_class = type("Guarded", (Guard, pool.connection_class), {})
    return Redis.from_pool(pool)


async def again(call: Callable[[int], Awaitable[T]], within: float) -> T:
    """Call until there is an answer, for `within` seconds; the call gets the number of its attempt.

    Only for calls that a repeat cannot harm. Raises RedisError: the last one's.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + within
    attempt = 0
    while True:
        try:
            return await call(attempt)
        except (RedisConnectionError, RedisTimeoutError, OSError) as error:
            attempt += 1
            pause = min(0.02 * 2**attempt, 0.5)
            if loop.time() + pause > until:
                raise error if isinstance(error, RedisError) else RedisError(str(error)) from error
            await asyncio.sleep(pause)
