"""The smallest cluster beside an embedded server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from loadtests import closed, cluster
from loadtests.cluster import Run
from loadtests.script import Script


def test_a_small_cluster(scripts: list[Script]) -> None:
    embedded, clustered = cluster.compare(scripts, tables=4, seconds=0.5, windows=1, rounds=1)
    assert embedded.rate == clustered.rate > 0
    assert embedded.loop.beside_us == [0.0]
    assert clustered.loop.beside_us[0] >= 0
    for run in (embedded, clustered):
        assert run.loop.actions > 10
        assert run.latencies
        assert len(cluster.row("", run)) == len(cluster.HEAD)


def test_the_players_of_a_table_are_at_another_process_than_its_owner() -> None:
    servers: Any = [SimpleNamespace(url=url) for url in "abc"]
    redis: Any = None
    assert cluster.Nodes(redis, servers).ways == [("a", "b"), ("b", "c"), ("c", "a")]


def test_the_cluster_is_held_against_the_embedded_server() -> None:
    embedded = Run(closed.Run(1, action_us=[100.0]), latencies=[0.001])
    clustered = Run(closed.Run(1, action_us=[150.0]), latencies=[0.007])
    times, more = cluster.judge(embedded, clustered)
    assert (times.value, times.met) == (1.5, True)
    assert (round(more.value), more.met) == (6, False)
