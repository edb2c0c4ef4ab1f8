"""The `hanpan` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from server.cli import bots, examples, play, record, replay, serve

COMMANDS = (serve, play, bots, record, replay, examples)


def parser() -> argparse.ArgumentParser:
    """The command line with all its commands."""
    top = argparse.ArgumentParser(
        prog="hanpan", description="Table games over WebSockets, for playing by eye and by ear."
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code, 2 for a wrong command line."""
    args = parser().parse_args(argv)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
