"""The HTTP class: what its time and its size limits do to requests that behave (see also test_hostile)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import uvicorn
from uvicorn.server import ServerState

from server.transport.accept import Gate
from server.transport.base import TransportLimits, clock
from server.transport.deadline import DeadlineProtocol
from tests.server.transport.harness import FAST, Kind, Running, serving
from tests.server.transport.raw import Raw, opened

LIMITS = TransportLimits(handshake_timeout=600, max_head=2_000)

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module", params=FAST)
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    kind: Kind = request.param
    with serving(kind, Gate(LIMITS)) as server:
        yield server


async def answered(raw: Raw) -> None:
    assert (await asyncio.wait_for(raw.reader.readuntil(b"ok"), 5)).startswith(b"HTTP/1.1 200")


async def test_a_kept_connection_outlives_the_deadline(running: Running) -> None:
    async with opened(running.port) as raw:
        for _ in range(3):
            raw.send(REQUEST)
            await answered(raw)
            await asyncio.sleep(0.4)
        raw.send(REQUEST)
        await answered(raw)


async def test_a_further_request_has_the_same_deadline(running: Running) -> None:
    async with opened(running.port) as raw:
        raw.send(REQUEST)
        await answered(raw)
        await asyncio.sleep(0.1)
        begin = clock()
        raw.send(REQUEST[:20])
        await raw.end()
        assert 550 <= clock() - begin < 2_000


async def test_drops_do_not_lengthen_it(running: Running) -> None:
    async with opened(running.port) as raw:
        begin = clock()
        for byte in REQUEST:
            if raw.reader.at_eof():
                break
            raw.send(bytes([byte]))
            await asyncio.sleep(0.04)
        await raw.end()
        assert 550 <= clock() - begin < 2_000


async def test_a_body_in_time_is_answered(running: Running) -> None:
    async with opened(running.port) as raw:
        raw.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha")
        await asyncio.sleep(0.1)
        raw.send(b"lf")
        await answered(raw)


async def test_a_head_above_the_limit_is_refused(running: Running) -> None:
    async with opened(running.port) as raw:
        raw.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 400)
        assert (await raw.reader.readline()).startswith(b"HTTP/1.1 400")
        await raw.end()


async def test_an_endless_header_is_refused(running: Running) -> None:
    async with opened(running.port) as raw:
        raw.send(b"GET / HTTP/1.1\r\nX: " + b"y" * 4_000)
        assert (await raw.reader.readline()).startswith(b"HTTP/1.1 400")
        await raw.end()


async def test_without_limits_in_the_configuration_the_defaults_hold() -> None:
    config = uvicorn.Config("uvicorn:Config", log_config=None)
    config.load()
    http = DeadlineProtocol(config=config, server_state=ServerState(), app_state={})
    assert http.limits == TransportLimits()
