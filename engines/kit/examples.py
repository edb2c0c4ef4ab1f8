"""Files of worked examples: a game's own checks, run and compared row by row.

A file is an object with `game` and `vectors`, a list of {id, check, given, expect, options?, actions?},
or with tables: lists of rows under other names, called `classify[0]`, `rows[3]`, .... A game that
has such files exposes in `engines.<game>.examples` the dicts CHECKS (by check) and TABLES (by table
name); each function takes the vector or the row and returns what is expected and what came out, both
in a form that `==` compares.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from engines.kit.contract import Game

Check = Callable[[Any], tuple[Any, Any]]


class ExampleFileError(ValueError):
    """A file that is no file of worked examples; the message says where it breaks the form."""


class Result(msgspec.Struct, omit_defaults=True):
    """How one example came out; expected and got are given where they differ."""

    id: str
    ok: bool
    expected: Any = None
    got: Any = None
    error: str | None = None


def subset(expect: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[Any, Any]:
    """The expected facts and the same ones of what came out; for checks that name only some facts."""
    return dict(expect), {key: facts.get(key, "(no such fact)") for key in expect}


def _run(name: str, check: Check | None, row: Any) -> Result:
    if check is None:
        return Result(name, False, error="this game has no such check")
    try:
        expected, got = check(row)
    except Exception as error:
        # A broken row must not hide the rows after it.
        return Result(name, False, error=f"{type(error).__name__}: {error}")
    if expected == got:
        return Result(name, True)
    return Result(name, False, expected, got)


def run(document: Any, games: Mapping[str, Game[Any, Any, Any]]) -> Iterator[Result]:
    """Run every example of a decoded file, in file order. Raises ExampleFileError."""
    if not isinstance(document, dict) or document.get("game") not in games:
        raise ExampleFileError(f'"game" must name one of: {", ".join(games)}')
    package = type(games[document["game"]]).__module__.rsplit(".", 1)[0]
    module = importlib.import_module(f"{package}.examples")
    checks: Mapping[str, Check] = module.CHECKS
    tables: Mapping[str, Check] = getattr(module, "TABLES", {})
    vectors = document.get("vectors", [])
    if not isinstance(vectors, list):
        raise ExampleFileError('"vectors" must be a list')
    for number, vector in enumerate(vectors):
        if not isinstance(vector, dict) or not isinstance(vector.get("check"), str):
            raise ExampleFileError(f"vectors[{number}] must be an object with a check")
        check = vector["check"]
        yield _run(str(vector.get("id", f"{check}[{number}]")), checks.get(check), vector)
    for table, rows in document.items():
        if table != "vectors" and isinstance(rows, list):
            for number, row in enumerate(rows):
                yield _run(f"{table}[{number}]", tables.get(table), row)
