"""One WebSocket of a load client, on picows: what it costs must not be what is measured."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

_ANSWERS = (b'{"type":"ok"', b'{"type":"error"')


class Refused(RuntimeError):
    """The server's answer to something that a load client needs was an error."""


class Line(WSListener):
    """A connection. take: gets every frame but the answers that `ask` waits for."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        super().__init__()
        self.take = take
        self.lost = False
        self._transport: WSTransport | None = None
        self._answer: asyncio.Future[bytes] | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.lost = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Refused("the server closed the line"))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        payload = frame.get_payload_as_bytes()
        if self._answer is not None and payload.startswith(_ANSWERS):
            self._answer.set_result(payload)
            self._answer = None
            return
        self.take(payload)

    def send(self, payload: bytes) -> None:
        """Write a text frame."""
        assert self._transport is not None
        self._transport.send(WSMsgType.TEXT, payload)

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message and wait for its answer. Raises Refused. One question at a time."""
        self._answer = asyncio.get_running_loop().create_future()
        waiting = self._answer
        self.send(json.dumps({"id": 0, **message}).encode())
        answer: dict[str, Any] = msgspec.json.decode(await waiting)
        if answer["type"] == "error":
            raise Refused(f"{message['type']}: {answer['code']}: {answer['message']}")
        return answer

    def close(self) -> None:
        """End the line."""
        if self._transport is not None:
            self._transport.disconnect()


async def connect(url: str, take: Callable[[bytes], None]) -> Line:
    """An open line to a WebSocket address."""
    line = Line(take)
    await ws_connect(lambda: line, url, read_buffer_init_size=4_096)
    return line


async def identified(url: str, token: str, take: Callable[[bytes], None]) -> Line:
    """A line to a server (`http://…`) that has said who it is."""
    line = await connect(url.replace("http", "ws", 1) + "/v1/ws", take)
    await line.ask(type="identify", token=token)
    return line


def guests(url: str, count: int) -> list[str]:
    """The tokens of so many new guests."""
    address = urlsplit(url)
    server = http.client.HTTPConnection(address.hostname or "", address.port)
    tokens = []
    for _ in range(count):
        server.request("POST", "/v1/guests", b"{}", {"content-type": "application/json"})
        answer = server.getresponse()
        body = answer.read()
        if answer.status >= 300:
            raise Refused(f"/v1/guests: {answer.status} {body[:200]!r}")
        tokens.append(json.loads(body)["token"])
    server.close()
    return tokens
