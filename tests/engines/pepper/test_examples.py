"""Every worked example by its id, every row of the table of tricks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines.kit import examples
from engines.pepper import GAME

FOLDER = Path(__file__).parents[2] / "vectors"
VECTORS = json.loads((FOLDER / "pepper.json").read_text("utf-8"))["vectors"]
ROWS = json.loads((FOLDER / "pepper_tricks.json").read_text("utf-8"))["rows"]


def run(**document: Any) -> list[examples.Result]:
    return list(examples.run({"game": GAME.name, **document}, {GAME.name: GAME}))


def test_every_example_is_there() -> None:
    assert (len(VECTORS), len(ROWS)) == (45, 200)
    assert {len(row["hands"]) for row in ROWS} == {2, 3, 4}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_example(vector: Any) -> None:
    (result,) = run(vectors=[vector])
    assert result.ok, result


@pytest.mark.parametrize("row", ROWS, ids=[f"rows-{number}" for number in range(len(ROWS))])
def test_row(row: Any) -> None:
    (result,) = run(rows=[row])
    assert result.ok, result


def test_a_wrong_row_is_told() -> None:
    (result,) = run(rows=[{**ROWS[0], "winner": (ROWS[0]["winner"] + 1) % 4}])
    assert (result.id, result.ok) == ("rows[0]", False)


@pytest.mark.parametrize(
    ("given", "options", "expect"),
    [
        (
            {"players": 4, "dealer": 0, "calls": ["pass", "pass", "pass", "pass"]},
            {"all_pass": "stick_dealer"},
            {"status": "illegal", "next": 0, "calls_used": 3},
        ),
        (
            {"players": 4, "dealer": 0, "calls": [2, "pass", "pass", 3, "pass"]},
            {"pass_locks_out": True},
            {"status": "won", "winner": 0, "bid": 3, "calls_used": 5},
        ),
        (
            {"players": 4, "dealer": 0, "calls": [6]},
            {},
            {"status": "illegal", "best": None, "by": None},
        ),
    ],
)
def test_auctions_under_options(given: Any, options: Any, expect: Any) -> None:
    vector = {"check": "auction", "given": given, "options": options, "expect": expect}
    (result,) = run(vectors=[vector])
    assert result.ok, result
