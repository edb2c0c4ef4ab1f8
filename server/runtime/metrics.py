"""What is counted and measured, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

CONNECTIONS = Gauge("hanpan_connections", "Open WebSocket connections")
TABLES = Gauge("hanpan_tables", "Tables that this process owns")
ACTIONS = Counter("hanpan_actions", "Actions that the rules accepted")
REFUSALS = Counter("hanpan_refusals", "Refused requests by code", ["code"])
ENGINE_FAULTS = Counter("hanpan_engine_faults", "Tables whose engine raised")
COMMIT_SECONDS = Histogram(
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
