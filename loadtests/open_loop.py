"""Open loop: turns fall due at random times at a fixed rate, whatever the server is doing.

    python -m loadtests.open_loop [--tables 100] [--share 0.5] [--seconds 20] [--write]

The rate is a share of what the same tables reach in a closed loop in the same run. A turn's latency
counts from when it was due to its last seat's delivery, so waiting is not left out.
"""

from __future__ import annotations

import time

import msgspec

from loadtests import results
from loadtests.client import Client, all_of, crowd_of
from loadtests.closed import Place, seat, total
from loadtests.figures import LATENCY, latency, percentile
from loadtests.results import Report, Target, parser
from loadtests.script import record
from loadtests.server import Server

MOST_MS = 5
MOST_TIMES = 10
ABOUT = (
    "Turns fall due at random times (a Poisson process) at half the rate that the same tables reach in a"
    " closed loop just before. A turn's latency counts from when it was due until all four seats have it."
)


class Run(msgspec.Struct):
    """What was reached at a rate of turns a second. busy: the server, cores; latencies: in s."""

    rate: float
    turns_s: float
    busy: float
    action_us: float
    latencies: list[float]


def measure(
    tables: int, share: float, seconds: float, clients: int, matches: int
) -> tuple[float, Run]:
    """The greatest rate and the run at a share of it, on a server of its own."""
    with Server() as server, crowd_of(min(clients, tables)) as crowd:
        scripts = record(server, "peeper", 4, matches, "standard")
        seat(crowd, server, scripts, tables)
        greatest = _greatest(crowd, seconds / 4)
        return greatest, at_rate(crowd, server, greatest * share, seconds)


def _greatest(crowd: list[Client], seconds: float) -> float:
    """Turns a second in a closed loop."""
    all_of(crowd, "play", None)
    time.sleep(seconds / 2)
    all_of(crowd, "counted")
    time.sleep(seconds)
    turns = total(all_of(crowd, "counted")).turns
    all_of(crowd, "rest")
    time.sleep(0.2)
    return turns / seconds


def at_rate(crowd: list[Client], place: Place, rate: float, seconds: float) -> Run:
    """Let a seated crowd take so many turns a second."""
    all_of(crowd, "play", rate / len(crowd))
    time.sleep(min(2.0, seconds / 4))
    all_of(crowd, "counted")
    cpu = place.cpu_s()
    time.sleep(seconds)
    spent = place.cpu_s() - cpu
    seen = total(all_of(crowd, "counted"))
    all_of(crowd, "rest")
    action_us = spent / max(1, seen.actions) * 1e6
    return Run(rate, seen.turns / seconds, spent / seconds, action_us, seen.latencies)


def judge(run: Run) -> list[Target]:
    """Target 4."""
    p50, p99 = (percentile(run.latencies, share) * 1e3 for share in (0.5, 0.99))
    return [
        Target(4, "p99 of a turn, ms", p99, MOST_MS),
        Target(4, "p99 of a turn, times p50", p99 / p50, MOST_TIMES),
    ]


def main() -> None:
    """The command."""
    options = parser("open_loop")
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--share", type=float, default=0.5, help="of the greatest rate")
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--clients", type=int, default=2, help="load processes")
    options.add_argument("--scripts", type=int, default=8, help="recorded matches")
    args = options.parse_args()
    report = Report("Open loop", ABOUT)
    greatest, run = measure(args.tables, args.share, args.seconds, args.clients, args.scripts)
    head = (
        "tables", "turns a second, at most", "due", "taken", "server busy, cores",
        "CPU µs an action", f"latency of a turn, {LATENCY}",
    )  # fmt: skip
    row = [
        f"{args.tables}", f"{greatest:,.0f}", f"{run.rate:,.0f}", f"{run.turns_s:,.0f}",
        f"{run.busy:.2f}", f"{run.action_us:.0f}", latency(run.latencies),
    ]  # fmt: skip
    report.add(results.table(head, [row]), results.targets(judge(run)))
    report.conclude(args.write)


if __name__ == "__main__":
    main()
