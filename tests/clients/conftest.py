"""A real server for all tests of the clients that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.hanpan_server import HanpanServer, hanpan_server


@pytest.fixture(scope="session")
def live() -> Iterator[HanpanServer]:
    """A running `hanpan serve`; nobody may kill it."""
    with hanpan_server(joins_per_minute=1000, frames=1000, frame_burst=1000) as server:
        yield server
