"""The smallest measurement of memory."""

from __future__ import annotations

import pytest

from loadtests import memory
from loadtests.script import Script


def test_memory_of_connections_and_tables(
    scripts: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "SETTLE_S", 0.1)
    monkeypatch.setattr(memory, "PLAYED", 5)
    assert -100 < memory.connection_kib(5, 25) < 1_000
    assert -500 < memory.table_kib(scripts, 2, 6) < 5_000
