"""Every worked example of Peeper, by its id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines.kit.examples import Result, run
from engines.peeper import GAME
from engines.peeper.examples import CHECKS, sequence

VECTORS = Path(__file__).parents[2] / "vectors"


def results(name: str) -> list[Result]:
    document = json.loads((VECTORS / name).read_text(encoding="utf-8"))
    return list(run(document, {"peeper": GAME}))


@pytest.mark.parametrize("result", results("peeper.json"), ids=lambda result: result.id)
def test_example(result: Result) -> None:
    assert result.ok, result


def test_every_row_of_the_tables_of_readings() -> None:
    found = results("peeper_readings.json")
    assert len(found) == 800
    assert [result for result in found if not result.ok] == []


def test_all_kinds_of_checks_are_in_use() -> None:
    document = json.loads((VECTORS / "peeper.json").read_text(encoding="utf-8"))
    assert {vector["check"] for vector in document["vectors"]} == set(CHECKS)


def vector(hands: dict[str, Any], actions: list[Any], **options: Any) -> dict[str, Any]:
    given = {"hands": hands, "leader": "A", "actions": actions}
    return {"given": given, "options": options, "expect": {}}


def outcome(example: dict[str, Any], *facts: str) -> dict[str, Any]:
    example["expect"] = dict.fromkeys(("results", *facts))
    _, got = sequence(example)
    found: dict[str, Any] = got
    return found


def test_claims_of_one_window_are_settled_by_rank_whoever_came_first() -> None:
    example = vector(
        {"A": [5, 1], "B": [2, 2], "C": [5, "X", 3], "D": [5, 5, 4]},
        [
            {"do": "play", "player": "A", "tiles": [5]},
            {"do": "mine", "player": "C", "tiles": [5, "X"]},
            {"do": "mine", "player": "D", "tiles": [5, 5]},
        ],
        wild_mine=True,
    )
    found = outcome(example, "turn", "counts")
    assert found["results"] == ["ok", "ok", "ok"]
    assert found["turn"] == "D"
    assert found["counts"] == {"A": 1, "B": 2, "C": 3, "D": 1}


def test_a_play_may_declare_its_reading() -> None:
    lead = {"do": "play", "player": "A", "tiles": [5, 6, 7, "X", "X", "X"]}
    declared = {**lead, "as": "straight", "low": 3}
    found = outcome(vector({"A": [5, 6, 7, "X", "X", "X", 1], "B": [1]}, [lead, declared]), "table")
    assert found["results"] == ["illegal", "ok"]
    assert found["table"] == {"kind": "straight", "rank": 3, "tiles": 6}


def test_a_window_may_be_declined_by_all_but_its_opener() -> None:
    lead = {"do": "play", "player": "A", "tiles": [5]}
    decline = [{"do": "decline", "player": player} for player in "BA"]
    found = outcome(vector({"A": [5, 6], "B": [7, 8]}, [decline[0], lead, *decline]), "finished")
    assert found["results"] == ["illegal", "ok", "ok", "illegal"]
    assert found["finished"] is False
