"""What is counted and measured, for /metrics."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.metrics_core import HistogramMetricFamily
from prometheus_client.registry import Collector


class LoopHistogram(Collector):
    """A histogram of what the event loop alone observes: no lock, and its sums are made when it is read,
    which makes an observation several times cheaper than the library's own.

    buckets: upper bounds, ascending; one without a bound is added.
    """

    def __init__(self, name: str, about: str, buckets: Sequence[float]) -> None:
        self._name = name
        self._about = about
        self._bounds = [float(bound) for bound in buckets]
        self._counts = [0] * (len(buckets) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """What the registry asks for: each bucket counts the ones below it too."""
        bounds = [*map(str, self._bounds), "+Inf"]
        counts = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._about, counts, self._sum)


CONNECTIONS = Gauge("hanpan_connections", "Open WebSocket connections")
TABLES = Gauge("hanpan_tables", "Tables that this process owns")
ACTIONS = Counter("hanpan_actions", "Actions that the rules accepted")
REFUSALS = Counter("hanpan_refusals", "Refused requests by code", ["code"])
ENGINE_FAULTS = Counter("hanpan_engine_faults", "Tables whose engine raised")
COMMIT_SECONDS = LoopHistogram(
    "hanpan_commit_seconds",
    "From an input to its durable commit",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
)
LOOP_LAG_SECONDS = Histogram(
    "hanpan_loop_lag_seconds",
    "How late the event loop is",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
STANDSTILLS = Counter("hanpan_standstills", "How often the whole process stood still for long")
UNSENT_BYTES = Gauge("hanpan_unsent_bytes", "Bytes not yet taken by peers")
TAKEOVERS = Counter("hanpan_takeovers", "Tables taken over from another process")
FENCED = Counter("hanpan_fenced", "Tables that another process took from this one")
LOST_PACKETS = Counter("hanpan_lost_packets", "How often the bus lost packets of other processes")
GAP_REPAIRS = Counter(
    "hanpan_gap_repairs", "Sessions that asked an owner where their stream goes on"
)
HOP_SECONDS = Gauge("hanpan_hop_seconds", "How long the last message through Redis took")
