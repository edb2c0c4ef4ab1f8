"""The log's lines (that nothing secret is in them is tested against the whole server)."""

from __future__ import annotations

import json
import os
import subprocess
import sys

LINES = 3
WRITER = f"""
import os, sys
from server.cli.logs import configure_logs
configure_logs("info")
import structlog
for number in range({LINES}):
    structlog.get_logger("hanpan.test").info("told", number=number)
"""


def test_a_line_and_its_end_are_one_write() -> None:
    """Every write to a pipe in packet mode is read by itself: a kill between two would leave half a line."""
    reader, writer = os.pipe2(os.O_DIRECT)
    try:
        subprocess.run([sys.executable, "-c", WRITER], stderr=writer, check=True)
        os.set_blocking(reader, False)
        written = [os.read(reader, 65_536) for _ in range(LINES)]
    finally:
        os.close(reader)
        os.close(writer)
    assert all(line.endswith(b"\n") for line in written)
    assert [json.loads(line)["number"] for line in written] == list(range(LINES))
