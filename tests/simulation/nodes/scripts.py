"""The Redis journal's Lua, in Python: what each script does to the simulated Redis.

Written from `server/journal/redis_scripts.py`; that both do the same is shown by the journal's contract
suite, which runs on the real server and on this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from server.journal import redis_scripts
from server.journal.base import Entry, Own
from server.journal.redis_append import SHA

if TYPE_CHECKING:
    from tests.simulation.nodes.redis import SimRedis

FREED = 1
"""By how much the fence grows when a table is let go."""

Script = Callable[["SimRedis", str, list[str], list[Any]], Any]


class Written(NamedTuple):
    """Entries that a script wrote. who: the process; newest: the fence that held then; holder: who did."""

    at: float
    who: str
    table: str
    fence: int
    newest: int
    holder: str
    first: int
    last: int


class Taken(NamedTuple):
    """A table that a script gave to another process. holder: who had it, empty if it was free."""

    at: float
    table: str
    holder: str


def table_of(key: str) -> str:
    """The table in a key's hash tag."""
    found = re.search(r"\{(.*)\}", key)
    assert found is not None
    return found[1]


def entries_in(first: int, count: int, args: list[Any]) -> list[Entry]:
    """The entries that a commit carries."""
    return [
        Entry(first + index, args[3 + 2 * index], args[4 + 2 * index] == "1")
        for index in range(count)
    ]


def holds(own: Own | None, fence: int) -> bool:
    """Whether a fence is the table's."""
    return own is not None and own.fence == fence


def follows(own: Own, first: int) -> bool:
    """Whether an entry's number is the next one."""
    return own.number == first - 1


def commit(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> bytes:
    table, fence = table_of(keys[0]), int(args[0])
    own = redis.disk.own.get(table)
    if own is None or not holds(own, fence):
        return b"FENCED " + (b"gone" if own is None else b"%d" % own.fence)
    first, count = int(args[1]), int(args[2])
    return write(
        redis, who, table, own, fence, entries_in(first, count, args), args[3 + 2 * count :]
    )


def write(
    redis: SimRedis,
    who: str,
    table: str,
    own: Own,
    fence: int,
    entries: list[Entry],
    publishes: list[Any],
) -> bytes:
    """The part of a commit behind its fence."""
    first, last = entries[0].number, entries[-1].number
    log = redis.disk.log[table]
    if not follows(own, first):
        if last <= own.number and log[first - 1 : last] == entries:
            return b"DONE"
        return b"CONFLICT %d" % own.number
    log += entries
    redis.disk.own[table] = Own(own.holder, own.fence, last)
    now = redis.loop.time()
    redis.disk.durable_at.setdefault(table, []).extend([now] * len(entries))
    newest = redis.newest[table]
    redis.written.append(Written(now, who, table, fence, newest, own.holder, first, last))
    redis.after_write.pop(who, lambda: None)()
    for place in range(0, len(publishes), 2):
        redis.publish(publishes[place], publishes[place + 1])
    return b"OK"


def create(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> int:
    table, holder, repeat = args
    own = redis.disk.own.get(table)
    if own is not None:
        return int(repeat == "1" and own == Own(holder, 1, 0))
    redis.disk.own[table] = Own(holder, 1, 0)
    redis.disk.log[table] = []
    redis.newest[table] = 1
    return 1


def take(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> list[int] | None:
    table, (expected, number, holder) = table_of(keys[0]), args
    fence = int(number)
    own = redis.disk.own.get(table)
    if own is None:
        return None
    if own.holder == holder and own.fence == fence + 1:
        return [own.fence, own.number]
    if own.holder != expected or own.fence != fence:
        return None
    if own.holder not in ("", holder) and redis.lease(keys[1]) is not None:
        return None
    redis.disk.own[table] = Own(holder, fence + 1, own.number)
    redis.newest[table] = fence + 1
    redis.disk.took.append((table, own.number))
    redis.taken.append(Taken(redis.loop.time(), table, own.holder))
    return [fence + 1, own.number]


def release(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> int:
    table, expected = table_of(keys[0]), int(args[0])
    own = redis.disk.own.get(table)
    if own is None:
        return 0
    if own.holder == "" and own.fence == expected + 1:
        return 1
    if own.fence != expected:
        return 0
    redis.disk.own[table] = Own("", own.fence + FREED, own.number)
    redis.newest[table] = own.fence + FREED
    return 1


def drop(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> int:
    table, fence = args
    own = redis.disk.own.get(table)
    if own is not None:
        if fence != "" and int(fence) != own.fence:
            return 0
        del redis.disk.own[table]
        redis.disk.dropped[table] = redis.disk.log.pop(table)
    return 1


def renew(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> int:
    token, ms = args
    if redis.lease(keys[0]) not in (None, token):
        return 0
    redis.leases[keys[0]] = (token, redis.loop.time() + int(ms) / 1000)
    return 1


def free(redis: SimRedis, who: str, keys: list[str], args: list[Any]) -> int:
    if redis.lease(keys[0]) == args[0]:
        del redis.leases[keys[0]]
    return 1


SCRIPTS: dict[str, Script] = {
    SHA: commit,
    redis_scripts.CREATE: create,
    redis_scripts.TAKE: take,
    redis_scripts.RELEASE: release,
    redis_scripts.DROP: drop,
    redis_scripts.RENEW: renew,
    redis_scripts.FREE: free,
}
"""Each by what it is called with: its text, or its digest."""
