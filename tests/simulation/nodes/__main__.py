"""`python -m tests.simulation.nodes --seed N`: replay a seed, or try several."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from tests.simulation.nodes.bugs import BUGS
from tests.simulation.nodes.run import run, told


def main(arguments: list[str] | None = None) -> int:
    """Run seeds and tell what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.nodes", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--bug", choices=sorted(BUGS), help="plant this bug first")
    parser.add_argument("--calm", action="store_true", help="without any fault")
    parser.add_argument("--story", action="store_true", help="print faults and commits too")
    options = parser.parse_args(arguments)
    bad = 0
    for seed in range(options.seed, options.seed + options.seeds):
        with BUGS[options.bug]() if options.bug else nullcontext():
            result = run(seed, faults=not options.calm)
        if result.wrong or options.seeds == 1:
            print(told(result, story=options.story))
        bad += bool(result.wrong)
    print(f"{options.seeds} seeds, {bad} with violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
