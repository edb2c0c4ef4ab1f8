"""A whole match over real sockets: three SDK bots, one raw client, a spectator, and the record."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
import websockets

import hanpan
from engines.kit.registry import load
from hanpan.bots import Random
from protocol.codec import encoder
from server.core.record import parse, play, set_up
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.records import full_record, record_of

# Short matches: random bidders take thousands of tricks to 30 points.
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("peeper", 4, {}),
    ("chamsaejak", 4, {"rounds": 1}),
    ("pepper", 4, {"target": 1}),
    ("cockroach_duel", 2, {}),
]
MATCH_S = 60


class RawClient:
    """Written from PROTOCOL.md alone: answers every request with its default or first legal action."""

    def __init__(self, server: HanpanServer) -> None:
        self._server = server
        self._next = 0
        self.numbers: list[int] = []
        self.open: list[dict[str, Any]] = []
        self.ended: dict[str, Any] | None = None
        self.refused: list[dict[str, Any]] = []

    async def run(self, table: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as http:
            made = await http.post(f"{self._server.url}/v1/guests", json={"name": "Raw Player"})
        assert made.status_code == 201
        async with websockets.connect(
            self._server.ws_url,
            subprotocols=[websockets.Subprotocol("hanpan.v1.json")],
            compression=None,
        ) as self._socket:
            hello = json.loads(await self._socket.recv())
            assert hello["type"] == "hello"
            assert hello["protocol"] == "1.0"
            await self._ask({"type": "identify", "token": made.json()["token"]})
            joined = await self._ask({"type": "join_table", "table": table})
            assert isinstance(joined["seat"], int)
            await self._ask({"type": "ready", "table": table})
            while self.ended is None:
                if self.open:
                    request = self.open.pop(0)
                    turn = request["kind"] == "turn"
                    action = request["legal"][0] if turn else request["default"]
                    answer = {"table": table, "request": request["request"], "action": action}
                    await self._ask({"type": "act", **answer})
                else:
                    self._take(json.loads(await self._socket.recv()))

    async def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self._next += 1
        await self._socket.send(json.dumps({"id": self._next, **message}))
        while True:
            got: dict[str, Any] = json.loads(await self._socket.recv())
            if got.get("re") == self._next:
                if got["type"] == "error":
                    self.refused.append(got)
                return got
            self._take(got)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] not in ("snapshot", "update"):
            return
        self.numbers.append(message["seq"])
        if "requests" in message:
            self.open = message["requests"]
        for event in message.get("events", []):
            if event["type"] == "match_ended":
                self.ended = event


async def spectate(table: hanpan.Table) -> list[dict[str, Any]]:
    """The public stream's events until the match ends."""
    seen: list[dict[str, Any]] = []
    async for event in table.events():
        seen.append(event.data)
        if event["type"] == "match_ended":
            return seen
    return seen


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
async def test_a_whole_match(game: str, seats: int, options: dict[str, Any]) -> None:
    with hanpan_server(frames=2_000, frame_burst=4_000, joins_per_minute=100) as server:
        raw = RawClient(server)
        async with (
            asyncio.timeout(MATCH_S),
            hanpan.connect(server.url) as watcher,
            asyncio.TaskGroup() as group,
        ):
            name, _ = await watcher.create_table(
                game, seats, options=options, speed="instant", open_record=True
            )
            watched = await watcher.watch(name)
            watching = group.create_task(spectate(watched))
            for number in range(seats - 1):
                group.create_task(sdk_bot(server, name, number))
            group.create_task(raw.run(name))
        events = watching.result()
        assert raw.refused == [] or all(r["code"] == "stale_request" for r in raw.refused)
        assert raw.numbers == list(range(raw.numbers[0], raw.numbers[0] + len(raw.numbers)))
        assert raw.ended is not None
        match = raw.ended["record"]
        public = await record_of(server, match)
        full = await full_record(server, match)
    check_spectator(events, public)
    check_replay(game, full, raw.ended, events)


async def sdk_bot(server: HanpanServer, name: str, number: int) -> None:
    async with hanpan.connect(server.url) as client:
        table = await client.join(name)
        await table.ready()
        await table.play(Random(number))


def check_spectator(events: list[dict[str, Any]], public: dict[str, Any]) -> None:
    """What the spectator saw from the start on is the public record, event by event."""
    told = [event for frame in public["frames"] for event in frame["events"]]
    start = next(i for i, event in enumerate(events) if event["type"] == "match_started")
    assert events[start:] == told
    assert public["kind"] == "public"
    assert public["decks"]


def check_replay(
    game: str, full: bytes, ended: dict[str, Any], events: list[dict[str, Any]]
) -> None:
    """The full record, played again, leads to every event, the scores and the numbers."""
    games = load()
    record = parse(full)
    assert record.game == game
    table = set_up(record, games)
    lines = list(play(record, table))
    assert all(line.ok for line in lines)
    assert table.state.phase == "ended"
    assert table.match.scores == ended["scores"]
    assert table.match.places == ended["places"]
    replayed = [json.loads(encoder.encode(event)) for line in lines for event in line.events]
    assert replayed == events[-len(replayed) :]
