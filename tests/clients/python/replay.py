"""Plays a transcript's server to the SDK, drives the SDK by it, and compares what it knows."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec

from hanpan import Backoff, Client, HanpanError, Refused, Stopped, Table, connect
from hanpan._messages import ClientUnion
from hanpan.testing import FakeServer, Message, Peer
from hanpan.wire import plain

FREE = ("id", "client", "key")
"""Fields whose values a client chooses by itself."""


def lines(path: Path) -> list[dict[str, Any]]:
    """The transcript's lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


class Replay:
    """One transcript against one client."""

    def __init__(self, path: Path) -> None:
        self.lines = lines(path)
        self.client: Client | None = None
        self.table: Table | None = None
        self.opening: asyncio.Task[None]
        self.events: list[list[Any]] = []
        self.said: list[list[Any]] = []
        self.errors: list[str] = []
        self.unseated: str | None = None
        self.ids: dict[Any, Any] = {}
        self.keys: dict[Any, Any] = {}
        self.early: list[Message] = []
        self.calls: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Replay it all. Raises AssertionError where the client differs."""
        async with FakeServer(scripted=True) as server, asyncio.timeout(20):
            first = next(line["c"] for line in self.lines if "c" in line)
            self.opening = asyncio.create_task(self._open(server.url, first))
            peer: Peer | None = None
            for line in self.lines:
                if "know" in line:
                    await self._know(line["know"])
                    continue
                if peer is None:
                    peer = await server.accept()
                    await peer.opened.wait()
                if "s" in line:
                    message = dict(line["s"])
                    if "re" in message:
                        message["re"] = self.ids.get(message["re"], message["re"])
                    peer.send(message)
                elif "c" in line:
                    await self._client_sends(peer, line)
                elif "end" in line:
                    self.early.clear()
                    peer.close(line["end"])
                    peer = None
            await self.opening
            assert self.client is not None
            await self.client.close()
            for call in self.calls:
                call.cancel()
            await asyncio.gather(*self.calls, return_exceptions=True)

    async def _open(self, url: str, identify: Message) -> None:
        self.client = await connect(
            url,
            token=identify["token"],
            locale=identify.get("locale", "en"),
            want=identify.get("want", []),
            backoff=Backoff(0.01, 0.02),
        )

    async def _client_sends(self, peer: Peer, line: dict[str, Any]) -> None:
        wanted = line["c"]
        if not line.get("auto"):
            await asyncio.wait([self.opening])
            task = asyncio.create_task(self._call(wanted))
            self.calls.add(task)
        got = await self._matching(peer, wanted)
        if "id" in wanted:
            self.ids[wanted["id"]] = got["id"]
        if "key" in wanted:
            assert self.keys.setdefault(wanted["key"], got["key"]) == got["key"]

    async def _matching(self, peer: Peer, wanted: Message) -> Message:
        for got in self.early:
            if fits(wanted, got):
                self.early.remove(got)
                return got
        while True:
            got = await peer.recv()
            if fits(wanted, got):
                return got
            assert got["type"] in [line["c"]["type"] for line in self.lines if "c" in line], got
            self.early.append(got)

    async def _call(self, message: Message) -> None:
        client, kind = self.client, message["type"]
        assert client is not None
        fields = {k: v for k, v in message.items() if k not in ("type", "id", "key", "table")}
        try:
            if kind in ("watch", "join_table"):
                table = Table(client, message["table"])
                client.tables.setdefault(message["table"], table)
                self._listen(client.tables[message["table"]])
                await getattr(client, "watch" if kind == "watch" else "join")(
                    message["table"], **fields
                )
            elif kind == "act":
                assert self.table is not None
                await self.table.act(message["action"], request=message["request"])
            elif kind == "chat":
                assert self.table is not None
                await self.table.chat(message["text"])
            elif kind == "create_table":
                await client.create_table(**fields)
            else:
                await client.request(msgspec.convert({**message, "id": None}, ClientUnion))
        except Refused as error:
            self.errors.append(error.code)

    def _listen(self, table: Table) -> None:
        if self.table is table:
            return
        self.table = table
        table.on_frame.add(
            lambda frame: self.events.extend([e.type, e.replay] for e in frame.events)
        )
        table.on_say.add(lambda told: self.said.append([told[0].text, told[1]]))
        table.on_end.add(self._ended)

    def _ended(self, error: HanpanError | None) -> None:
        self.unseated = getattr(error, "why", None)

    async def _know(self, wanted: dict[str, Any]) -> None:
        for _ in range(600):
            if self._knows(wanted) == wanted:
                break
            await asyncio.sleep(0.005)
        assert self._knows(wanted) == wanted
        for field in ("events", "said", "errors"):
            if field in wanted:
                getattr(self, field).clear()

    def _knows(self, wanted: dict[str, Any]) -> dict[str, Any]:
        known: dict[str, Any] = {}
        table, client = self.table, self.client
        for field in wanted:
            match field:
                case "stream" | "epoch" | "seq":
                    known[field] = getattr(table.state, field) if table else None
                case "view" | "seats" | "clock":
                    known[field] = plain(getattr(table, field)) if table else None
                case "requests":
                    known[field] = [r.id for r in table.requests] if table else None
                case "events" | "said" | "errors":
                    known[field] = list(getattr(self, field))
                case "unseated":
                    known[field] = self.unseated
                case "stopped":
                    error = client.error if client else None
                    known[field] = error.code if isinstance(error, Stopped) else None
                case "table":
                    known[field] = table.id if table else None
        return known


def fits(wanted: Message, got: Message) -> bool:
    """Whether the client's message is what the transcript says."""
    return all(k in got and (k in FREE or got[k] == v) for k, v in wanted.items())
