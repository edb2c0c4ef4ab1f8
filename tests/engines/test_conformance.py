"""Every registered game keeps the contract; `HANPAN_CONFORMANCE` sets the number of matches a game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import inspect

from engines.kit.conformance import check_game
from engines.kit.golden import difference, files, parse
from engines.kit.registry import load

GAMES = load()
MATCHES = int(os.environ.get("HANPAN_CONFORMANCE", "50"))


def tags(union: object) -> set[str]:
    """The types of a game's actions or events."""
    info = inspect.type_info(union)
    members = info.types if isinstance(info, inspect.UnionType) else (info,)
    return {str(one.tag) for one in members if isinstance(one, inspect.StructType)}


@pytest.mark.parametrize("name", GAMES)
def test_game_keeps_the_contract(name: str) -> None:
    game = GAMES[name]
    report = check_game(game, MATCHES)
    assert report.matches == MATCHES
    assert report.different_worlds > report.worlds // 2
    assert tags(game.actions) - {"decline"} <= set(report.actions)
    assert set(report.events) <= tags(game.events)
    assert game.reveals <= tags(game.events)


@pytest.mark.parametrize("name", GAMES)
def test_game_has_golden_games(name: str) -> None:
    found = files(GAMES[name])
    assert found
    for path in found:
        assert parse(path.read_text(encoding="utf-8")).game == name


@pytest.mark.parametrize(
    ("name", "path"),
    [(name, path) for name, game in GAMES.items() for path in files(game)],
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_golden_game_replays_to_the_letter(name: str, path: Path) -> None:
    assert difference(GAMES[name], path) == ""
