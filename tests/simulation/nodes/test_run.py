"""A seed is a world: the same one whenever and wherever it is run, with takeovers under play."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulation.nodes.__main__ import main
from tests.simulation.nodes.bugs import BUGS
from tests.simulation.nodes.run import run, told

SEED = 0


def test_a_seed_gives_the_same_world_again_in_any_process() -> None:
    first = run(SEED)
    assert not first.wrong, told(first, story=True)
    assert len(first.world.members) > 3
    assert first.world.disk.took
    assert first.entries > 50
    code = f"from tests.simulation.nodes.run import run; print(run({SEED}).digest)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == first.digest


def test_the_command_and_a_failing_seed_tells_how_to_run_it_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--seed", str(SEED), "--calm"]) == 0
    assert f"seed {SEED}: " in capsys.readouterr().out
    with BUGS["frames_before_commit"]():
        result = run(SEED)
    assert f"python -m tests.simulation.nodes --seed {SEED} --story" in told(result)
    assert main(["--seed", str(SEED), "--bug", "frames_before_commit", "--story"]) == 1
    assert "shown before it was durable" in capsys.readouterr().out
