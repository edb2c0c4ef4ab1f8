"""Two processes around one Redis, every player connected to another one than his table's owner.

    python -m loadtests.cluster [--tables 100] [--seconds 3] [--windows 3] [--rounds 2]
        [--redis valkey|redis] [--store sqlite|postgres] [--write]

The same load processes play the same recorded matches at the cluster and at one embedded server, in
turn: the CPU an action of all server processes in a closed loop (and Redis' beside it), then the
latency at the same rate of turns.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from loadtests import closed, results, usage
from loadtests.client import crowd_of
from loadtests.closed import Place
from loadtests.figures import LATENCY, latency, percentile, spread
from loadtests.open_loop import at_rate
from loadtests.results import Report, Target, parser, progress
from loadtests.script import Script, record
from loadtests.server import Server
from tests.support.postgres_server import postgres_server
from tests.support.redis_server import KINDS, RedisServer, redis_server

NODES = 2
MOST_TIMES = 1.8
MOST_MORE_MS = 4
SHARE = 0.25
"""Of the cluster's greatest rate of turns: where latencies are compared, nothing waits for a core."""
STORES = ("sqlite", "postgres")
ABOUT = (
    "Two processes around one Redis (`appendfsync always`), one SQLite file or PostgreSQL for what is"
    " stored; the players of every table are connected to the process that does not own it. The same load"
    " processes play the same matches at one embedded server in turn. CPU is that of both server"
    " processes; Redis' stands beside it. Latencies are at the same rate of turns for both, a quarter of"
    " what the cluster reaches."
)


class Nodes:
    """The running processes and their Redis."""

    def __init__(self, redis: RedisServer, servers: list[Server]) -> None:
        self.redis = redis
        self.servers = servers

    @property
    def ways(self) -> list[tuple[str, str | None]]:
        """Players connect to each process for the tables of the one after it."""
        urls = [server.url for server in self.servers]
        return list(zip(urls, [*urls[1:], urls[0]], strict=True))

    def cpu_s(self) -> float:
        """CPU seconds of all server processes so far."""
        return sum(server.cpu_s() for server in self.servers)

    def beside_s(self) -> float:
        """CPU seconds of Redis so far."""
        return usage.cpu_s(self.redis.pid)


@contextmanager
def nodes(redis: str, store: str) -> Iterator[Nodes]:
    """Running processes with a Redis and a store of their own; all are ended with the block."""
    with ExitStack() as stack:
        server = stack.enter_context(redis_server(redis))
        if store == "postgres":
            database = stack.enter_context(postgres_server()).new_database()
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-load-"))
            database = f"sqlite:///{Path(folder) / 'store.sqlite'}"
        settings = {"redis_url": server.url, "database_url": database}
        yield Nodes(server, [stack.enter_context(Server(**settings)) for _ in range(NODES)])


def redis_version(kind: str) -> str:
    """What it calls itself."""
    with redis_server(kind) as server, server.client() as client:
        told = client.info("server")
    assert isinstance(told, dict)
    name = "Valkey" if "valkey_version" in told else "Redis"
    return f"{name} {told.get('valkey_version') or told['redis_version']}"


class Run(msgspec.Struct):
    """The figures of one place. latencies: in s, at the same rate as the other's."""

    loop: closed.Run
    rate: float = 0.0
    latencies: list[float] = []


def measure(run: Run, place: Place, scripts: list[Script], seconds: float, windows: int) -> None:
    """A closed loop there, then turns at `run.rate`, or at a share of what was just reached."""
    with crowd_of(NODES) as crowd:
        turns, began = run.loop.turns, len(run.loop.actions_s)
        closed.play(run.loop, place, crowd, scripts, seconds, windows)
        length = seconds * (len(run.loop.actions_s) - began)
        run.rate = run.rate or SHARE * (run.loop.turns - turns) / length
        time.sleep(0.2)
        run.latencies += at_rate(crowd, place, run.rate, 2 * seconds).latencies


def compare(
    scripts: list[Script],
    tables: int,
    seconds: float,
    windows: int,
    rounds: int,
    redis: str = "valkey",
    store: str = "sqlite",
) -> tuple[Run, Run]:
    """The embedded server and the cluster, measured in turn."""
    embedded, clustered = Run(closed.Run(tables)), Run(closed.Run(tables))
    for _ in range(rounds):
        with nodes(redis, store) as several:
            measure(clustered, several, scripts, seconds, windows)
        progress(f"cluster  | {' | '.join(row('', clustered)[1:])}")
        embedded.rate = clustered.rate
        with Server() as one:
            measure(embedded, one, scripts, seconds, windows)
        progress(f"embedded | {' | '.join(row('', embedded)[1:])}")
    return embedded, clustered


# -- what it says ----------------------------------------------------------------------------------------
HEAD = (
    "", "CPU µs an action, servers", "Redis", "actions a second", "busy, cores",
    "busiest load process", "turns a second", f"latency at that rate, {LATENCY}",
)  # fmt: skip


def row(name: str, run: Run) -> list[str]:
    """A line under `HEAD`."""
    loop = run.loop
    return [
        name,
        spread(loop.action_us),
        spread(loop.beside_us),
        spread(loop.actions_s),
        spread(loop.busy, 2),
        spread(loop.busiest, 2),
        f"{run.rate:,.0f}",
        latency(run.latencies),
    ]


def judge(embedded: Run, clustered: Run) -> list[Target]:
    """Target 5."""
    cpu = [statistics.median(run.loop.action_us) for run in (embedded, clustered)]
    p50 = [percentile(run.latencies, 0.5) * 1e3 for run in (embedded, clustered)]
    return [
        Target(
            5, "CPU an action of all server processes, times embedded", cpu[1] / cpu[0], MOST_TIMES
        ),
        Target(5, "p50 of a turn beyond embedded, ms", p50[1] - p50[0], MOST_MORE_MS),
    ]


def main() -> None:
    """The command."""
    options = parser("cluster")
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--seconds", type=float, default=3.0, help="length of a window")
    options.add_argument("--windows", type=int, default=3, help="a round")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--scripts", type=int, default=8, help="recorded matches")
    options.add_argument("--redis", choices=KINDS, default="valkey")
    options.add_argument("--store", choices=STORES, default="sqlite")
    args = options.parse_args()
    report = Report("Cluster", ABOUT, f"{redis_version(args.redis)}, store {args.store}")
    with Server() as server:
        scripts = record(server, "peeper", 4, args.scripts, "standard")
    embedded, clustered = compare(
        scripts, args.tables, args.seconds, args.windows, args.rounds, args.redis, args.store
    )
    rows = [row("embedded", embedded), row(f"{NODES} processes", clustered)]
    report.add(f"{args.tables} tables; {args.rounds} rounds of {args.windows} windows each.")
    report.add(results.table(HEAD, rows), closed.limit([embedded.loop, clustered.loop]))
    report.add(results.targets(judge(embedded, clustered)))
    report.conclude(args.write)


if __name__ == "__main__":
    main()
