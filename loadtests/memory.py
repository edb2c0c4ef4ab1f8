"""Memory: what an idle connection that has said who it is takes, and a running table of four.

    python -m loadtests.memory [--connections 500 2500] [--tables 100 600] [--write]

Each figure is the difference of two sizes, so that the process itself is not in it. The tables' seats
share four lines, so that sockets are not in theirs; every table has played for a while first.
"""

from __future__ import annotations

import statistics
import time

from loadtests import results
from loadtests.client import Client, crowd_of
from loadtests.figures import spread
from loadtests.results import Report, Target, parser, progress
from loadtests.script import Script, record
from loadtests.server import Server

CONNECTION_KIB, TABLE_KIB = 40, 60
PLAYED = 30
"""Actions that each table has played on the average when its memory is read."""
TURNS_S = 400.0
"""Turns a second of all tables: what a burst of all at once takes for a moment is not theirs."""
PATIENCE_S = 300.0
SETTLE_S = 2.5
ABOUT = (
    "Resident memory of the server, as the difference between two sizes, so that the process itself is not"
    " in it. The tables' seats share four sockets, so that sockets are not in theirs; every table has"
    f" played {PLAYED} actions first."
)


def connection_kib(least: int, most: int) -> float:
    """KiB an idle, identified connection."""
    with crowd_of(1) as (client,), Server() as server:
        client.ask("idle", server.url, least)
        before = _settled(server)
        client.ask("idle", server.url, most - least)
        return (_settled(server) - before) / (most - least)


def table_kib(scripts: list[Script], least: int, most: int) -> float:
    """KiB a running table of four, without its sockets."""
    with crowd_of(1) as (client,), Server(max_unsent=1 << 24) as server:
        client.ask("sit_at_many", server.url, scripts, least, "relaxed")
        _play(client, least)
        before = _settled(server)
        client.ask("sit_at_many", server.url, scripts, most - least, "relaxed")
        _play(client, most)
        return (_settled(server) - before) / (most - least)


def _play(client: Client, tables: int) -> None:
    client.ask("play", TURNS_S)
    actions, until = 0, time.monotonic() + PATIENCE_S
    while actions < PLAYED * tables and time.monotonic() < until:
        time.sleep(0.2)
        seen = client.ask("counted")
        if seen.errors:
            raise RuntimeError(seen.errors[0])
        actions += seen.actions
    client.ask("rest")


def _settled(server: Server) -> float:
    """Its memory once it has come to rest."""
    time.sleep(SETTLE_S)
    return server.rss_kib()


def main() -> None:
    """The command."""
    options = parser("memory")
    options.add_argument("--connections", type=int, nargs=2, default=[500, 2_500])
    options.add_argument("--tables", type=int, nargs=2, default=[100, 600])
    options.add_argument("--scripts", type=int, default=8, help="recorded matches")
    options.add_argument("--runs", type=int, default=3)
    args = options.parse_args()
    report = Report("Memory", ABOUT)
    with Server() as server:
        scripts = record(server, "peeper", 4, args.scripts, "standard")
    connections, tables = [], []
    for _ in range(args.runs):
        connections.append(connection_kib(*args.connections))
        tables.append(table_kib(scripts, *args.tables))
        progress(f"{connections[-1]:.1f} KiB a connection, {tables[-1]:.1f} KiB a table")
    rows = [
        ["an idle, identified connection", _span(args.connections), spread(connections, 1)],
        ["a running table of four without its sockets", _span(args.tables), spread(tables, 1)],
    ]
    report.add(results.table(("what", "from / to", "KiB"), rows))
    report.add(
        results.targets(
            [
                Target(3, f"KiB {rows[0][0]}", statistics.median(connections), CONNECTION_KIB),
                Target(3, f"KiB {rows[1][0]}", statistics.median(tables), TABLE_KIB),
            ]
        )
    )
    report.conclude(args.write)


def _span(numbers: list[int]) -> str:
    return " / ".join(f"{number:,}" for number in numbers)


if __name__ == "__main__":
    main()
