"""Run the terminal: connect, find a table, play."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from hanpan import Client, HanpanError, Refused, connect
from hanpan.words import Words
from hanpan_terminal.lobby import Lobby
from hanpan_terminal.options import Options, parse
from hanpan_terminal.screen import Screen, choose_screen
from hanpan_terminal.sitting import Sitting
from hanpan_terminal.text import Phrases
from hanpan_terminal.voice import Voice


async def play(url: str, options: Options | None = None, screen: Screen | None = None) -> int:
    """Play until the player stops; 0, or 1 when the server did not let him (with a sentence)."""
    options = options or Options()
    phrases = Phrases(options.locale)
    with screen or choose_screen(options.plain) as shown:
        try:
            async with connect(
                url,
                options.token,
                options.name,
                locale=phrases.locale,
                want=["say"],
                client="hanpan-terminal/0.1",
                patience_s=None,
            ) as client:
                await _play(client, options, shown, phrases)
        except Refused as refused:
            shown.show(refused.message, urgent=True)
            return 1
        except (HanpanError, ValueError) as error:
            shown.show(phrases("stopped", why=error), urgent=True)
            return 1
        shown.show(phrases("bye"))
    return 0


async def _play(client: Client, options: Options, screen: Screen, phrases: Phrases) -> None:
    screen.show(phrases("welcome"))
    games = await client.games()
    lobby = Lobby(client, games, options, screen, phrases)
    voice = Voice(screen, options.hear)
    table = await lobby.table()
    while table is not None:
        game = table.info.game if table.info else ""
        words = Words(next((g.words for g in games if g.game == game), {}), phrases.locale)
        screen.show(phrases("watching") if table.seat is None else phrases("hello"))
        sitting = Sitting(client, table, words, screen, voice, phrases)
        if not await sitting.run() or options.table or options.game:
            return
        table = await lobby.menu()


def run(url: str, options: Options | None = None) -> int:
    """As `play`, from a program that runs no loop yet."""
    try:
        return asyncio.run(play(url, options))
    except KeyboardInterrupt:
        return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line `python -m hanpan_terminal`."""
    url, options = parse(sys.argv[1:] if arguments is None else arguments)
    return run(url, options)
