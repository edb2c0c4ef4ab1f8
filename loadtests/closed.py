"""Closed loop: tables of four play recorded matches as fast as the server lets them.

    python -m loadtests.closed [--tables 10 100 500 2000] [--seconds 3] [--windows 5] [--write]

The server's CPU an action (all but declines) and a delivered frame, the latency from a turn's send to
its last seat, the share of turns that open a window (in Peeper: singles), and beside them what a bare
`send()` of frames of the same sizes costs in the same run. At the end the tenths of the longest match.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Protocol

import msgspec

from loadtests import longest, results
from loadtests.bare import Bare
from loadtests.client import Client, all_of, crowd_of
from loadtests.figures import LATENCY, latency, spread
from loadtests.replay import Counts
from loadtests.results import Report, Target, parser, progress
from loadtests.script import Script, record
from loadtests.server import Server

FIRST_US, GOAL_US = 450, 300
FIRST_SENDS, GOAL_SENDS = 3, 2
FLAT = 1.3
MOST_LOAD = 0.8
"""The share of a core above which a load process may be what the server waits for."""
ABOUT = (
    "Tables of four play recorded matches at `instant`, every answer as soon as its request has come:"
    " rules, views for every seat, claim windows, the journal at `synchronous=FULL` before anything is"
    " shown. CPU counts everything the server does, declines and `ok`s included; declines are no"
    " actions. The same load processes read frames of the same sizes from a bare `send()` afterwards."
)


class Place(Protocol):
    """Where the tables are: one server, or several."""

    @property
    def ways(self) -> list[tuple[str, str | None]]:
        """Where players connect, and who makes their tables if not the same server."""

    def cpu_s(self) -> float:
        """CPU seconds of all server processes so far."""

    def beside_s(self) -> float:
        """CPU seconds of what serves them, such as Redis."""


class Run(msgspec.Struct):
    """The figures of one number of tables, a value a window. CPU in µs.

    beside_us: an action's at what serves the servers; busy: the servers, cores; busiest: the load process
    with the most to do, share of a core; load_us: an action's in all load processes.
    """

    tables: int
    action_us: list[float] = []
    frame_us: list[float] = []
    beside_us: list[float] = []
    actions_s: list[float] = []
    busy: list[float] = []
    busiest: list[float] = []
    load_us: list[float] = []
    latencies: list[float] = []
    frames: int = 0
    actions: int = 0
    turns: int = 0
    opened: int = 0
    declines: int = 0
    octets: int = 0
    matches: int = 0
    sizes: list[int] = []
    bare_us: float = 0.0
    burst_us: float = 0.0


def total(counts: list[Counts]) -> Counts:
    """The sum of what several clients counted. Raises RuntimeError if one of them saw an error."""
    errors = [error for one in counts for error in one.errors]
    if errors:
        raise RuntimeError(f"{len(errors)} errors, the first: {errors[0]}")
    whole = Counts()
    for one in counts:
        for field in Counts.__struct_fields__:
            setattr(whole, field, getattr(whole, field) + getattr(one, field))
    return whole


def measure(scripts: list[Script], tables: int, clients: int, seconds: float, windows: int) -> Run:
    """One run on a server of its own, then the same frames by a bare `send()`."""
    run = Run(tables)
    bare = Bare()
    try:
        with crowd_of(min(clients, tables)) as crowd:
            with Server() as server:
                play(run, server, crowd, scripts, seconds, windows)
            bare.fill(crowd, tables * scripts[0].seats)
            run.burst_us = bare.send(run.sizes)
            rate = statistics.median(run.actions_s) * run.frames / run.actions
            run.bare_us = bare.send(run.sizes, rate)
    finally:
        bare.close()
    return run


def play(
    run: Run,
    place: Place,
    crowd: list[Client],
    scripts: list[Script],
    seconds: float,
    windows: int,
) -> None:
    """Seat the crowd at this place and measure; afterwards the tables stand as they are."""
    seat(crowd, place, scripts, run.tables)
    all_of(crowd, "play", None)
    time.sleep(seconds)  # caches, connections and the first rounds' deals
    spent = [one.cpu_s for one in _counted(crowd)]
    for _ in range(windows):
        spent = _window(run, place, crowd, seconds, spent)
    all_of(crowd, "rest")


def seat(crowd: list[Client], place: Place, scripts: list[Script], tables: int) -> None:
    """Spread the tables over the clients, and these over the ways into the place."""
    ways = place.ways
    for i, client in enumerate(crowd):
        share = tables // len(crowd) + (i < tables % len(crowd))
        url, owner = ways[i % len(ways)]
        client.tell("sit", url, scripts[i:] + scripts[:i], share, "instant", owner)
    for client in crowd:
        client.hear()


def _counted(crowd: list[Client]) -> list[Counts]:
    return list(all_of(crowd, "counted"))


def _window(
    run: Run, place: Place, crowd: list[Client], seconds: float, before: list[float]
) -> list[float]:
    """One window; the load processes' CPU seconds at its end."""
    began, cpu, beside = time.perf_counter(), place.cpu_s(), place.beside_s()
    time.sleep(seconds)
    spent, beside = place.cpu_s() - cpu, place.beside_s() - beside
    took = time.perf_counter() - began
    counted = _counted(crowd)
    after = [one.cpu_s for one in counted]
    load = [now - then for now, then in zip(after, before, strict=True)]
    seen = total(counted)
    run.action_us.append(spent / max(1, seen.actions) * 1e6)
    run.frame_us.append(spent / max(1, seen.frames) * 1e6)
    run.beside_us.append(beside / max(1, seen.actions) * 1e6)
    run.actions_s.append(seen.actions / took)
    run.busy.append(spent / took)
    run.busiest.append(max(load) / took)
    run.load_us.append(sum(load) / max(1, seen.actions) * 1e6)
    for field in ("latencies", "frames", "actions", "turns", "opened", "declines", "octets"):
        setattr(run, field, getattr(run, field) + getattr(seen, field))
    run.matches += seen.matches
    run.sizes = run.sizes or seen.sizes
    return after


