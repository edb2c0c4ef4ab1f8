"""Figures of a run, for who asked for them: JSON lines added to the file that HANPAN_REPORT names."""

from __future__ import annotations

import json
import os
from pathlib import Path


def report(what: str, **figures: float | int | str) -> None:
    """Add a line, where there is a report."""
    path = os.environ.get("HANPAN_REPORT")
    if path:
        with Path(path).open("a") as lines:
            lines.write(json.dumps({"what": what, **figures}) + "\n")
