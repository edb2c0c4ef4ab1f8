"""`hanpan record MATCH`: write a match's full record, for operators."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from server.app import build_store
from server.cli.serve import add_settings, settings_of
from server.settings import SettingError
from server.store.models import StoreError


def add_parser(commands: Any) -> None:
    """The command's flags; the settings say where the store is."""
    parser = commands.add_parser("record", help="write the full record of a finished match")
    parser.add_argument("match", help="the match's id, or its table's for the newest match there")
    parser.add_argument("--out", default="-", help="file to write to; - is standard output")
    add_settings(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the record; 1 if there is none."""
    try:
        record = asyncio.run(_find(args))
    except (SettingError, StoreError) as error:
        print(f"hanpan: {error}", file=sys.stderr)
        return 2
    if record is None:
        print(f"hanpan: no finished match {args.match!r} is stored there", file=sys.stderr)
        return 1
    if args.out == "-":
        sys.stdout.buffer.write(record + b"\n")
    else:
        Path(args.out).write_bytes(record + b"\n")
    return 0


async def _find(args: argparse.Namespace) -> bytes | None:
    store = build_store(settings_of(args))
    await store.start()
    try:
        found = await store.record(args.match)
        if found is None:
            newest = await store.newest_of_table(args.match)
            found = await store.record(newest.id) if newest is not None else None
        return found
    finally:
        await store.stop()
