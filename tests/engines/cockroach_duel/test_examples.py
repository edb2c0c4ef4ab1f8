"""Every worked example by its id, and what the runner says of broken rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines.cockroach_duel import GAME
from engines.kit import examples

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "cockroach_duel.json").read_text("utf-8")
)
VECTORS = DOCUMENT["vectors"]


def run(*vectors: Any) -> list[examples.Result]:
    return list(examples.run({"game": GAME.name, "vectors": list(vectors)}, {GAME.name: GAME}))


def test_every_example_is_there() -> None:
    assert len(VECTORS) == 27
    assert {vector["check"] for vector in VECTORS} == {"round", "match"}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_example(vector: Any) -> None:
    (result,) = run(vector)
    assert result.ok, result


def test_a_wrong_expectation_is_told() -> None:
    vector = {**VECTORS[0], "expect": {"hp": [7, 0]}}
    (result,) = run(vector)
    assert (result.ok, result.expected, result.got) == (False, {"hp": [7, 0]}, {"hp": [4, 3]})


def test_a_finished_round_takes_no_action() -> None:
    vector = json.loads(json.dumps(next(v for v in VECTORS if v["id"] == "C18")))
    vector["actions"].append({"do": "pass", "player": 0})
    vector["expect"] = {"results": ["ok", "ok", "illegal"], "phase": "over", "winner": 1}
    assert run(vector)[0].ok


def test_a_match_stops_at_its_target() -> None:
    vector = {
        "id": "x",
        "check": "match",
        "given": {"round_winners": [1, 0, 1, 1]},
        "options": {"target": 2},
        "expect": {"match_winner": 1, "score": [1, 2], "rounds": 3, "starters": [0, 1, 0]},
    }
    assert run(vector)[0].ok
