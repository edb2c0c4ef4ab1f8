"""Runs spin: a Promela model checked through, or the planted fault that it must find.

`python -m tests.models.spin` checks everything; it needs spin and a C compiler.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.needs import not_run

HERE = Path(__file__).parent
MEMORY_MB = 1024


def check(model: str, plant: int = 0, **sizes: int) -> tuple[int, int]:
    """How many errors and how many states. plant: which fault is built in; sizes: of the model.

    Stops at the first error. A search that is not complete without an error is an AssertionError.
    """
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            not_run(f"no {tool} here; .ci/setup installs it")
    with tempfile.TemporaryDirectory(prefix="hanpan-spin-") as folder:
        defines = [f"-D{name}={value}" for name, value in {"PLANT": plant, **sizes}.items()]
        _run(folder, "spin", "-a", *defines, str(HERE / f"{model}.pml"))
        limits = (f"-DMEMLIM={MEMORY_MB}", "-DCOLLAPSE")
        _run(folder, "gcc", "-O2", "-w", "-DSAFETY", *limits, "-o", "pan", "pan.c")
        # -E: waiting for ever is no error here, a call may simply get lost.
        told = _run(folder, "./pan", "-E", "-n", "-m500000")
    errors = int(_number(r"errors: (\d+)", told))
    states = int(_number(r"([\d.e+]+) states, stored", told))
    assert errors or "Search not completed" not in told, told
    assert "max search depth too small" not in told, told
    return errors, states


def _run(folder: str, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found is not None, text
    return float(found.group(1))


def main() -> int:
    """Check the model through, and every planted fault."""
    for plant, name in enumerate(["as it is", *PLANTS]):
        # What is planted is found in the smallest one.
        errors, states = check("fence", plant, ENDS=2 if plant == 0 else 1)
        print(f"fence, {name}: {errors} errors, {states} states", flush=True)
        if (errors > 0) != (plant > 0):
            return 1
    return 0


PLANTS = (
    "no fence check",
    "acknowledged before the append",
    "a repeat appended anew",
    "taken without the next fence",
)

if __name__ == "__main__":
    sys.exit(main())
