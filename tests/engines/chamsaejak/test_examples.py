"""The worked examples, each under its own id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines.chamsaejak import GAME, examples
from engines.kit.examples import run

VECTORS = Path(__file__).parents[2] / "vectors"
GAMES = {GAME.name: GAME}


def _document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / name).read_text())
    return found


HAND_MADE = _document("chamsaejak.json")
HANDS = _document("chamsaejak_hands.json")


@pytest.mark.parametrize("vector", HAND_MADE["vectors"], ids=lambda vector: str(vector["id"]))
def test_vector(vector: dict[str, Any]) -> None:
    expected, got = examples.CHECKS[vector["check"]](vector)
    assert got == expected


@pytest.mark.parametrize("row", HANDS["rows"], ids=lambda row: str(row[0]))
def test_row(row: list[Any]) -> None:
    expected, got = examples.TABLES["rows"](row)
    assert got == expected


def test_files_run_through_the_kit() -> None:
    results = [*run(HAND_MADE, GAMES), *run(HANDS, GAMES)]
    assert len(results) == len(HAND_MADE["vectors"]) + 160
    assert all(result.ok for result in results)


def test_every_check_can_fail() -> None:
    wrong = {
        "score": {"can_win": None},
        "tsumo": {"share": -1},
        "ron": {"delta": []},
        "false_win": {"hand_resumes": False},
        "legality": {"ron": None, "tsumo": None},
        "setup": {"stock": -1},
        "next_dealer": {"next_dealer": -1},
    }
    for vector in HAND_MADE["vectors"]:
        spoiled = {**vector, "expect": wrong[vector["check"]]}
        expected, got = examples.CHECKS[vector["check"]](spoiled)
        assert got != expected


def test_incomplete_row_is_told() -> None:
    expected, got = examples.TABLES["rows"](["1 1 2 2 F C", 2, 0, 0, None])
    assert got is None
    assert expected == [2, 0, 0, None]


@pytest.mark.parametrize(
    ("result", "dealer", "following"),
    [
        ("dealer tsumo", 3, 0),
        ("dealer ron", 1, 2),
        ("non-dealer tsumo", 1, 2),
        ("ron", 0, 1),
        ("drawn", 2, 3),
    ],
)
def test_dealer_marker_always_passes(result: str, dealer: int, following: int) -> None:
    vector = {
        "given": {"dealer": dealer, "players": 4, "result": result},
        "expect": {"next_dealer": following},
    }
    expected, got = examples.CHECKS["next_dealer"](vector)
    assert got == expected


@pytest.mark.parametrize("kind", ["draw", "discard"])
def test_a_false_win_under_penalty_is_no_win(kind: str) -> None:
    vector = {
        "given": {"hand": "2 3 5 5 5", kind: "4"},
        "options": {"false_win": "penalty"},
        "expect": {"ron": False, "tsumo": False, "points": 4},
    }
    expected, got = examples.CHECKS["legality"](vector)
    assert got == expected
