"""The services of one process on a fresh directory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.app import build_hub
from server.runtime.hub import Hub
from server.settings import Settings


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    made = build_hub(Settings(data=str(tmp_path)))
    await made.start()
    yield made
    await made.stop()
