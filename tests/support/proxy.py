"""A TCP proxy in the test's own loop, which can be told to lose, hold and cut."""

from __future__ import annotations

import asyncio
import contextlib
import ssl


class Proxy:
    """Forwards connections from a port of its own to 127.0.0.1:`target`.

    hold_requests, hold_replies: what comes meanwhile is swallowed, and the connections stay.
    """

    def __init__(self, target: int, tls: ssl.SSLContext | None = None) -> None:
        """tls: speak it on the proxy's own port."""
        self._target = target
        self._tls = tls
        self.port = 0
        self.hold_requests = False
        self.hold_replies = False
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """As a Redis URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def cut(self) -> None:
        """End every connection at once; new ones are taken."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers += [writer, up_writer]
        for source, sink, requests in ((reader, up_writer, True), (up_reader, writer, False)):
            task = asyncio.create_task(self._pump(source, sink, requests))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, requests: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if self.hold_requests if requests else self.hold_replies:
                    continue
                sink.write(data)
                await sink.drain()
        sink.transport.abort()
