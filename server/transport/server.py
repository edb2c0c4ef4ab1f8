"""Runs an ASGI application on this transport: listening, stopping, draining.

uvicorn ends sockets before the application's lifespan, so the application is asked to drain first, while
everything still works; what is left after that is closed, and what is left after a time-out is cut.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from types import FrameType
from typing import Any

import uvicorn

from server.transport.accept import Gate
from server.transport.base import TransportLimits
from server.transport.deadline import DeadlineProtocol
from server.transport.uvicorn_ws import SocketProtocol

logger = logging.getLogger("hanpan.transport")

Address = tuple[str, int]

SEND_BUFFER = 128 * 1024
"""Bytes that the kernel keeps unsent for a connection (Linux doubles it for its own needs)."""

EXIT_CANNOT_LISTEN = 2
EXIT_FAILED = 3


class CannotListen(Exception):
    """The address cannot be had; the text is a sentence for whoever started the server."""


class TransportConfig(uvicorn.Config):
    """uvicorn's configuration with our classes, and with what must be off.

    permessage-deflate tells a hidden hand by frame sizes, uvicorn's pings close clients that are merely
    busy (the protocol has heartbeats of its own), and forwarded addresses are judged by `Gate`.
    """

    def __init__(
        self,
        app: Any,
        gate: Gate | None = None,
        *,
        ws: type[asyncio.Protocol] = SocketProtocol,
        stop_timeout: float = 3.0,
        **others: Any,
    ) -> None:
        self.gate = gate or Gate(TransportLimits())
        self.limits = self.gate.limits
        self.stop_timeout = stop_timeout
        super().__init__(
            app,
            http=DeadlineProtocol,
            ws=ws,
            ws_max_size=self.limits.max_message,
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=max(1, round(stop_timeout)),
            **others,
        )


class TransportServer(uvicorn.Server):
    """uvicorn's server with a drain before its shutdown.

    drain: tells the clients to resume elsewhere and hands over what must live on; it has `drain_timeout`
    seconds. ready: called with the bound addresses once connections are accepted. signals: whether SIGINT
    and SIGTERM stop it; the second of either stops it at once.
    """

    def __init__(
        self,
        config: TransportConfig,
        *,
        drain: Callable[[], Awaitable[None]] | None = None,
        drain_timeout: float = 5.0,
        ready: Callable[[list[Address]], None] | None = None,
        signals: bool = True,
    ) -> None:
        super().__init__(config)
        self.drain = drain
        self.drain_timeout = drain_timeout
        self.ready = ready
        self.signals = signals

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.ready is not None:
            names = [s.getsockname() for server in self.servers for s in server.sockets]
            self.ready([(str(name[0]), int(name[1])) for name in names])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self.drain is not None:
            await self._drain(self.drain)
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def _drain(self, drain: Callable[[], Awaitable[None]]) -> None:
        """Lets the application drain until the time is over or a second signal says at once."""
        task = asyncio.ensure_future(drain())
        until = time.monotonic() + self.drain_timeout
        while not task.done() and not self.force_exit and time.monotonic() < until:
            await asyncio.wait({task}, timeout=0.1)
        if not task.done():
            logger.error("draining was broken off")
            task.cancel()
        (failure,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(failure, Exception):
            logger.error("draining failed", exc_info=failure)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """As uvicorn's, but a signal that stopped us is not raised again: it was obeyed."""
        if not self.signals or threading.current_thread() is not threading.main_thread():
            yield
            return
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True


def listen(
    host: str, port: int, *, backlog: int = 2048, reuse_port: bool = False
) -> list[socket.socket]:
    """Sockets bound to every address of `host`; port 0 takes a free one (of the first address alone).

    Raises CannotListen with a sentence.
    """
    if not 0 <= port < 65_536:
        raise CannotListen(
            f"{port} is not a port; they go from 1 to 65535, and 0 takes a free one."
        )
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"There is no address {host}:{port} to listen on.") from None
    bound: list[socket.socket] = []
    failure: OSError | None = None
    for family, kind, proto, _, address in dict.fromkeys(found):
        try:
            bound.append(_bind(family, kind, proto, address, reuse_port))
        except OSError as error:
            failure = error
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                break
        else:
            failure = None
            if port == 0:
                break
    if failure is not None and (not bound or failure.errno == errno.EADDRINUSE):
        for taken in bound:
            taken.close()
        raise CannotListen(_sentence(host, port, failure)) from None
    for each in bound:
        each.listen(backlog)
    return bound


def _bind(family: int, kind: int, proto: int, address: Any, reuse_port: bool) -> socket.socket:
    sock = socket.socket(family, kind, proto)
    try:
        if os.name == "posix":
            # Elsewhere it would let two programs listen on one port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Accepted sockets inherit it. Left alone, the kernel keeps megabytes for a peer that stopped
        # reading, and too slow is noticed when that is full.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setblocking(False)
        sock.bind(address)
    except BaseException:
        sock.close()
        raise
    return sock


def _sentence(host: str, port: int, failure: OSError) -> str:
    place = f"{host or 'all addresses'}, port {port}"
    if failure.errno == errno.EADDRINUSE:
        return f"Another program already listens on {place}; stop it or choose another port."
    if failure.errno in (errno.EACCES, errno.EPERM):
        return (
            f"The system does not allow this user to listen on {place}; choose a port above 1023."
        )
    if failure.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine."
    return f"Cannot listen on {place}: {failure.strerror}."


def run(server: TransportServer, host: str, port: int, *, reuse_port: bool = False) -> int:
    """Serves until a signal; the exit code, with a sentence on stderr where it is not 0."""
    config = server.config
    try:
        sockets = listen(host, port, backlog=config.backlog, reuse_port=reuse_port)
    except CannotListen as refused:
        print(refused, file=sys.stderr)
        return EXIT_CANNOT_LISTEN
    try:
        serve(server, sockets)
    except SystemExit:
        # uvicorn's way to say that the lifespan's startup failed; it has been logged.
        print("The server could not start; its log says why.", file=sys.stderr)
        return EXIT_FAILED
    return 0


def serve(server: TransportServer, sockets: Sequence[socket.socket]) -> None:
    """Runs the server on a loop of its own, uvloop's where there is one."""
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=list(sockets)))
