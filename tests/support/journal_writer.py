"""A process that appends to a journal as fast as it can and prints what is acknowledged.

`python -m tests.support.journal_writer JOURNAL TABLES [NODE]`: JOURNAL is a file or a Redis URL. It makes
the tables, or takes them as soon as it may, and goes on where they end. A line `table number` is written
for each acknowledged entry, `table number !Error` for a refused one, which is tried again unless the
table is lost. The data of an entry are `table:number:fence`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from server.journal.base import Batch, Entry, Exists, Fenced, Journal, JournalError, Own
from server.journal.redis import RedisJournal
from server.journal.sqlite import SqliteJournal


def open_journal(where: str) -> Journal:
    if where.startswith("redis://"):
        return RedisJournal(where)
    return SqliteJournal(Path(where), lambda channel, payload: None, busy_s=0.1)


async def own(journal: Journal, table: str, node: str) -> Own:
    """Make the table, or take it when its holder is gone."""
    try:
        return await journal.create(table, node)
    except Exists:
        while True:
            expected = dict(await journal.tables())[table]
            taken = await journal.take(table, node, expected)
            if taken is not None:
                return taken
            await asyncio.sleep(0.02)


async def main(where: str, count: int, node: str = "writer") -> None:
    journal = open_journal(where)
    await journal.start()
    await journal.hold(node)
    loop = asyncio.get_running_loop()

    def append(table: str, fence: int, number: int) -> None:
        def done(error: JournalError | None) -> None:
            told = "" if error is None else f" !{type(error).__name__}"
            os.write(1, f"{table} {number}{told}\n".encode())
            if error is None:
                append(table, fence, number + 1)
            elif not isinstance(error, Fenced):
                loop.call_later(0.01, append, table, fence, number)

        entry = Entry(number, f"{table}:{number}:{fence}".encode(), snapshot=number % 50 == 1)
        journal.append(Batch(table, fence, [entry]), done)

    owned = {table: await own(journal, table, node) for table in (f"t_{n}" for n in range(count))}
    for table, mine in owned.items():
        append(table, mine.fence, mine.number + 1)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
