"""Our own histogram shows what the library's would."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from server.runtime import metrics
from server.runtime.metrics import LoopHistogram


def test_it_reads_as_the_library_s_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = (0.001, 0.25, 1)
    theirs, ours = CollectorRegistry(), CollectorRegistry()
    monkeypatch.setattr(metrics, "REGISTRY", ours)
    reference = Histogram("some_seconds", "What it is", buckets=bounds, registry=theirs)
    mine = LoopHistogram("some_seconds", "What it is", buckets=bounds)
    for value in (0.0, 0.001, 0.0011, 0.2, 0.25, 0.9, 1.0, 1.5, 30.0):
        reference.observe(value)
        mine.observe(value)
    lines = generate_latest(theirs).decode().splitlines()
    assert generate_latest(ours).decode().splitlines() == [
        line for line in lines if "some_seconds_created" not in line
    ]
