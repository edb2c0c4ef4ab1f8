"""`hanpan examples FILE…`: run files of worked examples."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec

from engines.kit import examples
from engines.kit.registry import GameError
from server.cli.games import add_games, known_games


def add_parser(commands: Any) -> None:
    """The command's flags."""
    parser = commands.add_parser("examples", help="run worked examples of a game's rules")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of worked examples")
    parser.add_argument("--json", action="store_true", help="one JSON object an example")
    add_games(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run every example of every file; 1 if one differs, 2 if a file is malformed."""
    worst = 0
    try:
        games = known_games(args)
        for name in args.files:
            document = msgspec.json.decode(Path(name).read_bytes())
            for result in examples.run(document, games):
                worst = max(worst, 0 if result.ok else 1)
                _print(result, args.json)
    except OSError as error:
        return _malformed(str(error))
    except (GameError, examples.ExampleFileError, msgspec.MsgspecError, RecursionError) as error:
        return _malformed(f"not a file of worked examples: {error}")
    except ModuleNotFoundError as error:
        return _malformed(f"this game runs no worked examples: {error}")
    return worst


def _malformed(reason: str) -> int:
    print(f"hanpan: {reason}", file=sys.stderr)
    return 2


def _print(result: examples.Result, as_json: bool) -> None:
    if as_json:
        text = msgspec.json.encode(result).decode()
    elif result.ok:
        text = f"ok    {result.id}"
    elif result.error is not None:
        text = f"FAIL  {result.id}: {result.error}"
    else:
        text = f"FAIL  {result.id}: expected {result.expected!r}, got {result.got!r}"
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()
