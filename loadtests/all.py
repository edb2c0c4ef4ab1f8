"""Every benchmark, one after the other, each in a process of its own.

    python -m loadtests.all [--write] [NAME …]

For a quiet machine: with `--write` it makes RESULTS.md, a section at a time, in about a quarter of an
hour. The exit code is 1 if one of them ended with an error; a missed target is none.
"""

from __future__ import annotations

import subprocess
import sys

from loadtests.results import parser, progress

NAMES = ("engines", "closed", "open_loop", "fanout", "memory", "cluster")
LIMIT_S = 1_200
"""What one benchmark may take."""


def main(words: list[str] | None = None) -> int:
    """The command; the exit code."""
    options = parser("all")
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    args = options.parse_args(words)
    unknown = [name for name in args.names if name not in NAMES]
    if unknown:
        options.error(f"there is no {unknown[0]}; there are: {', '.join(NAMES)}")
    failed = False
    for name in args.names or NAMES:
        progress(name)
        command = [sys.executable, "-m", f"loadtests.{name}", *(["--write"] if args.write else [])]
        try:
            failed |= subprocess.run(command, check=False, timeout=LIMIT_S).returncode != 0
        except subprocess.TimeoutExpired:
            progress(f"{name} did not end within {LIMIT_S} s")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
