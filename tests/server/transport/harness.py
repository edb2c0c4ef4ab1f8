"""A real server for the tests: in a thread, on 127.0.0.1, on the loop and the path that a test names."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Literal

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from server.transport.accept import Gate, accept
from server.transport.base import Message, Socket, TransportLimits
from server.transport.server import TransportConfig, TransportServer, listen
from server.transport.uvicorn_ws import SocketProtocol

Kind = Literal["fast-uvloop", "fast-asyncio", "asgi"]
KINDS: list[Kind] = ["fast-uvloop", "fast-asyncio", "asgi"]
FAST: list[Kind] = ["fast-uvloop", "fast-asyncio"]

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass
class Endpoint:
    """Echoes; some texts are orders: `close CODE REASON`, `burst N`, `big N`, `twice`, `raise`."""

    gate: Gate
    sockets: list[Socket] = field(default_factory=list)
    received: list[tuple[bytes, float]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.http(receive, send)
            return
        socket = await accept(scope, receive, send, self.gate)
        if socket is None:
            return
        self.sockets.append(socket)
        socket.on_message = lambda payload, stamp: self.message(socket, payload, stamp)
        socket.on_close = lambda code: self.close(socket, code)
        if scope["path"] == "/forgets":
            return
        await socket.run()

    async def http(self, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        head = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"ok"})

    def message(self, socket: Socket, payload: bytes, stamp: float) -> None:
        self.received.append((payload, stamp))
        order, _, rest = payload.decode().partition(" ")
        if order == "close":
            code, _, reason = rest.partition(" ")
            socket.send(Message(b"last words"))
            socket.close(int(code), reason)
            socket.send(Message(b"never seen"))
            socket.close(4000, "never seen")
        elif order == "burst":
            for n in range(int(rest)):
                socket.send(Message(str(n).encode()))
        elif order == "big":
            socket.send(Message(b"x" * int(rest)))
        elif order == "raise":
            raise LookupError("on purpose")
        else:
            socket.send(Message(payload))

    def close(self, socket: Socket, code: int) -> None:
        self.sockets.remove(socket)
        self.closed.append(code)


@dataclass
class Running:
    """A server that serves `endpoint` at `port`."""

    endpoint: Endpoint
    server: TransportServer
    port: int
    loop: asyncio.AbstractEventLoop

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/ws"

    def call(self, function: Callable[[], Any]) -> Any:
        """What `function` gives on the server's loop."""
        return asyncio.run_coroutine_threadsafe(_call(function), self.loop).result(10)


async def _call(function: Callable[[], Any]) -> Any:
    return function()


@contextlib.contextmanager
def serving(
    kind: Kind,
    gate: Gate | None = None,
    *,
    ws: type[SocketProtocol] = SocketProtocol,
    app: Any = None,
    **server_settings: Any,
) -> Iterator[Running]:
    """Runs a server for the time of the block; asserts that it stops."""
    gate = gate or Gate(TransportLimits(faults_per_minute=0))
    endpoint = Endpoint(gate)
    loop = "asyncio" if kind == "fast-asyncio" else "uvloop"
    config = TransportConfig(
        app or endpoint,
        gate,
        lifespan="off",
        loop=loop,
        ws=WebSocketsSansIOProtocol if kind == "asgi" else ws,
    )
    server = TransportServer(config, **server_settings)
    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    started = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        asyncio.get_running_loop().call_soon(started.set)
        await server.serve(sockets=sockets)

    def work() -> None:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(main())

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(10)
    try:
        yield Running(endpoint, server, port, loops[0])
    finally:
        server.should_exit = True
        thread.join(15)
        assert not thread.is_alive()
