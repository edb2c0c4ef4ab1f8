"""The plain socket between two queues (the wire is in test_behaviour)."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from server.transport.accept import Gate, accept
from server.transport.asgi import AsgiSocket
from server.transport.base import Message, TransportLimits
from tests.server.transport.raw import until

LIMITS = TransportLimits(max_unsent=1_000, close_timeout=50)

Event = MutableMapping[str, Any]


class Server:
    """The server's side of ASGI; `stuck` makes it a server whose peer does not read."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[Event] = asyncio.Queue()
        self.outgoing: list[Event] = []
        self.free = asyncio.Event()
        self.free.set()
        self.gone = False

    async def receive(self) -> Event:
        return await self.incoming.get()

    async def send(self, event: Event) -> None:
        await self.free.wait()
        if self.gone:
            raise OSError("the peer has gone")
        self.outgoing.append(event)

    def says(self, **event: Any) -> None:
        self.incoming.put_nowait(event)


def made(server: Server) -> tuple[AsgiSocket, list[int]]:
    socket = AsgiSocket("203.0.113.7", LIMITS, server.receive, server.send)
    told: list[int] = []
    socket.on_close = told.append
    socket.start()
    return socket, told


async def test_messages_go_in_order_and_the_close_comes_last() -> None:
    server = Server()
    socket, told = made(server)
    socket.send(Message(b"one"))
    socket.send(Message("둘".encode()), bulk=True)
    assert socket.unsent == 6
    socket.close(4000, "bye")
    socket.send(Message(b"three"))
    await until(lambda: len(server.outgoing) == 3)
    assert [event.get("text") for event in server.outgoing] == ["one", "둘", None]
    assert server.outgoing[2] == {"type": "websocket.close", "code": 4000, "reason": "bye"}
    assert socket.unsent == 0
    server.says(type="websocket.disconnect", code=1000)
    await socket.run()
    assert told == [4000]


async def test_a_peer_that_does_not_read_is_given_up() -> None:
    server = Server()
    server.free.clear()
    socket, told = made(server)
    for _ in range(3):
        assert socket.is_open
        socket.send(Message(b"x" * 400))
    ended = not socket.is_open
    await asyncio.wait_for(socket.run(), 2)
    assert ended
    assert told == [4007]
    assert server.outgoing == []


async def test_a_server_that_raises_for_a_gone_peer_is_no_error() -> None:
    server = Server()
    server.gone = True
    socket, told = made(server)
    socket.send(Message(b"one"))
    await until(lambda: socket.unsent == 0)
    server.says(type="websocket.disconnect")
    await socket.run()
    assert told == [1006]


async def test_a_cancelled_call_ends_the_socket() -> None:
    server = Server()
    socket, told = made(server)
    task = asyncio.create_task(socket.run())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: told)
    assert told == [1006]


async def test_text_that_is_no_text_ends_it_with_1007() -> None:
    server = Server()
    socket, _ = made(server)
    server.says(type="websocket.receive", text="\ud800")
    await until(lambda: server.outgoing)
    assert server.outgoing[0]["code"] == 1007
    server.says(type="websocket.disconnect", code=1007)
    await socket.run()


async def test_an_error_of_the_server_is_not_swallowed() -> None:
    async def receive() -> Event:
        raise LookupError("on purpose")

    server = Server()
    socket = AsgiSocket("", LIMITS, receive, server.send)
    socket.start()
    with pytest.raises(LookupError):
        await socket.run()


async def test_it_runs_as_a_starlette_endpoint() -> None:
    gate = Gate(TransportLimits())
    told: list[int] = []

    async def endpoint(websocket: WebSocket) -> None:
        socket = await accept(websocket.scope, websocket.receive, websocket.send, gate)
        assert socket is not None
        socket.on_message = lambda payload, stamp: socket.send(Message(payload.upper()))
        socket.on_close = told.append
        await socket.run()

    app = Starlette(routes=[WebSocketRoute("/v1/ws", endpoint)])
    server = Server()
    scope: Event = {
        "type": "websocket",
        "path": "/v1/ws",
        "headers": [],
        "client": ("203.0.113.7", 1),
        "subprotocols": ["hanpan.v1.json"],
    }
    server.says(type="websocket.connect")
    server.says(type="websocket.receive", text="hi")
    call = asyncio.create_task(app(scope, server.receive, server.send))
    await until(lambda: len(server.outgoing) == 2)
    assert server.outgoing[0]["subprotocol"] == "hanpan.v1.json"
    assert server.outgoing[1]["text"] == "HI"
    assert len(gate.addresses) == 1
    server.says(type="websocket.disconnect", code=4321)
    await call
    assert told == [4321]
    assert len(gate.addresses) == 0
