"""Closed loop: tables of four play recorded matches as fast as the server lets them.

    python -m loadtests.closed [--tables 10 100 500 2000] [--seconds 3] [--windows 5]

Prints the server's CPU an action (all but declines) and a delivered frame, the latency from a turn's
send to its last seat, the share of turns that open a window (in Peeper: singles), and beside them what
a bare `send()` of frames of the same sizes costs in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import time

import msgspec

from loadtests.bare import Bare
from loadtests.client import Client, all_of
from loadtests.figures import header, latency, spread, verdict
from loadtests.replay import Counts
from loadtests.script import Script, record
from loadtests.server import Server

FIRST_US, GOAL_US = 450, 300
FIRST_SENDS, GOAL_SENDS = 3, 2
FLAT = 1.3


class Run(msgspec.Struct):
    """The figures of one number of tables, a value a window. CPU in µs; clients: a share of a core."""

    tables: int
    action_us: list[float] = []
    frame_us: list[float] = []
    actions_s: list[float] = []
    busy: list[float] = []
    clients: list[float] = []
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
    """One run on a server of its own."""
    run = Run(tables)
    crowd = [Client() for _ in range(min(clients, tables))]
    bare = Bare()
    try:
        with Server() as server:
            seat(crowd, server, scripts, tables)
            all_of(crowd, "play", None)
            time.sleep(seconds)  # caches, connections and the first rounds' deals
            total(all_of(crowd, "counted"))
            before = total(all_of(crowd, "counted")).cpu_s
            for _ in range(windows):
                before = _window(run, server, crowd, seconds, before)
            all_of(crowd, "rest")
        bare.fill(crowd, tables * scripts[0].seats)
        run.burst_us = bare.send(run.sizes)
        run.bare_us = bare.send(
            run.sizes, statistics.median(run.actions_s) * run.frames / run.actions
        )
    finally:
        bare.close()
        for client in crowd:
            client.close()
    return run


def seat(crowd: list[Client], server: Server, scripts: list[Script], tables: int) -> None:
    """Spread the tables over the clients."""
    for i, client in enumerate(crowd):
        share = tables // len(crowd) + (i < tables % len(crowd))
        client.tell("sit", server.url, scripts[i:] + scripts[:i], share, "instant")
    for client in crowd:
        client.hear()


def _window(run: Run, server: Server, crowd: list[Client], seconds: float, before: float) -> float:
    began, cpu = time.perf_counter(), server.cpu_s()
    time.sleep(seconds)
    spent = server.cpu_s() - cpu
    took = time.perf_counter() - began
    seen = total(all_of(crowd, "counted"))
    run.action_us.append(spent / max(1, seen.actions) * 1e6)
    run.frame_us.append(spent / max(1, seen.frames) * 1e6)
    run.actions_s.append(seen.actions / took)
    run.busy.append(spent / took)
    run.clients.append((seen.cpu_s - before) / took)
    for field in ("latencies", "frames", "actions", "turns", "opened", "declines", "octets"):
        setattr(run, field, getattr(run, field) + getattr(seen, field))
    run.matches += seen.matches
    run.sizes = run.sizes or seen.sizes
    return seen.cpu_s


def show(run: Run) -> None:
    """Print the figures of one number of tables."""
    print(f"{run.tables} tables")
    print(f"  CPU an action           {spread(run.action_us)} µs")
    print(f"  CPU a frame             {spread(run.frame_us, 1)} µs")
    print(
        f"  bare send() a frame     {run.bare_us:.1f} µs at this rate, {run.burst_us:.1f} in a burst"
    )
    print(
        f"  frames an action        {run.frames / run.actions:.1f}, {run.octets / run.frames:.0f} bytes each"
    )
    print(f"  actions a second        {spread(run.actions_s)}")
    print(
        f"  share of singles        {run.opened / max(1, run.turns):.0%}; {run.declines / run.actions:.2f} declines an action"
    )
    print(f"  latency                 {latency(run.latencies)}")
    print(f"  busy: server, clients   {spread(run.busy, 2)}, {spread(run.clients, 2)} of a core")
    print(f"  matches ended           {run.matches}", flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.closed")
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 500, 2_000])
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a window")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--clients", type=int, default=2, help="load processes")
    parser.add_argument("--scripts", type=int, default=8, help="recorded matches")
    parser.add_argument("--game", default="peeper")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--ruleset", default="standard")
    args = parser.parse_args()
    print(header())
    with Server() as server:
        scripts = record(server, args.game, args.seats, args.scripts, args.ruleset)
    lengths = sorted(script.actions for script in scripts)
    print(
        f"{len(scripts)} matches of {args.game} ({args.ruleset}), {lengths[0]}-{lengths[-1]} actions"
    )
    runs = []
    for tables in args.tables:
        runs.append(measure(scripts, tables, args.clients, args.seconds, args.windows))
        show(runs[-1])
    judge(runs)


def judge(runs: list[Run]) -> None:
    """Print which targets are met."""
    middle = {run.tables: statistics.median(run.action_us) for run in runs}
    for run in runs:
        if run.tables in (100, 500):
            name = f"CPU an action at {run.tables} tables, µs"
            print(verdict(name, middle[run.tables], FIRST_US, GOAL_US))
            sends = statistics.median(run.frame_us) / run.bare_us
            name = f"CPU a frame at {run.tables} tables, bare sends"
            print(verdict(name, sends, FIRST_SENDS, GOAL_SENDS))
    if len(runs) > 1:
        name = f"CPU an action from {min(middle)} to {max(middle)} tables, most to least"
        print(verdict(name, max(middle.values()) / min(middle.values()), FLAT))


if __name__ == "__main__":
    main()
