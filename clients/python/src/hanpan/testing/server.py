"""A fake server on a real socket: it answers by itself, or follows a test's script."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec

from hanpan.testing.peers import Message, Peer, PeerGone
from hanpan.testing.tables import FakeTable, Refuse

Answer = Callable[[Message], Message | None]
LIMITS = {
    "max_frame": 16384, "frames": 1000, "burst": 1000, "chat": 5, "chat_ms": 10000, "connections": 5,
}  # fmt: skip
HELLO: Message = {
    "type": "hello", "protocol": "1.0", "server": "fake", "now": 0, "heartbeat_ms": 60_000,
    "limits": LIMITS, "features": ["say"],
}  # fmt: skip


class FakeServer:
    """A server for tests: `async with FakeServer() as server: await hanpan.connect(server.url)`.

    scripted: False answers everything by itself (tables: what it has; `answers`: by message type what
    else it says; `page`: the tables that it lists at once); True leaves every connection to the test,
    which gets them from `accept`.
    """

    def __init__(self, *tables: FakeTable, scripted: bool = False, **hello: Any) -> None:
        self.tables = {table.id: table for table in tables}
        self.scripted = scripted
        self.hello = {**HELLO, **hello}
        self.answers: dict[str, Answer] = {}
        self.page = 100
        self.received: list[Message] = []
        self.peers: list[Peer] = []
        self.port = 0
        self._opened: asyncio.Queue[Peer] = asyncio.Queue()
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen; after a stop on the same port again."""
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Drop every connection and listen no more."""
        if self._server is not None:
            self._server.close()
        self.drop()
        while self._serving:
            await asyncio.wait(self._serving)

    def drop(self, code: int = 0) -> None:
        """End every connection: with this close code, or as a network would."""
        for peer in self.peers:
            if not peer.gone:
                peer.close(code)
        self.peers.clear()

    async def accept(self) -> Peer:
        """The next connection, of a scripted server."""
        return await self._opened.get()

    async def __aenter__(self) -> FakeServer:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"POST /v1/guests "):
                await self._guest(head, reader, writer)
                return
            peer = Peer(reader, writer)
            self.peers.append(peer)
            own = asyncio.create_task(self._greet(peer))
            await peer.serve(head)
            await asyncio.gather(own, return_exceptions=False)

    async def _greet(self, peer: Peer) -> None:
        if self.scripted:
            self._opened.put_nowait(peer)
            return
        await peer.opened.wait()
        peer.send(self.hello)
        with contextlib.suppress(PeerGone):
            while True:
                message = await peer.recv()
                self.received.append(message)
                self._answer(peer, message)

    def _answer(self, peer: Peer, message: Message) -> None:
        own = self.answers.get(message["type"])
        after: list[Callable[[], None]] = []
        try:
            fields = own(message) if own else self._default(peer, message, after)
        except Refuse as refuse:
            peer.send({"type": "error", "re": message.get("id"), **refuse.fields})
            return
        if fields is not None:
            peer.send({"type": "ok", "re": message.get("id"), **fields})
        for step in after:
            step()

    def _default(
        self, peer: Peer, message: Message, after: list[Callable[[], None]]
    ) -> Message | None:
        kind = message["type"]
        tops = [table.top for table in self.tables.values()]
        if kind == "identify":
            for place in message.get("at", []):
                table = self.tables.get(place["table"])
                if table is not None:
                    after.append(
                        lambda t=table, p=place: t.resume(peer, p["epoch"], p["seq"])  # type: ignore[misc]  # bound early
                    )
            return {"player": {"id": "p_1", "name": "fake", "guest": True}, "at": tops}
        if kind == "ping":
            peer.send({"type": "pong", "re": message.get("id"), "now": 0, "at": tops})
            return None
        if kind in ("list_tables", "watch_lobby"):
            infos = [table.snapshot()["info"] for table in self.tables.values()]
            end = message.get("skip", 0) + self.page
            return {"tables": infos[end - self.page : end], "more": end < len(infos)}
        if kind == "list_games":
            return {"games": []}
        if kind == "unwatch_lobby":
            return {}
        if kind == "create_table":
            return {"table": next(iter(self.tables), "t_1")}
        table = self.tables.get(message.get("table", ""))
        if table is None:
            raise Refuse("not_found")
        if kind in ("watch", "join_table"):
            after.append(lambda: table.listen(peer))
            return {"table": table.id, "seat": table.seat} if kind == "join_table" else {}
        return table.act(message) if kind == "act" else {}

    async def _guest(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        lengths = [
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ]
        body = msgspec.json.decode(await reader.readexactly(sum(lengths)), type=Message)
        status, answer = "201 Created", {"token": "secret", "player": {"id": "p_1", **body}}
        if "guests" in self.answers:
            try:
                answer = self.answers["guests"](body) or answer
            except Refuse as refuse:
                status, answer = "422 Unprocessable Entity", {"title": refuse.fields["message"]}
        data = msgspec.json.encode(answer)
        writer.write(
            f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\nconnection: close\r\n\r\n".encode()
            + data
        )
        await writer.drain()
        writer.close()
