"""The `hanpan` command."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

COMMANDS = ("serve", "play", "bots", "replay", "record", "examples", "backup")


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line of these commands, which are imported for it."""
    top = argparse.ArgumentParser(
        prog="hanpan", description="Table games over WebSockets, for playing by eye and by ear."
    )
    found = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in commands:
        importlib.import_module(f"server.cli.{command}").add_parser(found)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code, 2 for a wrong command line."""
    given = sys.argv[1:] if argv is None else list(argv)
    # Only what is asked for is imported: a game in the terminal needs no database library.
    wanted = given[:1] if given and given[0] in COMMANDS else COMMANDS
    args = parser(wanted).parse_args(given)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
