"""Memory: what an idle connection that has said who it is takes, and a running table of four.

    python -m loadtests.memory [--connections 500 2500] [--tables 100 600]

Each figure is the difference of two sizes, so that the process itself is not in it. The tables' seats
share four lines, so that sockets are not in theirs; every table has played for a while first.
"""

from __future__ import annotations

import argparse
import time

from loadtests.client import Client
from loadtests.figures import header, verdict
from loadtests.script import Script, record
from loadtests.server import Server

CONNECTION_KIB, TABLE_KIB = 40, 60
PLAYED = 30
"""Actions that each table has played on the average when its memory is read."""
TURNS_S = 400.0
"""Turns a second of all tables: what a burst of all at once takes for a moment is not theirs."""
PATIENCE_S = 300.0
SETTLE_S = 2.5


def connection_kib(least: int, most: int) -> float:
    """KiB an idle, identified connection."""
    client = Client()
    try:
        with Server() as server:
            client.ask("idle", server.url, least)
            before = _settled(server)
            client.ask("idle", server.url, most - least)
            return (_settled(server) - before) / (most - least)
    finally:
        client.close()


def table_kib(scripts: list[Script], least: int, most: int) -> float:
    """KiB a running table of four, without its sockets."""
    client = Client()
    try:
        with Server(max_unsent=1 << 24) as server:
            client.ask("sit_at_many", server.url, scripts, least, "relaxed")
            _play(client, least)
            before = _settled(server)
            client.ask("sit_at_many", server.url, scripts, most - least, "relaxed")
            _play(client, most)
            return (_settled(server) - before) / (most - least)
    finally:
        client.close()


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
    parser = argparse.ArgumentParser(prog="python -m loadtests.memory")
    parser.add_argument("--connections", type=int, nargs=2, default=[500, 2_500])
    parser.add_argument("--tables", type=int, nargs=2, default=[100, 600])
    parser.add_argument("--scripts", type=int, default=8, help="recorded matches")
    args = parser.parse_args()
    print(header())
    name = "KiB an idle, identified connection"
    print(verdict(name, connection_kib(*args.connections), CONNECTION_KIB), flush=True)
    with Server() as server:
        scripts = record(server, "peeper", 4, args.scripts, "standard")
    name = "KiB a running table of four without its sockets"
    print(verdict(name, table_kib(scripts, *args.tables), TABLE_KIB))


if __name__ == "__main__":
    main()
