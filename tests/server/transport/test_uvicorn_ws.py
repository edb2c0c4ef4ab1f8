"""The contract with uvicorn: every name of it that this package overrides, calls or reads.

If an upgrade breaks one of these, read the new source of the class before touching the test.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
from importlib.metadata import version
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import Server, ServerState
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask

from server.transport.accept import Gate
from server.transport.base import TransportLimits
from server.transport.deadline import DeadlineProtocol
from server.transport.fast import FastSocket
from server.transport.server import TransportConfig, TransportServer
from server.transport.uvicorn_ws import EXTENSION, SocketProtocol, flusher_of
from tests.server.transport.harness import FAST, Kind, serving
from tests.server.transport.raw import HANDSHAKE, connected, masked, opened, until

PLAIN = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application."""


def config() -> TransportConfig:
    made = TransportConfig(nothing, lifespan="off")
    made.load()
    return made


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_the_version_is_the_one_that_was_read() -> None:
    assert version("uvicorn").startswith("0.54.")


@pytest.mark.parametrize(
    ("base", "name", "arguments"),
    [
        (WebSocketsSansIOProtocol, "handle_connect", ["self", "event"]),
        (WebSocketsSansIOProtocol, "connection_lost", ["self", "exc"]),
        (WebSocketsSansIOProtocol, "send", ["self", "message"]),
        (WebSocketsSansIOProtocol, "stop_keepalive", ["self"]),
        (HttpToolsProtocol, "connection_made", ["self", "transport"]),
        (HttpToolsProtocol, "connection_lost", ["self", "exc"]),
        (HttpToolsProtocol, "data_received", ["self", "data"]),
        (HttpToolsProtocol, "on_message_begin", ["self"]),
        (HttpToolsProtocol, "on_headers_complete", ["self"]),
        (HttpToolsProtocol, "on_message_complete", ["self"]),
        (HttpToolsProtocol, "handle_websocket_upgrade", ["self"]),
        (HttpToolsProtocol, "send_400_response", ["self", "msg"]),
        (Server, "startup", ["self", "sockets"]),
        (Server, "shutdown", ["self", "sockets"]),
        (Server, "capture_signals", ["self"]),
        (Server, "handle_exit", ["self", "sig", "frame"]),
        (uvicorn.Config, "get_loop_factory", ["self"]),
    ],
)
def test_overridden_and_called_methods_are_there(
    base: type, name: str, arguments: list[str]
) -> None:
    assert parameters(getattr(base, name)) == arguments


@pytest.mark.parametrize(
    ("ours", "base", "names"),
    [
        (
            SocketProtocol,
            WebSocketsSansIOProtocol,
            {"socket_class", "claimed", "claim", "dropped", "_let_go_of_parser"},
        ),
        (
            DeadlineProtocol,
            HttpToolsProtocol,
            {
                "deadline",
                "head_bytes",
                "in_head",
                "limits",
                "arm",
                "disarm",
                "expire",
                "upgrade",
                "wait_s",
                "refuse",
            },
        ),
        (TransportServer, Server, {"_drain"}),
    ],
)
async def test_no_name_of_ours_is_one_of_theirs(ours: type, base: type, names: set[str]) -> None:
    """A new attribute of uvicorn's must not silently meet one of ours."""
    theirs = set(dir(base))
    if base is not Server:
        theirs |= set(vars(base(config=config(), server_state=ServerState(), app_state={})))
    assert not names & theirs
    defined = {name for name in vars(ours) if not name.startswith("__")}
    assert defined - theirs - names - {"_hand_over"} == set()


async def test_the_attributes_that_are_read_are_there() -> None:
    ws = SocketProtocol(config=config(), server_state=ServerState(), app_state={})
    for name in ("transport", "loop", "connections", "queue", "conn", "disconnected"):
        assert hasattr(ws, name), name
    assert ws.conn.reader.buffer == b""
    assert ws.conn.extensions == []
    assert inspect.isgenerator(ws.conn.parser)
    assert isinstance(ws.queue, asyncio.Queue)
    http = DeadlineProtocol(config=config(), server_state=ServerState(), app_state={})
    for name in ("transport", "loop", "cycle", "config", "ws_protocol_class"):
        assert hasattr(http, name), name
    assert http.ws_protocol_class is SocketProtocol
    server = TransportServer(config())
    for name in ("server_state", "started", "should_exit", "force_exit", "config"):
        assert hasattr(server, name), name


