"""The JavaScript clients under Node: their own tests, their types, and what is generated."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hanpan_server import hanpan_server
from tests.support.node import CLIENTS, modules, run

ROOT = CLIENTS.parent


def node_tests(folder: str) -> str:
    """Run a folder's tests; there must be some."""
    files = sorted(str(path) for path in (CLIENTS / folder / "test").glob("*.test.js"))
    assert files
    return run("--test", *files)


def test_the_sdk_passes_its_tests() -> None:
    out = node_tests("js")
    assert "fail 0" in out


def test_the_bot_of_the_readme_plays_on_a_real_server() -> None:
    with hanpan_server() as server:
        path = CLIENTS / "js" / "test" / "readme.test.js"
        out = run("--test", str(path), HANPAN_URL=server.url)
    assert "fail 0" in out


def test_the_page_passes_its_tests_without_a_browser() -> None:
    out = node_tests("web")
    assert "fail 0" in out


@pytest.mark.parametrize("project", ["js", "web"])
def test_types_are_right(project: str) -> None:
    run(str(modules() / "typescript" / "bin" / "tsc"), "-p", project)


@pytest.mark.parametrize(
    "command", [["clients/js/generate.py"], ["-m", "protocol.spec.generate"]], ids=["js", "schema"]
)
def test_generated_files_are_up_to_date(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *command, "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr


def test_a_stale_file_is_found(tmp_path: Path) -> None:
    import protocol.spec.generate as generate

    stale = tmp_path / "protocol.schema.json"
    stale.write_text("{}")
    before = generate.PATH
    try:
        generate.PATH = stale
        assert generate.main(["--check"]) == 1
        assert generate.main([]) == 0
        assert generate.main(["--check"]) == 0
    finally:
        generate.PATH = before
