"""What a client is told of the games, and the schema of each."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.contract import Ruleset
from engines.kit.registry import AnyGame
from engines.kit.text import LOCALES
from protocol.server import GameInfo
from server.core.events import TABLE_EVENTS


def game_infos(games: dict[str, AnyGame]) -> list[GameInfo]:
    """All games, as `list_games` answers."""
    return [
        GameInfo(
            game=game.name,
            version=game.version,
            seats=[game.min_seats, game.max_seats],
            titles={locale: game.text.title(locale) for locale in LOCALES},
            rulesets={name: _ruleset(ruleset) for name, ruleset in game.rulesets.items()},
            bots=list(game.bots),
            words={locale: dict(words) for locale, words in game.text.words.items()},
            claims=list(game.claims),
        )
        for game in games.values()
    ]


def _ruleset(ruleset: Ruleset) -> dict[str, Any]:
    return {"options": msgspec.to_builtins(ruleset.options), "fixed": sorted(ruleset.fixed)}


def game_schema(game: AnyGame) -> dict[str, Any]:
    """The JSON schema (2020-12) of a game's actions, events, view and options."""
    (action, event, view, options, table_event), components = msgspec.json.schema_components(
        [game.actions, game.events, game.View, game.Options, TABLE_EVENTS],
        ref_template="#/$defs/{name}",
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": components,
        "game": game.name,
        "version": game.version,
        "properties": {
            "action": action,
            "event": {"anyOf": [event, table_event]},
            "view": view,
            "options": options,
        },
    }
