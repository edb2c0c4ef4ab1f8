"""Tables of bots that play match after match, watched, in a process of its own.

python -m tests.support.bot_tables URL COUNT: it ends with an error as soon as a spectator's stream has
a gap or a table does not go on.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import hanpan
from tests.support.beside import beside
from tests.support.crowd import GAMES, Seen

PER_CLIENT = 10
MATCH_S = 1_800


async def table_after_table(client: hanpan.Client, game: str) -> None:
    """Make a table of steady bots, watch it to the end of its match, and again."""
    while True:
        name, _ = await client.create_table(game, GAMES[game], bots=GAMES[game], speed="blitz")
        seen = Seen(await client.watch(name))
        async with asyncio.timeout(MATCH_S):
            while seen.table.result is None:
                assert not seen.problems, seen.problems
                await seen.table.changed()
        await seen.table.leave()


async def main(url: str, count: int) -> None:
    """So many tables of all games, until the process is ended."""
    games = list(GAMES)
    async with asyncio.TaskGroup() as group:
        for start in range(0, count, PER_CLIENT):
            client = await hanpan.connect(url)
            for number in range(start, min(start + PER_CLIENT, count)):
                group.create_task(table_after_table(client, games[number % len(games)]))


@contextmanager
def bot_tables(url: str, count: int) -> Iterator[None]:
    """So many watched tables of bots during the block; it fails if one of them does."""
    with beside("tests.support.bot_tables", url, str(count)):
        yield


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
