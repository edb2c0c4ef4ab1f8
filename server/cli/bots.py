"""`hanpan bots N --url …`: seat N bots at tables that wait for players."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

import msgspec

import hanpan
from engines.kit.contract import Ask
from engines.kit.registry import AnyGame, load
from engines.kit.stream import Stream
from hanpan.requests import Request
from server.runtime.ids import seed

WAIT_S = 1.0


def add_parser(commands: Any) -> None:
    """The command's flags."""
    parser = commands.add_parser("bots", help="seat bots at waiting tables of a running server")
    parser.add_argument("count", type=int, help="how many bots")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the server's address")
    parser.add_argument("--level", default="steady", help="random or steady")
    parser.add_argument("--game", default=None, help="only tables of this game")
    parser.add_argument("--table", default=None, help="only this table")
    parser.add_argument("--matches", type=int, default=0, help="end after so many each; 0: never")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until all have played their matches, or Ctrl-C."""
    if args.count < 1:
        print("hanpan: give a number of bots from 1 on", file=sys.stderr)
        return 2
    try:
        asyncio.run(_all(args))
    except* (OSError, hanpan.HanpanError) as group:
        for sentence in sorted({str(error) for error in group.exceptions}):
            print(f"hanpan: {sentence}", file=sys.stderr)
        failed = True
    else:
        failed = False
    return int(failed)


async def _all(args: argparse.Namespace) -> None:
    games = load()
    async with asyncio.TaskGroup() as group:
        for _ in range(args.count):
            group.create_task(_one(args, games))


async def _one(args: argparse.Namespace, games: dict[str, AnyGame]) -> None:
    """One bot: look for a table with a free seat, sit down, play, again."""
    played = 0
    async with hanpan.connect(args.url) as client:
        while not args.matches or played < args.matches:
            name = args.table or await _waiting(client, args.game)
            if name is None:
                await asyncio.sleep(WAIT_S)
                continue
            try:
                table = await client.join(name)
                await table.ready()
                assert table.info is not None
                await table.play(chooser(games[table.info.game], args.level, table))
            except hanpan.HanpanError as error:
                if args.table is not None:
                    raise
                print(f"hanpan: {error}", file=sys.stderr)
                await asyncio.sleep(WAIT_S)
                continue
            played += 1
            await table.leave()


async def _waiting(client: hanpan.Client, game: str | None) -> str | None:
    filters: dict[str, Any] = {"open": True}
    if game is not None:
        filters["game"] = game
    found = await client.list_tables(**filters)
    return found[0].table if found else None


def chooser(game: AnyGame, level: str, table: hanpan.Table) -> Any:
    """The engine's bot of a level as an SDK chooser: from its own stream and the request alone."""
    bot = game.bots.get(level, game.bots["random"])
    key = bytes.fromhex(seed())

    def choose(request: Request) -> Any:
        if request.kind == "claim" and not request.can:
            return request.default
        view = msgspec.convert(table.view, game.View)
        legal = [msgspec.convert(action, game.actions) for action in request.legal]
        asked = Ask(
            "claim" if request.kind == "claim" else "turn",
            legal,
            msgspec.convert(request.default, game.actions),
            request.more,
            bool(request.can) if request.kind == "claim" else None,
        )
        return msgspec.to_builtins(bot(view, asked, Stream(key, request.id)))

    return choose
