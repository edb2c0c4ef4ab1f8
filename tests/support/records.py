"""The records that a running server keeps of its matches."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from server.app import build_store
from server.settings import Settings
from tests.support.hanpan_server import HanpanServer


async def record_of(server: HanpanServer, match: str) -> dict[str, Any]:
    """The handed-out record, once it is stored."""
    async with httpx.AsyncClient(trust_env=False) as http:
        for _ in range(100):
            found = await http.get(f"{server.url}/v1/records/{match}")
            if found.status_code == 200:
                record: dict[str, Any] = found.json()
                return record
            await asyncio.sleep(0.05)
    raise AssertionError("the record was not stored")


async def full_record(server: HanpanServer, match: str) -> bytes:
    """The full record, out of the server's own store."""
    store = build_store(Settings(data=str(server.data)))
    await store.start()
    record = await store.record(match)
    await store.stop()
    assert record is not None
    return record
