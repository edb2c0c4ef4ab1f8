"""Open loop: turns fall due at random times at a fixed rate, whatever the server is doing.

    python -m loadtests.open_loop [--tables 100] [--share 0.5] [--seconds 20]

The rate is a share of what the same tables reach in a closed loop in the same run. A turn's latency
counts from when it was due to its last seat's delivery, so waiting is not left out.
"""

from __future__ import annotations

import argparse
import time

from loadtests.client import Client, all_of
from loadtests.closed import seat, total
from loadtests.figures import header, latency, percentile, verdict
from loadtests.script import record
from loadtests.server import Server

MOST_MS = 5
MOST_TIMES = 10


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.open_loop")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--share", type=float, default=0.5, help="of the greatest rate")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--clients", type=int, default=2, help="load processes")
    parser.add_argument("--scripts", type=int, default=8, help="recorded matches")
    args = parser.parse_args()
    print(header())
    measure(args.tables, args.share, args.seconds, args.clients, args.scripts)


def measure(tables: int, share: float, seconds: float, clients: int, matches: int) -> None:
    """One run on a server of its own, printed."""
    crowd = [Client() for _ in range(min(clients, tables))]
    try:
        with Server() as server:
            scripts = record(server, "peeper", 4, matches, "standard")
            seat(crowd, server, scripts, tables)
            greatest = _greatest(crowd, seconds / 4)
            rate = greatest * share
            print(f"{tables} tables, at most {greatest:,.0f} turns a second; now {rate:,.0f}")
            latencies = _at_rate(crowd, server, rate, seconds)
    finally:
        for client in crowd:
            client.close()
    p50, p99 = percentile(latencies, 0.5) * 1e3, percentile(latencies, 0.99) * 1e3
    print(verdict("p99 of a turn, ms", p99, MOST_MS))
    print(verdict("p99 of a turn, times p50", p99 / p50, MOST_TIMES))


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


def _at_rate(crowd: list[Client], server: Server, rate: float, seconds: float) -> list[float]:
    """Latencies in s at so many turns a second; prints what was reached."""
    all_of(crowd, "play", rate / len(crowd))
    time.sleep(min(2.0, seconds / 4))
    all_of(crowd, "counted")
    cpu = server.cpu_s()
    time.sleep(seconds)
    seen = total(all_of(crowd, "counted"))
    busy = (server.cpu_s() - cpu) / seconds
    print(f"  turns a second          {seen.turns / seconds:,.0f} of {rate:,.0f}")
    print(f"  server busy             {busy:.2f} of a core")
    print(f"  CPU an action           {busy * seconds / max(1, seen.actions) * 1e6:,.0f} µs")
    print(f"  latency                 {latency(seen.latencies)}")
    return seen.latencies


if __name__ == "__main__":
    main()
