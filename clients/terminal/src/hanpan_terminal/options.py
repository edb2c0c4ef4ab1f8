"""What the terminal is told to do."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Literal, cast

import msgspec

from hanpan_terminal.text import LOCALES, system_locale

URL = "http://127.0.0.1:8000"
Level = Literal["high", "normal", "low"]


class Options(msgspec.Struct, kw_only=True):
    """One run of the terminal.

    game: play this at once (else a menu asks). table: join this one, or watch it with `watch`. bots: of
    a new table, all other seats if None. hear: the least priority that is read out. plain: lines
    without colours or editing, None where the terminal decides.
    """

    locale: str = "en"
    name: str | None = None
    token: str | None = None
    game: str | None = None
    ruleset: str = "standard"
    speed: str = "standard"
    seats: int | None = None
    bots: int | None = None
    level: str = "steady"
    private: bool = False
    table: str | None = None
    watch: bool = False
    invite: str | None = None
    hear: Level = "low"
    plain: bool | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The terminal's own arguments, e.g. for `hanpan play`, which takes the same."""
    add = parser.add_argument
    add("--watch", metavar="TABLE", help="watch this table")
    add("--join", metavar="TABLE", help="sit down at this table")
    add("--invite", metavar="CODE", help="of a private table")
    add("--game", help="play this game at once, with bots; without it a menu asks")
    add("--ruleset", default="standard")
    add("--speed", default="standard", choices=["blitz", "standard", "relaxed", "instant"])
    add("--seats", type=int, help="of a new table; four if the game allows it")
    add("--bots", type=int, help="of a new table; default: every other seat")
    add("--level", default="steady", help="how the bots play")
    add("--private", action="store_true", help="a table for those who have its invite")
    add("--name", help="your name as a guest")
    add("--lang", choices=LOCALES, default=system_locale(), help="language")
    add(
        "--hear",
        choices=["high", "normal", "low"],
        default="low",
        help="the least that is read out",
    )
    add("--plain", action="store_true", default=None, help="plain lines, as with ACCESSIBLE=1")


def options_of(parsed: argparse.Namespace) -> Options:
    """The options of a parsed command line."""
    return Options(
        locale=parsed.lang,
        name=parsed.name,
        token=os.environ.get("HANPAN_TOKEN"),
        game=parsed.game,
        ruleset=parsed.ruleset,
        speed=parsed.speed,
        seats=parsed.seats,
        bots=parsed.bots,
        level=parsed.level,
        private=parsed.private,
        table=parsed.watch or parsed.join,
        watch=parsed.watch is not None,
        invite=parsed.invite,
        hear=cast("Level", parsed.hear),
        plain=parsed.plain,
    )


def parse(arguments: Sequence[str]) -> tuple[str, Options]:
    """The server's URL and the options."""
    parser = argparse.ArgumentParser(
        prog="python -m hanpan_terminal", description="Play at Hanpan tables, line by line."
    )
    parser.add_argument(
        "--url", default=os.environ.get("HANPAN_URL", URL), help=f"the server, default {URL}"
    )
    add_arguments(parser)
    parsed = parser.parse_args(arguments)
    return parsed.url, options_of(parsed)
