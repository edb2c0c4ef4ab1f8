"""A process that appends to a journal as fast as it can and prints what is acknowledged.

`python -m tests.support.journal_writer FILE TABLES`: goes on where the file's tables end. A line
`table number` is written for each acknowledged entry, `table number !Error` for a refused one, which is
tried again. The data of an entry are `table:number`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from server.journal.base import Batch, Entry, JournalError
from server.journal.sqlite import SqliteJournal


async def main(path: str, count: int) -> None:
    journal = SqliteJournal(Path(path), lambda channel, payload: None, busy_s=0.1)
    await journal.start()
    owned = dict(await journal.tables())
    loop = asyncio.get_running_loop()

    def append(table: str, fence: int, number: int) -> None:
        def done(error: JournalError | None) -> None:
            told = "" if error is None else f" !{type(error).__name__}"
            os.write(1, f"{table} {number}{told}\n".encode())
            if error is None:
                append(table, fence, number + 1)
            else:
                loop.call_later(0.01, append, table, fence, number)

        entry = Entry(number, f"{table}:{number}".encode(), snapshot=number % 50 == 1)
        journal.append(Batch(table, fence, [entry]), done)

    for table in [f"t_{index}" for index in range(count)]:
        own = owned.get(table)
        if own is None:
            owned[table] = await journal.create(table, "writer")
        else:
            taken = await journal.take(table, "writer", own)
            assert taken is not None
            owned[table] = taken
    for table, own in owned.items():
        append(table, own.fence, own.number + 1)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