# -- what it says ----------------------------------------------------------------------------------------
COSTS = (
    "tables", "CPU µs an action", "CPU µs a frame", "bare send() µs at this rate / in a burst",
    "actions a second", f"latency of a turn, {LATENCY}",
)  # fmt: skip
SHAPES = (
    "tables", "singles among turns", "declines an action", "frames an action", "bytes a frame",
    "matches ended", "server busy, cores", "busiest load process", "load CPU µs an action",
)  # fmt: skip


def costs(run: Run) -> list[str]:
    """A line under `COSTS`."""
    return [
        f"{run.tables:,}",
        spread(run.action_us),
        spread(run.frame_us, 1),
        f"{run.bare_us:.1f} / {run.burst_us:.1f}",
        spread(run.actions_s),
        latency(run.latencies),
    ]


def shape(run: Run) -> list[str]:
    """A line under `SHAPES`: what was played, and who was busy with it."""
    return [
        f"{run.tables:,}",
        f"{run.opened / max(1, run.turns):.0%}",
        f"{run.declines / run.actions:.2f}",
        f"{run.frames / run.actions:.1f}",
        f"{run.octets / run.frames:.0f}",
        f"{run.matches:,}",
        spread(run.busy, 2),
        spread(run.busiest, 2),
        spread(run.load_us),
    ]


def limit(runs: list[Run]) -> str:
    """Whether the load processes could have sent more."""
    most = max(share for run in runs for share in run.busiest)
    said = "they are not the limit" if most < MOST_LOAD else "**they are the limit**"
    return f"No load process took more than {most:.2f} of a core in any window: {said}."


def judge(runs: list[Run]) -> Iterator[Target]:
    """Targets 1 and, over the numbers of tables, 7."""
    middle = {run.tables: statistics.median(run.action_us) for run in runs}
    for run in runs:
        if run.tables in (100, 500):
            name = f"CPU µs an action at {run.tables} tables"
            yield Target(1, name, middle[run.tables], FIRST_US, GOAL_US)
            sends = statistics.median(run.frame_us) / run.bare_us
            name = f"CPU a frame at {run.tables} tables, in bare sends"
            yield Target(1, name, sends, FIRST_SENDS, GOAL_SENDS)
    if len(runs) > 1:
        name = f"CPU an action from {min(middle):,} to {max(middle):,} tables, most to least"
        yield Target(7, name, max(middle.values()) / min(middle.values()), FLAT)


def main() -> None:
    """The command."""
    options = parser("closed")
    options.add_argument("--tables", type=int, nargs="+", default=[10, 100, 500, 2_000])
    options.add_argument("--seconds", type=float, default=3.0, help="length of a window")
    options.add_argument("--windows", type=int, default=5)
    options.add_argument("--clients", type=int, default=2, help="load processes")
    options.add_argument("--scripts", type=int, default=8, help="recorded matches")
    options.add_argument("--game", default="peeper")
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--ruleset", default="standard")
    args = options.parse_args()
    report = Report("Closed loop", ABOUT)
    with Server() as server:
        scripts = record(server, args.game, args.seats, args.scripts, args.ruleset)
    lengths = sorted(script.actions for script in scripts)
    report.add(
        f"{len(scripts)} matches of {args.game} ({args.ruleset}), {lengths[0]} to {lengths[-1]}"
        f" actions; {args.windows} windows of {args.seconds:g} s."
    )
    runs = []
    for tables in args.tables:
        runs.append(measure(scripts, tables, args.clients, args.seconds, args.windows))
        progress(" | ".join(costs(runs[-1])))
    report.add(results.table(COSTS, map(costs, runs)), results.table(SHAPES, map(shape, runs)))
    report.add(limit(runs))
    found = list(judge(runs))
    if args.game == "peeper":
        tenths = longest.measure()
        report.add(longest.told(tenths))
        found.append(longest.target(tenths, FLAT))
    report.add(results.targets(found))
    report.conclude(args.write)


if __name__ == "__main__":
    main()
