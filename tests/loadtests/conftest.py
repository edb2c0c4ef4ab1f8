"""A recorded match for the load tests' smallest runs."""

from __future__ import annotations

import pytest

from loadtests.script import Script, record
from loadtests.server import Server


@pytest.fixture(scope="session")
def scripts() -> list[Script]:
    """One match of Peeper."""
    with Server() as server:
        return record(server, "peeper", 4, 1, "standard")
