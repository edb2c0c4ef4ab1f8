"""RESULTS.md: one section a benchmark, each with its command, versions, machine and commit.

A benchmark run with `--write` replaces its own section; the others stay as they were, with the date
and commit of their own run. What else stands in the file, such as its history, stays at the end.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

_ROOT = Path(__file__).resolve().parents[1]
RESULTS = _ROOT / "loadtests" / "RESULTS.md"
HEAD = """# What was measured of performance

Written by `make bench` (`python -m loadtests.all --write`); a section is one benchmark with the command
that repeats it. Figures are medians with the least and the greatest of their windows in brackets; CPU is
that of the server's processes, as the system counts it. A target's first bound is what must be reached,
its goal where it goes on to.
"""
ORDER = ("Engines", "Closed loop", "Open loop", "Fan-out", "Memory", "Cluster")
_PACKAGES = ("uvicorn", "uvloop", "msgspec", "websockets", "redis", "picows")


class Target(msgspec.Struct, frozen=True):
    """A figure that is to stay at or below a bound. number: of the target it belongs to."""

    number: int
    what: str
    value: float
    most: float
    goal: float | None = None

    @property
    def met(self) -> bool:
        """Whether the first bound is kept."""
        return self.value <= self.most

    def row(self) -> list[str]:
        """Its line in the table of targets."""
        goal = "-"
        if self.goal is not None:
            goal = f"{self.goal:g}: {'met' if self.value <= self.goal else 'not yet'}"
        first = f"{self.most:g}: {'met' if self.met else '**missed**'}"
        return [str(self.number), self.what, f"{self.value:,.2f}", first, goal]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def targets(found: Iterable[Target]) -> str:
    """Which targets are met, as a Markdown table."""
    head = ("target", "what", "measured", "at most", "goal")
    return table(head, [one.row() for one in found])


# -- where and when ------------------------------------------------------------------------------------
def commit_name() -> str:
    """The commit that is checked out, and whether anything differs from it."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=_ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!*.md")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if changed else "")


def processor() -> str:
    """The model of the machine's processor."""
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def circumstances(extra: str = "") -> str:
    """The command, the date, the commit, versions, the machine and how busy it is. extra: a version."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    name = spec.name if spec is not None else sys.argv[0]
    words = [word for word in sys.argv[1:] if word != "--write"]
    packages = ", ".join([f"{package} {version(package)}" for package in _PACKAGES])
    load = " ".join(f"{one:.2f}" for one in os.getloadavg())
    return "\n".join(
        [
            f"- command: `python -m {' '.join([name, *words])}`",
            f"- date: {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC, commit {commit_name()}",
            f"- versions: Python {platform.python_version()}, {packages}{extra and f', {extra}'}",
            f"- machine: {processor()}, {os.cpu_count()} cores, Linux {platform.release()}, load {load}",
        ]
    )


# -- the file ------------------------------------------------------------------------------------------
def sections(text: str) -> dict[str, str]:
    """The sections of a report by their headings."""
    found = {}
    for part in text.split("\n## ")[1:]:
        found[part.partition("\n")[0]] = f"## {part.rstrip()}\n"
    return found


def merged(text: str, new: Mapping[str, str]) -> str:
    """The report with these sections new and all others as they were."""
    kept = sections(text) | dict(new)
    order = [name for name in ORDER if name in kept]
    order += [name for name in kept if name not in ORDER]
    return HEAD + "".join(f"\n{kept[name]}" for name in order)


class Report:
    """A benchmark's section while it is made. name: its heading, one of `ORDER`."""

    def __init__(self, name: str, about: str, extra: str = "") -> None:
        # Now: the load before the benchmark is of interest, not its own.
        self._circumstances = circumstances(extra)
        self.name = name
        self.parts = [f"## {name}", about]

    def add(self, *parts: str) -> None:
        """Add paragraphs or tables."""
        self.parts += parts

    def conclude(self, write: bool, path: Path = RESULTS) -> str:
        """Print the section, and write it into the results if wanted; the section."""
        text = "\n\n".join([*self.parts, self._circumstances]) + "\n"
        print(text, flush=True)
        if write:
            before = path.read_text() if path.exists() else ""
            path.write_text(merged(before, {self.name: text}))
        return text


def parser(module: str) -> argparse.ArgumentParser:
    """The options of a benchmark's command, `--write` among them."""
    made = argparse.ArgumentParser(prog=f"python -m loadtests.{module}")
    made.add_argument("--write", action="store_true", help="put the section into RESULTS.md")
    return made


def progress(text: str) -> None:
    """Tell whoever waits how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
