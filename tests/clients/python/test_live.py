"""The SDK against a real server: whole matches, and a server that is killed in their middle."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from hanpan import Action, Backoff, Event, Frame, Request, Table, connect, guest
from hanpan.bots import Random
from hanpan.table import Choose
from tests.clients.python.conftest import until
from tests.clients.python.replay import Replay
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.transcripts.record import GAMES, record

PLAYERS = ("Anna", "Bella", "Clara")


class Seen:
    """Every frame of a table, in the order in which it came."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.first = table.state.seq
        self.frames: list[Frame] = []
        table.on_frame.add(self.frames.append)

    @property
    def events(self) -> list[Event]:
        """Every event."""
        return [event for frame in self.frames for event in frame.events]

    def is_whole(self) -> bool:
        """Whether the numbers are contiguous: no frame is missing, none came twice."""
        numbers = [frame.seq for frame in self.frames]
        return numbers == list(range(self.first + 1, numbers[-1] + 1))


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_what_a_real_server_says_can_be_replayed(
    live: HanpanServer, tmp_path: Path, game: str
) -> None:
    token = (await guest(live.url, f"Recorder {game}".replace("_", " "))).token
    lines = await record(live.url, token, game)
    path = tmp_path / "recorded.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    await Replay(path).run()


async def test_a_killed_server_costs_no_player_an_event() -> None:
    """kill -9 in mid-match, twice; every player's stream goes on at the very next number."""
    with hanpan_server(frames=1000, frame_burst=1000) as server:
        clients = [
            await connect(server.url, name=name, backoff=Backoff(0.02, 0.2)) for name in PLAYERS
        ]
        table_id, _ = await clients[0].create_table("peeper", 3, speed="instant", seed="5" * 64)
        tables = [await client.join(table_id) for client in clients]
        seen = [Seen(table) for table in tables]
        choosers = [slow(Random(number)) for number in range(3)]
        playing = [
            asyncio.create_task(table.play(choose))
            for table, choose in zip(tables, choosers, strict=True)
        ]
        await asyncio.gather(*(table.ready() for table in tables))
        for _ in range(2):
            await asyncio.sleep(0.6)
            server.kill()
            await asyncio.to_thread(server.start)
        async with asyncio.timeout(60):
            results = await asyncio.gather(*playing)
        assert len({json.dumps(result.data) for result in results}) == 1
        for one, client in zip(seen, clients, strict=True):
            assert client.resumes == 2
            assert one.is_whole()
            assert "snapshot" not in [event.type for event in one.events]
        public = ("played", "passed", "mined", "returned", "match_started", "match_ended")
        stories = {json.dumps([e.data for e in one.events if e.type in public]) for one in seen}
        assert len(stories) == 1, "everyone saw the same, once"
        await asyncio.gather(*(client.close() for client in clients))


async def test_a_seat_moves_to_the_newest_connection(live: HanpanServer) -> None:
    token = (await guest(live.url)).token
    async with connect(live.url, token) as old, connect(live.url, token) as new:
        first = await old.play("peeper", 2, speed="relaxed")
        assert [seat.table for seat in new.seated] == []
        second = await new.watch(first.id)
        assert second.seat == first.seat
        while not first.ended:
            await first.changed()
        assert str(first.error) == f"table {first.id}: replaced"
        await second.leave()


async def test_asking_and_chatting(live: HanpanServer) -> None:
    async with connect(live.url, locale="ko", want=["say"]) as client:
        table = await client.play("peeper", 2, speed="relaxed", early_close=False)
        lines: list[str] = []
        table.on_chat.add(lambda line: lines.append(line.text))
        while not table.view:
            await table.changed()
        answer = await table.ask("hand")
        assert answer.data == table.view["hand"]
        assert answer.say
        assert "내 패" in answer.say[0].text
        await table.chat("안녕")
        await client.games()
        assert lines == ["안녕"]
        await table.leave()


async def test_a_private_table_is_watched_over_a_cut(live: HanpanServer) -> None:
    async with connect(live.url) as host, connect(live.url) as watcher:
        table_id, invite = await host.create_table(
            "peeper", 2, visibility="private", bots=1, speed="relaxed"
        )
        seat = await host.join(table_id, invite=invite)
        watched = await watcher.watch(table_id, invite=invite, detail="events")
        watcher.drop_connection()
        await until(lambda: watcher.resumes == 1)
        await seat.ready()
        while watched.info is None or watched.info.phase != "running":
            await watched.changed()
        await seat.leave()


def slow(choose: Random) -> Choose:
    async def chosen(request: Request) -> Action:
        await asyncio.sleep(0.02)
        return choose(request)

    return chosen
