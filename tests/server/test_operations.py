"""What an operator sees and sets: /metrics, trusted proxies, origins, readiness."""

from __future__ import annotations

import asyncio
import socket as socketlib
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.core.record import parse
from server.runtime.watchdog import BEAT_S
from tests.support.crowd import LIMITS
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.metrics import Metrics
from tests.support.records import full_record, record_of
from tests.support.wire import get, guest, post, wire


async def eventually(server: HanpanServer, name: str, value: float) -> None:
    """Wait until a metric has this value."""
    found: Any = None
    for _ in range(60):
        found = (await Metrics.of(server)).get(name)
        if found == value:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{name} is {found}, not {value}")


async def test_metrics_tell_what_goes_on() -> None:
    with hanpan_server(**LIMITS) as server:
        before = await Metrics.of(server)
        assert before["hanpan_connections"] == 0
        assert before["hanpan_tables"] == 0
        assert before["hanpan_actions_total"] == 0
        async with wire(server.ws_url, await guest(server.url)) as one:
            await eventually(server, "hanpan_connections", 1)
            made = await one.ok("create_table", game="peeper", seats=2, bots=2, speed="instant")
            await one.ok("watch", table=made["table"])
            assert (await one.ask("ready", table=made["table"]))["code"] == "not_seated"
            assert (await one.ask("watch", table="t_x"))["code"] == "not_found"
            assert (await one.ask("watch", table="t_y"))["code"] == "not_found"
            assert (await one.ask("nonsense"))["code"] == "unknown_type"
            assert (await post(f"{server.url}/v1/guests", b"{"))["code"] == "bad_message"
            ended = await one.find(lambda f: "match_ended" in str(f.get("events")))
            match = next(e["record"] for e in ended["events"] if e["type"] == "match_ended")
            await record_of(server, match)
            actions = sum(
                line.action is not None for line in parse(await full_record(server, match)).log
            )
            await asyncio.sleep(2 * BEAT_S)
            now = await Metrics.of(server)
            assert now["hanpan_tables"] == 1
            assert now["hanpan_actions_total"] == actions > 0
            assert now["hanpan_commit_seconds_count"] > 0
            assert 0 < now["hanpan_commit_seconds_sum"] / now["hanpan_commit_seconds_count"] < 1
            assert now["hanpan_loop_lag_seconds_count"] > before["hanpan_loop_lag_seconds_count"]
            assert now["hanpan_unsent_bytes"] >= 0
            assert now["hanpan_engine_faults_total"] == 0
            assert now["hanpan_refusals_total{not_seated}"] == 1
            assert now["hanpan_refusals_total{not_found}"] == 2
            assert now["hanpan_refusals_total{unknown_type}"] == 1
            assert now["hanpan_refusals_total{bad_message}"] == 1
        await eventually(server, "hanpan_connections", 0)


async def test_unsent_bytes_of_who_does_not_read_are_seen() -> None:
    with hanpan_server(max_unsent=200_000_000, **LIMITS) as server:
        token = await guest(server.url)
        # A small buffer here, so that what is sent stays there.
        line = socketlib.socket()
        line.setsockopt(socketlib.SOL_SOCKET, socketlib.SO_RCVBUF, 4_096)
        line.connect(("127.0.0.1", server.port))
        line.setblocking(False)
        socket = await connect(server.ws_url, compression=None, max_size=None, sock=line)
        await socket.send(f'{{"type":"identify","id":1,"token":"{token}"}}')
        socket.transport.pause_reading()
        for number in range(1_500):
            await socket.send(f'{{"type":"list_games","id":{number}}}')
        for _ in range(40):
            if (await Metrics.of(server))["hanpan_unsent_bytes"] > 100_000:
                break
            await asyncio.sleep(0.1)
        assert (await Metrics.of(server))["hanpan_unsent_bytes"] > 100_000
        socket.transport.abort()
        await eventually(server, "hanpan_unsent_bytes", 0)


@pytest.mark.parametrize("trusted", ["", "127.0.0.0/8"])
async def test_a_forwarded_address_counts_only_from_a_trusted_proxy(trusted: str) -> None:
    settings = {**LIMITS, "guests_per_minute": 2, "trusted_proxies": trusted}
    with hanpan_server(**settings) as server:

        async def new(address: str) -> int:
            answer = await post(f"{server.url}/v1/guests", {}, {"X-Forwarded-For": address})
            if answer["status"] == 429:
                assert answer["code"] == "rate_limited"
                assert answer["after_ms"] > 0
            status: int = answer["status"]
            return status

        first = [await new("192.0.2.1") for _ in range(3)]
        assert first == [201, 201, 429]
        # Another client behind the same proxy; without trust it is the proxy that is counted.
        assert await new("192.0.2.2") == (201 if trusted else 429)
        # What a client itself claims stands left of what the proxy saw.
        assert await new("203.0.113.9, 192.0.2.1") == 429


@pytest.mark.parametrize("trusted", ["", "127.0.0.1"])
async def test_connections_are_counted_by_the_forwarded_address(trusted: str) -> None:
    settings = {**LIMITS, "per_address": 2, "trusted_proxies": trusted}
    with hanpan_server(**settings) as server:

        async def dial(address: str) -> Any:
            headers = {"X-Forwarded-For": address}
            return await connect(server.ws_url, additional_headers=headers, proxy=None)

        opened = [await dial("192.0.2.1"), await dial("192.0.2.1")]
        with pytest.raises(InvalidStatus) as refused:
            await dial("192.0.2.1")
        assert refused.value.response.status_code == 429
        if trusted:
            opened.append(await dial("192.0.2.2"))
        else:
            with pytest.raises(InvalidStatus):
                await dial("192.0.2.2")
        for one in opened:
            await one.close()
        opened = [await dial("192.0.2.1")]
        await opened[0].close()


async def test_origins_narrow_browsers_alone() -> None:
    async def status(server: HanpanServer, origin: str | None) -> int:
        headers = {} if origin is None else {"Origin": origin}
        try:
            async with connect(server.ws_url, additional_headers=headers, proxy=None) as one:
                assert '"hello"' in str(await one.recv())
        except InvalidStatus as refused:
            return refused.response.status_code
        return 101

    with hanpan_server() as server:
        assert [await status(server, o) for o in (None, "https://any.example")] == [101, 101]
    with hanpan_server({"HANPAN_ORIGINS": "https://a.example, https://b.example"}) as server:
        asked = [None, "https://a.example", "https://B.example", "https://c.example", "null"]
        assert [await status(server, o) for o in asked] == [101, 101, 101, 403, 403]


async def test_v1_answers_every_origin_without_credentials() -> None:
    with hanpan_server() as server:
        headers = {"Origin": "https://any.example"}
        body = await asyncio.to_thread(_headers, f"{server.url}/v1/games", headers)
        assert body["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in body
        assert "set-cookie" not in body


def _headers(url: str, headers: dict[str, str]) -> dict[str, str]:
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, headers=headers), timeout=10) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


async def test_ready_and_alive() -> None:
    with hanpan_server() as server:
        assert (await get(f"{server.url}/healthz"))["ok"] is True
        assert (await get(f"{server.url}/readyz"))["ready"] is True
