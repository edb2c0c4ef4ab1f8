"""What a suite needs of the machine: without it the suite fails and says so; it is never skipped."""

from __future__ import annotations

import socket
from typing import NoReturn

import pytest


def not_run(why: str) -> NoReturn:
    """Fail what cannot run. `.ci/setup` installs what is usually missing."""
    print(f"NOT RUN: {why}")
    pytest.fail(f"NOT RUN: {why}", pytrace=False)


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listened on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
