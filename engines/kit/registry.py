"""Which games there are: every folder beside the kit, packages named to `load`, and entry points.

A game package exposes `GAME`, an instance of `Game`. A new folder under `engines/` needs nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

import engines
from engines.kit.contract import Game

AnyGame = Game[Any, Any, Any]
GROUP = "hanpan.games"


class GameError(ValueError):
    """A named package is not a game; the message says what is wrong and where it was named."""


def _game(module_name: str, named_in: str) -> AnyGame:
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise GameError(f"{named_in}: cannot import {module_name!r} ({error})") from error
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise GameError(f"{named_in}: {module_name!r} has no GAME that is an engines.kit Game")
    return game


def load(extra: Iterable[str] = ()) -> dict[str, AnyGame]:
    """All games by name, sorted. extra: importable package names (the setting HANPAN_GAMES).

    Raises GameError for a package that is no game and for two games of one name.
    """
    found: list[tuple[str, AnyGame]] = []
    for info in pkgutil.iter_modules(engines.__path__):
        if info.ispkg and info.name != "kit":
            name = f"engines.{info.name}"
            found.append((name, _game(name, "the engines folder")))
    for entry in entry_points(group=GROUP):
        found.append((entry.value, _game(entry.value, f"entry point {GROUP}")))
    for name in extra:
        found.append((name, _game(name, "HANPAN_GAMES")))
    games: dict[str, AnyGame] = {}
    for where, game in found:
        if game.name in games:
            raise GameError(f"two games are called {game.name!r}; the second is {where}")
        games[game.name] = game
    return dict(sorted(games.items()))
