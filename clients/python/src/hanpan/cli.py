"""The small command line of the SDK; every command is a few calls that a program could make."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence

from hanpan._messages import TableInfo
from hanpan.bots import Random, default
from hanpan.client import Client
from hanpan.connecting import connect
from hanpan.errors import HanpanError

URL = "http://127.0.0.1:8000"


async def games(client: Client, options: argparse.Namespace) -> None:
    """A line a game: its name, title, numbers of seats, rulesets and bots."""
    for game in await client.games():
        title = game.titles.get(options.lang, game.titles.get("en", game.game))
        seats = " to ".join(map(str, game.seats))
        print(f"{game.game}: {title}; seats {seats}; rulesets {', '.join(game.rulesets)}")


async def tables(client: Client, options: argparse.Namespace) -> None:
    """A line a public table."""
    found = await client.list_tables(game=options.game)
    for table in found:
        print(describe(table))
    if not found:
        print("no tables")


async def watch(client: Client, options: argparse.Namespace) -> None:
    """What is said at a table, or with --json every event, until the match ends."""
    table = await client.watch(options.table, invite=options.invite)
    if options.json:
        async for event in table.events():
            print(json.dumps({"seq": event.seq, **event.data}, ensure_ascii=False), flush=True)
            if event.type == "match_ended":
                return
    table.on_say.add(lambda told: None if told[1] else print(told[0].text, flush=True))
    while table.result is None and not table.ended:
        await table.changed()


async def bot(client: Client, options: argparse.Namespace) -> None:
    """Play matches: at a waiting table, or at a new one full of the server's bots."""
    choose = default if options.level == "default" else Random(options.seed)
    if options.table:
        table = await client.join(options.table, invite=options.invite, detail="view")
        await table.ready()
    else:
        table = await client.play(options.game or "peeper", options.seats, speed=options.speed)
    for number in range(options.matches):
        if number:
            await table.rematch()
        result = await table.play(choose)
        print(f"match {result.get('match')}: scores {result.get('scores')}", flush=True)


def describe(table: TableInfo) -> str:
    """A table in one line."""
    taken = sum(seat.state != "open" for seat in table.seats)
    return (
        f"{table.table}: {table.game} {table.ruleset}, {table.speed}, "
        f"{taken} of {len(table.seats)} seats, {table.phase}, {table.audience} watching"
    )


def parser() -> argparse.ArgumentParser:
    """The command line's form."""
    main = argparse.ArgumentParser(prog="python -m hanpan", description=__doc__)
    main.add_argument("--url", default=os.environ.get("HANPAN_URL", URL), help=f"default {URL}")
    main.add_argument(
        "--token", default=os.environ.get("HANPAN_TOKEN"), help="else a guest is made"
    )
    main.add_argument("--name", help="the guest's name")
    main.add_argument("--lang", default="en", choices=["en", "ko", "ja"], help="language")
    commands = main.add_subparsers(dest="command", required=True)
    _add(commands, "games", games)
    one = _add(commands, "tables", tables)
    one.add_argument("--game")
    one = _add(commands, "watch", watch)
    one.add_argument("table")
    one.add_argument("--invite", help="of a private table")
    one.add_argument("--json", action="store_true", help="events instead of sentences")
    one = _add(commands, "bot", bot)
    one.add_argument("--game", help="default peeper")
    one.add_argument("--seats", type=int, default=4)
    one.add_argument("--speed", default="standard")
    one.add_argument("--table", help="join this table instead of making one")
    one.add_argument("--invite", help="of a private table")
    one.add_argument("--level", choices=["random", "default"], default="random")
    one.add_argument("--seed", type=int, help="choose the same again")
    one.add_argument("--matches", type=int, default=1)
    return main


def main(arguments: Sequence[str]) -> int:
    """Run a command; 0 when it was done, 1 when the server did not let it."""
    options = parser().parse_args(arguments)
    try:
        asyncio.run(_run(options))
    except (HanpanError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


async def _run(options: argparse.Namespace) -> None:
    async with connect(
        options.url, options.token, options.name, locale=options.lang, want=["say"]
    ) as client:
        command: Callable[[Client, argparse.Namespace], Awaitable[None]] = options.run
        await command(client, options)


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Callable[[Client, argparse.Namespace], Awaitable[None]],
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=run.__doc__)
    made.set_defaults(run=run)
    return made
