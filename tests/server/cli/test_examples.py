"""Tests of server/cli/examples.py: a line per id, and what a difference looks like."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import tests.vectors
from server.cli import main

VECTORS = Path(tests.vectors.__file__).parent
SUMS = {
    "id": "C99",
    "check": "score",
    "given": {},
    "expect": {},
}


def test_every_row_of_a_file_gets_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.main(["examples", "--json", str(VECTORS / "chamsaejak.json")]) == 0
    lines = [msgspec.json.decode(line) for line in capfd.readouterr().out.splitlines()]
    document = msgspec.json.decode((VECTORS / "chamsaejak.json").read_bytes())
    assert [line["id"] for line in lines] == [vector["id"] for vector in document["vectors"]]
    assert all(line == {"id": line["id"], "ok": True} for line in lines)


def test_rows_without_an_id_are_numbered(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.main(["examples", str(VECTORS / "pepper_tricks.json")]) == 0
    first = capfd.readouterr().out.splitlines()[0]
    assert first.startswith("ok ")
    assert first.endswith("[0]")


def test_what_differs_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document = msgspec.json.decode((VECTORS / "chamsaejak.json").read_bytes())
    vector = next(
        v for v in document["vectors"] if v["check"] == "score" and v["expect"].get("points")
    )
    vector["expect"]["points"] += 1
    path = tmp_path / "v.json"
    path.write_bytes(msgspec.json.encode({"game": "chamsaejak", "vectors": [vector, SUMS]}))
    assert main.main(["examples", "--json", str(path)]) == 1
    wrong, broken = (msgspec.json.decode(x) for x in capfd.readouterr().out.splitlines())
    assert (wrong["ok"], "got" in wrong) == (False, True)
    assert (broken["id"], broken["ok"], "error" in broken) == ("C99", False, True)
    assert main.main(["examples", str(path)]) == 1
    assert capfd.readouterr().out.count("FAIL") == 2


@pytest.mark.parametrize("text", ["{", '{"game":"whist"}', "[]", '{"game":"pepper","vectors":1}'])
def test_a_malformed_file_is_told_in_a_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "v.json"
    path.write_text(text)
    assert main.main(["examples", str(path)]) == 2
    assert capfd.readouterr().err.startswith("hanpan: ")
    assert main.main(["examples", str(tmp_path / "none.json")]) == 2
