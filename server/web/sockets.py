"""The WebSocket endpoint `/v1/ws`: from the handshake to a session."""

from __future__ import annotations

from typing import Any

from starlette.types import Receive, Scope, Send

from server.runtime.hub import Hub
from server.transport.accept import Gate, accept


class SocketEndpoint:
    """An ASGI application for one path; the session lives in the socket's callbacks."""

    def __init__(self, hub: Hub, gate: Gate) -> None:
        self._hub = hub
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the handshake and hand the socket to a session."""
        arguments: Any = (scope, receive, send, self._gate)
        socket = await accept(*arguments)
        if socket is None:
            return
        self._hub.connected(socket)
        await socket.run()
