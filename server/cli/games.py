"""Which games a command knows: ours, and the packages that are named to it."""

from __future__ import annotations

import argparse
import os

from engines.kit.registry import AnyGame, load


def add_games(parser: argparse.ArgumentParser) -> None:
    """The flag that names further game packages."""
    parser.add_argument(
        "--games",
        default=os.environ.get("HANPAN_GAMES", ""),
        help="further game packages, separated by commas (HANPAN_GAMES)",
    )


def known_games(args: argparse.Namespace) -> dict[str, AnyGame]:
    """All games by name. Raises GameError."""
    return load(name.strip() for name in args.games.split(",") if name.strip())
