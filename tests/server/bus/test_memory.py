"""Tests of server/bus/memory.py: the contract."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from server.bus.memory import MemoryBus
from tests.server.bus.contract import BusContract


@pytest.fixture
async def bus() -> AsyncIterator[MemoryBus]:
    bus = MemoryBus()
    await bus.start()
    yield bus
    await bus.stop()


class TestContract(BusContract):
    pass
