"""Fan-out: a table that thousands watch, beside a bare `send()` to as many sockets in the same run.

    python -m loadtests.fanout [--spectators 1000 5000] [--seconds 15] [--write]

Ten tables play turns at random times; the first of them is watched: the server's CPU a delivery, and the
players' latency with and without the spectators.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import msgspec

from loadtests import results
from loadtests.bare import Bare
from loadtests.client import Client, all_of, crowd_of
from loadtests.closed import total
from loadtests.figures import LATENCY, latency, percentile, spread
from loadtests.results import Report, Target, parser, progress
from loadtests.script import Script, record
from loadtests.server import Server

TABLES = 10
FIRST_SENDS, GOAL_SENDS = 2, 1.4
MOST_P99 = 1.5
WINDOWS = 3
SETTLE_S = 2.0
DELIVERIES_S = 15_000
"""Deliveries a second to aim at, so that a core is about a third busy however many watch."""
ABOUT = (
    "Ten tables play turns at random times; the first of them is watched by that many sockets. A"
    " delivery's CPU is what the server spends beyond the players' own turns, measured before they came;"
    " a bare `send()` of a frame of the same size goes to as many sockets of the same load processes"
    " afterwards. The spectators' load processes give way to the players'."
)


class Run(msgspec.Struct):
    """The figures of one number of spectators. CPU in µs a delivery; latencies in s."""

    spectators: int
    turns_s: float
    base_us: float = 0.0
    delivery_us: list[float] = []
    alone: list[float] = []
    watched: list[float] = []
    deliveries_s: list[float] = []
    frame: int = 0
    bare_us: float = 0.0


def measure(scripts: list[Script], spectators: int, seconds: float, clients: int) -> Run:
    """One run on a server of its own."""
    # A turn at the watched table is about one and a half frames to each spectator.
    run = Run(spectators, min(100.0, TABLES * DELIVERIES_S / 1.5 / spectators))
    bare = Bare()
    try:
        with crowd_of(1) as (players,), crowd_of(clients, behind=True) as crowd:
            with Server() as server:
                first = players.ask("sit", server.url, scripts, TABLES, "instant")[0]
                players.ask("play", run.turns_s)
                _rest(players)
                run.base_us = _without(run, server, players, seconds)
                for client in crowd:
                    client.tell("watch", server.url, first, spectators // clients)
                for client in crowd:
                    client.hear()
                _rest(players, *crowd)
                for _ in range(WINDOWS):
                    _window(run, server, players, crowd, seconds / WINDOWS)
                players.ask("rest")
            bare.fill(crowd, spectators)
            run.bare_us = bare.send([run.frame] * spectators * 4)
    finally:
        bare.close()
    return run


def _rest(*clients: Client) -> None:
    time.sleep(SETTLE_S)
    all_of(list(clients), "counted")


def _without(run: Run, server: Server, players: Client, seconds: float) -> float:
    """The players' latencies without spectators; what a turn costs then, in µs."""
    cpu = server.cpu_s()
    time.sleep(seconds)
    seen = total([players.ask("counted")])
    run.alone = seen.latencies
    return (server.cpu_s() - cpu) / max(1, seen.turns) * 1e6


def _window(run: Run, server: Server, players: Client, crowd: list[Client], seconds: float) -> None:
    cpu, began = server.cpu_s(), time.perf_counter()
    time.sleep(seconds)
    spent = (server.cpu_s() - cpu) * 1e6
    took = time.perf_counter() - began
    seen = total([players.ask("counted")])
    theirs = total(all_of(crowd, "counted"))
    run.delivery_us.append((spent - run.base_us * seen.turns) / max(1, theirs.watched))
    run.watched += seen.latencies
    run.deliveries_s.append(theirs.watched / took)
    if theirs.watched:
        run.frame = theirs.octets // theirs.watched


HEAD = (
    "spectators", "turns a second", "CPU µs a delivery", "bare send() µs", "bytes",
    "deliveries a second", f"players without them, {LATENCY}", "players with them",
)  # fmt: skip


def row(run: Run) -> list[str]:
    """A line under `HEAD`."""
    return [
        f"{run.spectators:,}",
        f"{run.turns_s:.0f}",
        spread(run.delivery_us, 1),
        f"{run.bare_us:.1f}",
        f"{run.frame}",
        spread(run.deliveries_s),
        latency(run.alone),
        latency(run.watched),
    ]


def judge(run: Run) -> Iterator[Target]:
    """Target 2."""
    sends = statistics.median(run.delivery_us) / run.bare_us
    name = f"CPU a delivery to {run.spectators:,}, in bare sends"
    yield Target(2, name, sends, FIRST_SENDS, GOAL_SENDS)
    p99 = percentile(run.watched, 0.99) / percentile(run.alone, 0.99)
    name = f"players' p99 with {run.spectators:,} spectators, times that without"
    yield Target(2, name, p99, MOST_P99)


def main() -> None:
    """The command."""
    options = parser("fanout")
    options.add_argument("--spectators", type=int, nargs="+", default=[1_000, 5_000])
    options.add_argument("--seconds", type=float, default=15.0)
    options.add_argument("--clients", type=int, default=2, help="load processes of spectators")
    options.add_argument("--scripts", type=int, default=8, help="recorded matches")
    args = options.parse_args()
    report = Report("Fan-out", ABOUT)
    with Server() as server:
        scripts = record(server, "peeper", 4, args.scripts, "standard")
    runs = []
    for spectators in args.spectators:
        runs.append(measure(scripts, spectators, args.seconds, args.clients))
        progress(" | ".join(row(runs[-1])))
    report.add(results.table(HEAD, map(row, runs)))
    report.add(results.targets(target for run in runs for target in judge(run)))
    report.conclude(args.write)


if __name__ == "__main__":
    main()
