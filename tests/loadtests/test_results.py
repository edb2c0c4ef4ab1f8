"""The sections of RESULTS.md, and the command that makes them all."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from loadtests import all as benchmarks
from loadtests import results
from loadtests.results import Report, Target


def test_a_target_says_what_is_met() -> None:
    assert Target(1, "a", 1, 2).row() == ["1", "a", "1.00", "2: met", "-"]
    assert Target(1, "a", 1.5, 2, 1).row()[3:] == ["2: met", "1: not yet"]
    assert Target(1, "a", 3, 2, 1).row()[3] == "2: **missed**"
    assert not Target(1, "a", 3, 2).met


def test_a_report_names_command_commit_versions_and_machine(tmp_path: Path) -> None:
    report = Report("Memory", "What it is.", "Redis 7")
    report.add(results.table(("a", "b"), [["1", "2"]]))
    lines = report.conclude(False, tmp_path / "none").splitlines()
    assert not (tmp_path / "none").exists()
    assert lines[0] == "## Memory"
    assert [line for line in lines if "|" in line] == ["| a | b |", "| --- | --- |", "| 1 | 2 |"]
    told = [line.partition(":")[0] for line in lines if line.startswith("- ")]
    assert told == ["- command", "- date", "- versions", "- machine"]
    assert "picows" in lines[-2]
    assert lines[-2].endswith("Redis 7")
    assert " cores, Linux " in lines[-1]


def test_a_section_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "RESULTS.md"
    path.write_text("# Old head\n\n## History\n\nBefore and after.\n")
    for name, about in (("Cluster", "one"), ("Engines", "two"), ("Cluster", "three")):
        Report(name, about).conclude(True, path)
    text = path.read_text()
    assert text.startswith(results.HEAD)
    assert list(results.sections(text)) == ["Engines", "Cluster", "History"]
    assert "one" not in results.sections(text)["Cluster"].splitlines()
    assert text.endswith("\n\nBefore and after.\n")


def test_every_benchmark_has_a_command_and_a_section() -> None:
    assert len(benchmarks.NAMES) == len(results.ORDER)
    for name in benchmarks.NAMES:
        assert callable(importlib.import_module(f"loadtests.{name}").main)


def test_an_unknown_benchmark_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        benchmarks.main(["closet"])
    assert "there is no closet" in capsys.readouterr().err
