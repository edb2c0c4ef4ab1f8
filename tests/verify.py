"""`make verify`: runs the suites with their long numbers, each in bounded time, and writes RELIABILITY.md.

python -m tests.verify [NAME …]: all checks, or those whose names begin so; the sections of others stay
as they were, with the date and commit of their own run. The exit code is 1 if one failed.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from loadtests.results import commit_name, sections

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "RELIABILITY.md"
HEAD = """# What was measured of the promises

Written by `make verify` (`python -m tests.verify`); a section is one check with the command that repeats
it. `make test` runs the same suites with small numbers.
"""


@dataclass(frozen=True)
class Check:
    """One promise's suite. numbers: environment that makes it long; limit_s: what it may take."""

    name: str
    promise: str
    tests: str
    limit_s: int
    numbers: dict[str, str] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """What repeats it."""
        numbers = "".join(f"{name}={value} " for name, value in self.numbers.items())
        return f"{numbers}.venv/bin/pytest -q {self.tests}"


CRASH = "tests/server/test_crash.py"
CLUSTER = "tests/server/cluster"
CHECKS = [
    Check(
        "G1 one process",
        "0 acknowledged actions lost, 0 applied twice by kill -9 with 50 tables under play",
        f"{CRASH} -k kill_9",
        3_600,
        {"HANPAN_KILLS": "1000"},
    ),
    Check(
        "G1 disk",
        "nothing acknowledged is lost by a loss of power, a full disk, a locked file",
        f"{CRASH} tests/server/journal/test_sqlite_faults.py -k 'not kill_9_at_any'",
        900,
    ),
    Check(
        "G1 several processes",
        "the same for 1,000 owners and 200 Redis servers killed",
        f"{CLUSTER}/test_kills.py",
        3_600,
        {"HANPAN_OWNER_KILLS": "1000", "HANPAN_REDIS_KILLS": "200"},
    ),
    Check(
        "Chaos",
        "0 violations in 5 minutes with a process or Redis killed, stopped or cut off every 5 s,"
        " 100 tables of all games, 50 people who play and watch",
        f"{CLUSTER}/test_chaos.py",
        900,
        {
            "HANPAN_CHAOS_FAULTS": "60",
            "HANPAN_CHAOS_EVERY_S": "5",
            "HANPAN_CHAOS_TABLES": "100",
            "HANPAN_CHAOS_PEOPLE": "50",
        },
    ),
    Check(
        "G2 takeover",
        "every table of a killed owner goes on within the lease and 2 s",
        f"{CLUSTER}/test_many_tables.py",
        900,
        {"HANPAN_TAKEOVER_TABLES": "200", "HANPAN_TAKEOVER_LEASE_MS": "5000"},
    ),
    Check(
        "G3 stopped owners",
        "0 entries accepted from 100 owners stopped past their lease and continued",
        f"{CLUSTER}/test_takeover.py -k stood_still",
        5_400,
        {"HANPAN_STOPPED_OWNERS": "100"},
    ),
    Check(
        "G3 model",
        "fence and lease hold in every order of lost replies and repeats, checked by spin",
        "tests/models",
        1_800,
        {"HANPAN_LEASE_ENDS": "2"},
    ),
    Check(
        "G3 partition",
        "a process cut off from Redis, one way and both ways: no fork, and it stays responsive",
        f"{CLUSTER}/test_partition.py",
        900,
    ),
    Check(
        "Redis away",
        "Redis stopped for 60 s under play: 0 disconnects, tables stand still, say so and go on",
        f"{CLUSTER}/test_redis_away.py",
        900,
        {"HANPAN_REDIS_AWAY_S": "60"},
    ),
    Check(
        "Lost messages",
        "every stream contiguous while Redis ends the subscribers' connections in a burst",
        f"{CLUSTER}/test_loss.py",
        900,
        {"HANPAN_SUBSCRIBER_KILLS": "200"},
    ),
    Check(
        "Upgrade",
        "the next version beside the old one, the old one drained: no table lost, no number doubled",
        f"{CLUSTER}/test_upgrade.py",
        900,
    ),
    Check(
        "G4 streams",
        "every stream contiguous over forced reconnects; everyone back after a restart (G9)",
        f"{CLUSTER}/test_clients.py",
        3_600,
        {"HANPAN_RECONNECTS": "10000", "HANPAN_HERD": "2000"},
    ),
    Check(
        "Simulation",
        "every promise of one process holds under seeded faults on virtual time; planted bugs are found",
        "tests/simulation",
        7_200,
        {"HANPAN_SEEDS": "20000"},
    ),
    Check(
        "Simulation of three nodes",
        "the same for three processes around one Redis: no fork, nothing lost, every table goes on",
        "tests/simulation/nodes/test_seeds.py tests/simulation/nodes/test_bugs.py",
        7_200,
        {"HANPAN_NODE_SEEDS": "3000"},
    ),
    Check(
        "G5 windows",
        "every claim window resolves once, by the rule, over 100,000 checked histories",
        "tests/server/core/test_claims.py",
        3_600,
        {"HANPAN_HISTORIES": "100000"},
    ),
    Check(
        "G6 noninterference",
        "worlds equal in what a viewer may know give that viewer the same bytes: 10,000 pairs a game",
        "tests/server/core/test_noninterference.py",
        7_200,
        {"HANPAN_PAIRS": "10000"},
    ),
    Check(
        "G7 deals",
        "unbiased deals from a keyed stream: chi-square",
        "tests/engines/kit/test_stream.py tests/engines/kit/test_dealer.py",
        600,
    ),
    Check(
        "G8 hostile sockets",
        "200 stalled and 50 flooding sockets: memory and other tables' answers",
        "tests/server/test_hostile.py",
        900,
        {
            "HANPAN_STALLED": "200",
            "HANPAN_FLOODING": "50",
            "HANPAN_SPREAD_S": "20",
            "HANPAN_HOSTILE_S": "120",
        },
    ),
    Check(
        "G8 and G10 soak",
        "300 tables of bots beside 200 stalled and 50 flooding sockets for 30 minutes",
        "tests/server/test_soak.py",
        3_600,
        {
            "HANPAN_SOAK_S": "1800",
            "HANPAN_SOAK_TABLES": "300",
            "HANPAN_STALLED": "200",
            "HANPAN_FLOODING": "50",
            "HANPAN_SPREAD_S": "20",
        },
    ),
    Check(
        "G9 drain",
        "shutdown within 10 s with 2,000 sockets, all told when to resume",
        "tests/server/test_drain.py",
        600,
        {"HANPAN_SOCKETS": "2000"},
    ),
    Check(
        "G10 watchdog",
        "a frozen process ends within 6 s",
        "tests/server/runtime/test_watchdog.py",
        300,
    ),
    Check(
        "G12 WebSocket suite",
        "the 247 core cases of the WebSocket suite",
        "tests/server/transport/test_conformance.py",
        900,
        {"HANPAN_VERIFY": "1"},
    ),
    Check(
        "G12 fuzz",
        "0 uncaught exceptions over spoiled frames and messages",
        "tests/server/test_fuzz.py",
        3_600,
        {"HANPAN_FUZZ": "1000000", "HANPAN_FUZZ_SEED": "7"},
    ),
    Check(
        "G13 rules of the games",
        "every game keeps the contract over random matches",
        "tests/engines/test_conformance.py",
        3_600,
        {"HANPAN_CONFORMANCE": "2000"},
    ),
]


