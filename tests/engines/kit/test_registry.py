from __future__ import annotations

import sys
from types import ModuleType

import pytest

from engines.kit.registry import GameError, load
from engines.peeper import GAME


def test_every_folder_beside_the_kit_is_a_game() -> None:
    games = load()
    assert games["peeper"] is GAME
    assert list(games) == sorted(games)
    assert "kit" not in games


def test_a_package_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(GameError, match=r"HANPAN_GAMES: cannot import 'no\.such\.game'"):
        load(["no.such.game"])


def test_a_package_without_a_game_is_named() -> None:
    with pytest.raises(GameError, match="'json' has no GAME"):
        load(["json"])


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("second_peeper")
    module.GAME = GAME  # type: ignore[attr-defined]  # a module made for this test
    monkeypatch.setitem(sys.modules, "second_peeper", module)
    with pytest.raises(GameError, match="two games are called 'peeper'"):
        load(["second_peeper"])
