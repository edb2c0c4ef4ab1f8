"""Tests of tests/verify.py."""

from __future__ import annotations

import dataclasses

import pytest

from tests import verify
from tests.verify import CHECKS, ROOT, Check, Result, merged, run, section


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_check_names_suites_that_read_its_numbers(check: Check) -> None:
    files = [ROOT / word for word in check.tests.split() if word.startswith("tests/")]
    assert files
    assert all(file.exists() for file in files), check.tests
    near = [*files, *(other for file in files for other in file.parent.glob("*.py"))]
    text = "".join(file.read_text() for file in near if file.is_file())
    assert all(f'"{number}"' in text for number in check.numbers), check.numbers


def test_names_are_different() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_a_section_is_replaced_and_the_others_stay() -> None:
    first, second = CHECKS[:2]
    done = Result(True, "=== 1 passed in 2.0s ===", 2.4, ['{"what": "crash", "kills": 7}'])
    text = merged("", {second.name: section(second, done, "2026-01-01", "abc")})
    text = merged(text, {first.name: section(first, done, "2026-01-02", "def")})
    assert text.index(first.name) < text.index(second.name)
    assert "Passed on 2026-01-01 at commit abc" in text
    assert "crash: kills 7" in text
    failed = Result(False, "1 failed", 1, [])
    text = merged(text, {first.name: section(first, failed, "2026-01-03", "123")})
    assert "2026-01-02" not in text
    assert "**Failed** on 2026-01-03" in text
    assert "commit abc" in text
    assert merged(text, {}) == text


def test_a_check_is_run_and_ended_in_time() -> None:
    good = Check("x", "", "tests/test_verify.py -k names_are_different", 120)
    done = run(good)
    assert done.ok
    assert "1 passed" in done.last
    late = run(dataclasses.replace(good, limit_s=0))
    assert not late.ok
    assert "not finished" in late.last


def test_an_unknown_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main(["G99"]) == 2
    assert "G12 fuzz" in capsys.readouterr().err
