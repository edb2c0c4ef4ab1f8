"""The hub's life: what it began ends with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.app import build_hub
from server.settings import Settings


async def test_what_is_begun_while_the_bus_stops_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = build_hub(Settings(data=str(tmp_path)))
    await hub.start()
    begun: list[asyncio.Task[None]] = []
    stop = hub.bus.stop

    async def heard_again() -> None:
        begun.append(hub.spawn(asyncio.sleep(3_600)))
        await stop()

    monkeypatch.setattr(hub.bus, "stop", heard_again)
    await hub.stop()
    (task,) = begun
    assert task.cancelled()