def test_the_configuration_has_off_what_must_be_off() -> None:
    made = config()
    assert made.ws_per_message_deflate is False
    assert made.ws_ping_interval is None
    assert made.proxy_headers is False
    assert made.http_protocol_class is DeadlineProtocol
    assert made.ws_protocol_class is SocketProtocol
    assert made.timeout_graceful_shutdown == 3
    assert made.ws_max_size == TransportLimits().max_message


def test_masking_is_the_compiled_one() -> None:
    assert apply_mask(b"\x01\x02\x03\x04\x05", b"\x01\x02\x03\x04") == b"\0\0\0\0\x04"


async def test_the_offer_is_in_the_scope_and_the_rest_is_uvicorns() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        """Takes no notice of the offer."""
        seen.append(scope["extensions"])
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": event["text"].upper()})

    with serving("fast-uvloop", Gate(TransportLimits()), app=app) as running:
        async with connected(running.port) as raw:
            raw.send(masked(1, b"plain"))
            assert await raw.frame() == (1, b"PLAIN")
            raw.send(masked(8, b"\x03\xe8"))
            assert await raw.frame() == (8, b"\x03\xe8")
    assert set(seen[0]) == {EXTENSION, "websocket.http.response"}


async def test_a_bad_handshake_is_answered_by_uvicorn() -> None:
    with serving("fast-uvloop") as running:
        async with opened(running.port) as raw:
            raw.send((HANDSHAKE.replace("Version: 13", "Version: 12") + "\r\n").encode())
            assert (await raw.reader.readline()).startswith(b"HTTP/1.1 400")


async def test_the_protocol_object_is_let_go_after_the_handshake() -> None:
    with serving("fast-uvloop") as running:
        async with connected(running.port) as raw:
            raw.send(masked(1, b"x"))
            assert await raw.frame() == (1, b"x")
            left: list[object] = list(running.server.server_state.connections)
            assert left == running.endpoint.sockets
            assert not running.server.server_state.tasks
        await asyncio.sleep(0.1)
        assert not running.server.server_state.connections


async def test_one_flusher_for_a_loop() -> None:
    loop = asyncio.get_running_loop()
    assert flusher_of(loop) is flusher_of(loop)


def held() -> int:
    """Objects of lines that are still in memory."""
    of_lines = (DeadlineProtocol, SocketProtocol, ServerProtocol, FastSocket)
    return sum(isinstance(one, of_lines) for one in gc.get_objects())


@pytest.mark.parametrize("ending", ["closed", "reset", "too fast", "refused", "request"])
@pytest.mark.parametrize("kind", FAST)
async def test_a_line_that_ended_leaves_nothing_to_the_collector(kind: Kind, ending: str) -> None:
    with serving(kind) as running:
        gc.collect()
        before = held()
        gc.disable()
        try:
            for _ in range(5):
                await ended(running.port, ending)
            await until(lambda: held() <= before)
        finally:
            gc.enable()


async def ended(port: int, ending: str) -> None:
    """A line that ended so."""
    if ending in ("request", "refused"):
        async with opened(port) as raw:
            refused = HANDSHAKE.replace("/v1/ws", "/nowhere").encode() + b"\r\n"
            raw.send(PLAIN if ending == "request" else refused)
            # To its end: a failure to write would be logged, and what is logged is kept.
            assert await raw.reader.readuntil(b"ok" if ending == "request" else b"\r\n\r\n")
        return
    async with connected(port) as raw:
        if ending == "closed":
            raw.send(masked(8, b"\x03\xe8"))
        elif ending == "reset":
            raw.reset()
        else:
            raw.send(masked(9) * 10_000)
        await raw.end()
