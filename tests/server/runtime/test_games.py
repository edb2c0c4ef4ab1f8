"""What clients are told of the games."""

from __future__ import annotations

import msgspec
import pytest

from engines.kit.registry import load
from server.runtime.games import game_infos, game_schema

GAMES = load()


@pytest.mark.parametrize("info", game_infos(GAMES), ids=lambda info: info.game)
def test_a_game_is_told_completely(info: object) -> None:
    told = msgspec.to_builtins(info)
    assert set(told["titles"]) == {"en", "ko", "ja"}
    assert "standard" in told["rulesets"]
    assert {"random", "steady"} <= set(told["bots"])
    assert told["words"]["ko"]
    low, high = told["seats"]
    assert 1 < low <= high


@pytest.mark.parametrize("name", list(GAMES))
def test_a_schema_names_actions_events_view_and_options(name: str) -> None:
    schema = game_schema(GAMES[name])
    assert set(schema["properties"]) == {"action", "event", "view", "options"}
    known = schema["$defs"]
    text = msgspec.json.encode(schema["properties"]).decode()
    refs = [part.split('"')[0] for part in text.split("#/$defs/")[1:]]
    assert refs
    assert all(ref in known for ref in refs)
