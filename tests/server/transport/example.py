"""A server in a process of its own: `python -m tests.server.transport.example PORT [MODE]`.

Prints a line for what happens: `ready PORT`, `draining N`, `drained`, `lifespan shutdown`. MODE: `stuck`
never finishes draining, `fails` raises while draining, `broken` cannot start.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from server.transport.accept import Gate
from server.transport.base import TransportLimits
from server.transport.server import Address, TransportConfig, TransportServer, run
from tests.server.transport.harness import Endpoint


def say(*words: object) -> None:
    print(*words, flush=True)


def main(port: int, mode: str) -> int:
    endpoint = Endpoint(Gate(TransportLimits(per_address=10_000, close_timeout=500)))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await endpoint(scope, receive, send)
            return
        await receive()
        if mode == "broken":
            await send({"type": "lifespan.startup.failed", "message": "on purpose"})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        say("lifespan shutdown")
        await send({"type": "lifespan.shutdown.complete"})

    async def drain() -> None:
        say("draining", len(endpoint.sockets))
        if mode == "stuck":
            await asyncio.Event().wait()
        if mode == "fails":
            raise LookupError("on purpose")
        waiting = list(endpoint.sockets)
        for begin in range(0, len(waiting), 200):
            for socket in waiting[begin : begin + 200]:
                socket.close(4001, "draining")
            await asyncio.sleep(0.02)
        while endpoint.sockets:  # noqa: ASYNC110 (the endpoint tells nobody)
            await asyncio.sleep(0.02)
        say("drained")

    def ready(addresses: list[Address]) -> None:
        say("ready", addresses[0][1])

    config = TransportConfig(app, endpoint.gate, stop_timeout=1.0)
    server = TransportServer(config, drain=drain, drain_timeout=6.0, ready=ready)
    return run(server, "127.0.0.1", port)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
