"""A seed is a world: the same one whenever and wherever it is run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulation.__main__ import main
from tests.simulation.bugs import BUGS
from tests.simulation.run import run, told

SEED = 5


def test_a_seed_gives_the_same_world_again() -> None:
    first = run(SEED)
    run(SEED + 1)
    again = run(SEED)
    assert (first.digest, first.virtual_s) == (again.digest, again.virtual_s)
    assert run(SEED + 1).digest != first.digest


def test_another_process_runs_the_same_world() -> None:
    code = f"from tests.simulation.run import run; print(run({SEED}).digest)"
    for number in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": number}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == run(SEED).digest


def test_a_world_is_a_whole_match_under_faults() -> None:
    result = run(SEED)
    assert not result.wrong
    assert len(result.world.nodes) > 3
    assert result.entries > 50
    assert result.virtual_s > 20


def test_a_failing_seed_tells_how_to_run_it_again() -> None:
    with BUGS["delivered_twice"]():
        result = run(SEED)
    assert f"python -m tests.simulation --seed {SEED} --story" in told(result)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", str(SEED)]) == 0
    assert f"seed {SEED}: " in capsys.readouterr().out
    assert main(["--seed", str(SEED), "--bug", "delivered_twice", "--story"]) == 1
    assert "is not contiguous" in capsys.readouterr().out
