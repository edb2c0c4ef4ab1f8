from __future__ import annotations

import pytest

from engines.kit.examples import ExampleFileError, run, subset
from engines.peeper import GAME

GAMES = {"peeper": GAME}


def test_vectors_and_tables_run_in_file_order() -> None:
    document = {
        "game": "peeper",
        "about": "text beside the rows is left alone",
        "vectors": [
            {"id": "A", "check": "deal", "given": {"players": 6}, "expect": {"each": 10}},
            {"id": "B", "check": "deal", "given": {"players": 6}, "expect": {"each": 9}},
        ],
        "classify": [[[5], [["single", 5, 1]]]],
    }
    results = list(run(document, GAMES))
    assert [(one.id, one.ok) for one in results] == [
        ("A", True),
        ("B", False),
        ("classify[0]", True),
    ]
    assert (results[1].expected, results[1].got) == ({"each": 9}, {"each": 10})


def test_a_broken_row_does_not_hide_those_after_it() -> None:
    document = {
        "game": "peeper",
        "vectors": [
            {"id": "broken", "check": "classify", "given": {}, "expect": []},
            {"id": "unknown", "check": "fly", "given": {}, "expect": []},
            {"check": "classify", "given": {"tiles": [5, 6]}, "expect": []},
        ],
        "nothing": [1],
    }
    results = list(run(document, GAMES))
    assert [one.ok for one in results] == [False, False, True, False]
    assert "KeyError" in str(results[0].error)
    assert "no such check" in str(results[1].error)
    assert results[2].id == "classify[2]"


@pytest.mark.parametrize(
    "document",
    [[], {"game": "bridge"}, {"game": "peeper", "vectors": {}}, {"game": "peeper", "vectors": [1]}],
)
def test_a_file_of_another_form_is_refused(document: object) -> None:
    with pytest.raises(ExampleFileError):
        list(run(document, GAMES))


def test_subset_compares_named_facts_only() -> None:
    expected, got = subset({"a": 1, "c": 2}, {"a": 1, "b": 2})
    assert expected == {"a": 1, "c": 2}
    assert got == {"a": 1, "c": "(no such fact)"}
