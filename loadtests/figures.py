"""Medians with their spread, and what a report says of the machine that made them."""

from __future__ import annotations

import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("uvicorn", "uvloop", "msgspec", "websockets", "picows")


def spread(values: Sequence[float], digits: int = 0) -> str:
    """The median, and in brackets the least and the greatest: `412 (405-431)`."""
    if not values:
        return "-"
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f} ({least:,.{digits}f}-{most:,.{digits}f})"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share (0..1) of all values does not exceed; NaN of none."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def latency(seconds: Sequence[float]) -> str:
    """p50, p99 and the worst, in milliseconds."""
    p50, p99 = percentile(seconds, 0.5), percentile(seconds, 0.99)
    worst = max(seconds, default=math.nan)
    return f"p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, worst {worst * 1e3:.2f} ms"


def header() -> str:
    """The command, the date, the commit, versions, the machine and how busy it is."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    name = spec.name if spec is not None else sys.argv[0]
    packages = ", ".join(f"{package} {version(package)}" for package in _PACKAGES)
    load = " ".join(f"{one:.2f}" for one in os.getloadavg())
    return "\n".join(
        [
            f"command:  python -m {' '.join([name, *sys.argv[1:]])}",
            f"date:     {time.strftime('%Y-%m-%d %H:%M')} UTC{time.strftime('%z')}, "
            f"commit {commit.stdout.strip() or 'unknown'}",
            f"versions: Python {platform.python_version()} from {sys.base_prefix}, {packages}",
            f"machine:  {_processor()}, {os.cpu_count()} cores, Linux {platform.release()}, load {load}",
        ]
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def verdict(what: str, value: float, most: float, goal: float | None = None) -> str:
    """A line that says whether a target is met: `value` at most `most`, and the goal beyond it."""
    met = "met" if value <= most else "MISSED"
    more = ""
    if goal is not None:
        more = f"; goal {goal:g}: {'met' if value <= goal else 'not yet'}"
    return f"{met}: {what}: {value:,.2f}, at most {most:g}{more}"
