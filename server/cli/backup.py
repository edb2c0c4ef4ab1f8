"""`hanpan backup`: a copy of the journal and the store of a running server, taken while it runs.

The journal comes first: a match that ends in between is then in both, and the store takes it once.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

JOURNAL = "journal.sqlite"
STORE = "hanpan.sqlite"
PAGES = 256
"""Pages copied at a time; writers come in between."""


def add_parser(commands: Any) -> None:
    """The command's flags."""
    parser = commands.add_parser(
        "backup", help="copy the data of a running server", description=__doc__
    )
    parser.add_argument("to", type=Path, help="folder for the copies; it is made")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("HANPAN_DATA", "data")),
        help="the server's data folder [HANPAN_DATA; 'data']",
    )
    parser.add_argument(
        "--database-url",
        default=os.environ.get("HANPAN_DATABASE_URL", ""),
        help="the server's store [HANPAN_DATABASE_URL]",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Copy what is there; 2 where something has to be copied in another way, or cannot be."""
    url: str = args.database_url
    files = [args.data / JOURNAL]
    elsewhere = None
    if not url:
        files.append(args.data / STORE)
    elif url.startswith("sqlite:///"):
        files.append(Path(url.removeprefix("sqlite:///")))
    else:
        elsewhere = "The store is no file: back it up with pg_dump."
    found = [path for path in files if path.exists()]
    if not found and elsewhere is None:
        print(f"hanpan: there is nothing to back up in {args.data}", file=sys.stderr)
        return 2
    args.to.mkdir(parents=True, exist_ok=True)
    for path in found:
        try:
            size = copy(path, args.to / path.name)
        except (sqlite3.Error, OSError) as error:
            print(f"hanpan: {path} cannot be copied: {error}", file=sys.stderr)
            return 2
        print(f"{args.to / path.name}: {size} bytes")
    if args.data / JOURNAL not in found:
        print("No journal file here: with Redis, running tables are in its append-only file.")
    if elsewhere is not None:
        print(f"hanpan: {elsewhere}", file=sys.stderr)
        return 2
    return 0


def copy(source: Path, target: Path) -> int:
    """Copy a SQLite file as it is at one moment, checked; its size. Replaces the target at the end.

    Raises sqlite3.Error, OSError.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    there = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    here = sqlite3.connect(part)
    try:
        there.backup(here, pages=PAGES)
        (verdict,) = here.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")
    finally:
        here.close()
        there.close()
    part.replace(target)
    return target.stat().st_size