@dataclass(frozen=True)
class Result:
    """How a check ended. figures: what its tests reported, a line each."""

    ok: bool
    last: str
    seconds: float
    figures: list[str]


def run(check: Check) -> Result:
    """Run a check; it is ended when its time is over."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "figures"
        output = Path(folder) / "output"
        began = time.monotonic()
        with output.open("wb") as sink:
            process = subprocess.Popen(
                f"exec {sys.executable} -m pytest -q -p no:cacheprovider {check.tests}",
                shell=True,
                cwd=ROOT,
                env={**os.environ, **check.numbers, "HANPAN_REPORT": str(lines)},
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            code: int | None = process.wait(check.limit_s)
        except subprocess.TimeoutExpired:
            code = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        seconds = time.monotonic() - began
        said = [line for line in output.read_text(errors="replace").splitlines() if line.strip()]
        last = said[-1] if said else "nothing was said"
        if code is None:
            last = f"not finished within {check.limit_s} s"
        elif code:
            print("\n".join(said), file=sys.stderr)
        figures = lines.read_text().splitlines() if lines.exists() else []
        return Result(code == 0, last, seconds, figures)


def section(check: Check, result: Result, when: str, commit: str) -> str:
    """A check's part of the report."""
    told = [
        f"{'Passed' if result.ok else '**Failed**'} on {when} at commit {commit}"
        f" ({platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()},"
        f" {result.seconds:.0f} s): {result.last.strip('= ')}",
    ]
    told += [_sentence(json.loads(line)) for line in result.figures]
    lines = "\n".join(f"- {line}" for line in told)
    return f"## {check.name}\n\n{check.promise}\n\n{lines}\n- `{check.command}`\n"


def _sentence(figures: dict[str, object]) -> str:
    what = figures.pop("what")
    parts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())
    return f"{what}: {parts}"


def merged(text: str, new: dict[str, str]) -> str:
    """The report with these sections new and the others as they were, in the order of the checks."""
    kept = sections(text) | new
    order = [check.name for check in CHECKS if check.name in kept]
    return HEAD + "".join(f"\n{kept[name]}" for name in order)


def main(names: list[str]) -> int:
    """Run the named checks, or all; the exit code."""
    chosen = [c for c in CHECKS if not names or any(c.name.startswith(n) for n in names)]
    if not chosen:
        print(f"no such check; there are: {', '.join(c.name for c in CHECKS)}", file=sys.stderr)
        return 2
    failed = False
    for check in chosen:
        print(f"{check.name}: {check.command}", flush=True)
        result = run(check)
        failed |= not result.ok
        print(f"{check.name}: {'passed' if result.ok else 'FAILED'}: {result.last}", flush=True)
        when = datetime.now(UTC).strftime("%Y-%m-%d")
        before = REPORT.read_text() if REPORT.exists() else ""
        new = {check.name: section(check, result, when, commit_name())}
        REPORT.write_text(merged(before, new))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
