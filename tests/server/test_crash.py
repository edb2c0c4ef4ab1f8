"""The whole server under kill -9, loss of power, a full disk and a locked file, with people at the tables.

Everything that was acknowledged must be in the log once, every client's stream contiguous and equal to
what the log leads to when it is played again. HANPAN_KILLS: how many kills (20).
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support import audit
from tests.support.crowd import LIMITS, Crowd
from tests.support.disk import Disk
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.report import report
from tests.support.wire import Json, Wire, dial, guest, wire

KILLS = int(os.environ.get("HANPAN_KILLS", "20"))
TABLES = 50
CLIENTS = 20


@asynccontextmanager
async def crowd_at(
    server: HanpanServer, tables: int, clients: int, seed: int
) -> AsyncIterator[Crowd]:
    """A crowd at so many running tables."""
    crowd = Crowd(server.url, seed)
    try:
        await crowd.fill(tables, clients)
        yield crowd
    finally:
        await crowd.leave()


async def audited(server: HanpanServer, crowd: Crowd) -> dict[str, audit.Log]:
    """Stop the server and hold its journal against what the crowd saw; the logs."""
    await crowd.stop_playing()
    crowd.check()
    await asyncio.to_thread(server.stop)
    await crowd.leave()
    found = await audit.logs(server.data)
    audit.check_acked(found, crowd.acked)
    assert audit.check_seen(found, crowd.seen) > len(crowd.acked)
    return found


async def test_kill_9_at_any_moment_of_play_loses_and_doubles_nothing() -> None:
    chance = random.Random(KILLS)
    with hanpan_server(**LIMITS) as server:
        async with crowd_at(server, TABLES, CLIENTS, seed=1) as crowd:
            await crowd.progress()
            for number in range(KILLS):
                await asyncio.sleep(chance.uniform(0.02, 0.6))
                server.kill()
                if number % 4 == 3:  # the next one falls into the start
                    server.launch()
                    await asyncio.sleep(chance.uniform(0.05, 1.0))
                    server.kill()
                await asyncio.to_thread(server.start)
                crowd.check()
                if number == KILLS // 2:
                    await crowd.progress()
            await crowd.progress()
            found = await audited(server, crowd)
    report("crash", kills=KILLS, tables=TABLES, acknowledged=len(crowd.acked), lost=0, twice=0)
    assert sum(log.resumptions() for log in found.values()) > KILLS * TABLES // 4


async def test_a_loss_of_power_loses_nothing_acknowledged(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    with hanpan_server(disk.environment, data=disk.directory, **LIMITS) as server:
        async with crowd_at(server, tables=12, clients=8, seed=2) as crowd:
            await crowd.progress()
            await asyncio.sleep(0.5)
            server.kill()
            # What the disk holds when the power is back: the files as they were last fsynced.
            server.data = tmp_path / "after"
            shutil.copytree(disk.durable, server.data)
            await asyncio.to_thread(server.start)
            await crowd.progress()
            await audited(server, crowd)


@contextmanager
def full(disk: Disk) -> Any:
    """While no byte can be written."""
    disk.full(True)
    try:
        yield
    finally:
        disk.full(False)


@contextmanager
def locked(disk: Disk) -> Any:
    """While somebody else holds the journal's lock."""
    other = sqlite3.connect(disk.directory / "journal.sqlite", timeout=10, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


@pytest.mark.parametrize("trouble", [full, locked])
async def test_a_journal_that_cannot_be_written_freezes_the_tables_and_loses_nothing(
    tmp_path: Path, trouble: Callable[[Disk], Any]
) -> None:
    disk = Disk(tmp_path)
    allowed = ["commit_failed"]
    with hanpan_server(disk.environment, allowed, disk.directory, **LIMITS) as server:
        token = await guest(server.url)
        late = await guest(server.url)
        async with (
            crowd_at(server, tables=6, clients=4, seed=3) as crowd,
            wire(server.ws_url, token) as spectator,
            wire(server.ws_url, late) as maker,
        ):
            await crowd.progress()
            table = crowd.tables[0]
            await spectator.ok("watch", table=table)
            with trouble(disk):
                await spectator.find(lambda f: f["type"] == "frozen" and f["table"] == table)
                before = len(crowd.acked)
                made = await maker.ask("create_table", game="peeper", seats=2)
                assert made.get("code") == "unavailable", made
                await asyncio.sleep(2)
                assert len(crowd.acked) == before, "acknowledged what cannot be in the journal"
                assert crowd.refused["unavailable"] > 0
                assert (await spectator.ok("ping"))["type"] == "pong"
                frozen = len(spectator.of(table, "frozen"))
                assert not spectator.of(table, "thawed"), "it said that it went on, and did not"
                assert frozen == 1, f"{frozen} times frozen"
                # Whoever comes back meanwhile hears the table again when it goes on.
                for client in crowd.clients:
                    client.drop_connection()
                await asyncio.sleep(0.5)
            await spectator.find(lambda f: f["type"] == "thawed" and f["table"] == table)
            await crowd.progress()
            assert (await maker.ask("create_table", game="peeper", seats=2))["type"] == "ok"
            await spectator.close()
            await audited(server, crowd)


# -- in mid-window -----------------------------------------------------------------------------------
class Seats:
    """All seats of one table, each on a wire of its own that comes back when it is told to."""

    def __init__(self, server: HanpanServer) -> None:
        self.server = server
        self.table = ""
        self.wires: list[Wire] = []
        self._tokens: list[str] = []

    async def sit_down(self, table: str, tokens: list[str]) -> None:
        """Everyone takes a seat and is ready; the match has begun when this returns."""
        self.table, self._tokens = table, tokens
        for token in tokens:
            self.wires.append(await dial(self.server.ws_url, token))
            await self.wires[-1].ok("join_table", table=table)
        for one in self.wires:
            await one.ok("ready", table=table)
        for one in self.wires:
            await one.find(self._asks)

    @staticmethod
    def _asks(frame: Json) -> bool:
        return frame["type"] == "update" and any(
            event["type"] == "match_started" for event in frame.get("events", [])
        )

    async def kill_and_return(self) -> None:
        """kill -9, a restart, and everyone is back where he was."""
        places = []
        for one in self.wires:
            await one.settle()
            last = [f for f in one.of(self.table) if "seq" in f][-1]
            tops = (await one.ok("ping"))["at"]
            place = next(top for top in tops if top["table"] == self.table)
            assert place["seq"] == last["seq"], "a frame was not delivered"
            places.append(place)
        self.server.kill()
        await asyncio.to_thread(self.server.start)
        await self.close()
        for token, place in zip(self._tokens, places, strict=True):
            one = await dial(self.server.ws_url, token, at=[place])
            self.wires.append(one)
            await one.find(lambda f: f["type"] == "requests" and f["table"] == self.table)
            first = next(f for f in one.of(self.table) if f["type"] in ("update", "snapshot"))
            missing = place["seq"] + 1
            assert first["type"] == "snapshot" or first["seq"] == missing, (first, missing)

    def asked(self, kind: str) -> dict[int, Json]:
        """The open requests of a kind by seat."""
        return {
            seat: request
            for seat, one in enumerate(self.wires)
            for request in one.requests(self.table)
            if request["kind"] == kind
        }

    async def act(self, seat: int, request: Json, action: Json) -> Json:
        """Answer a request; the answer must be ok."""
        return await self.wires[seat].ok(
            "act", table=self.table, request=request["request"], action=action
        )

    async def event(self, wire_of: int, type: str, **fields: Any) -> Json:
        """The first event of this type with these fields on a seat's wire since it came (back)."""

        def events(frame: Json) -> list[Json]:
            return [
                e
                for e in frame.get("events", [])
                if e["type"] == type and all(e.get(k) == v for k, v in fields.items())
            ]

        frame = await self.wires[wire_of].find(
            lambda f: f.get("table") == self.table and f["type"] == "update" and bool(events(f))
        )
        return {**events(frame)[0], "in": frame["seq"]}

    async def decline_all(self) -> None:
        """Everyone declines, so that a table with early_close closes the window."""
        for seat, request in self.asked("claim").items():
            fields = {"table": self.table, "request": request["request"]}
            answer = await self.wires[seat].ask("act", action={"type": "decline"}, **fields)
            # The window closes with the last answer it waits for; what comes after is too late.
            assert answer["type"] == "ok" or answer["code"] == "stale_request", answer
        for one in self.wires:
            await one.settle()

    async def close(self) -> None:
        """Everyone goes."""
        wires, self.wires = self.wires, []
        for one in wires:
            await one.close()


@asynccontextmanager
async def seated(
    server: HanpanServer, game: str, people: int, **fields: Any
) -> AsyncIterator[Seats]:
    """So many people at a new table, playing."""
    tokens = [await guest(server.url) for _ in range(people)]
    async with wire(server.ws_url, tokens[0]) as maker:
        made = await maker.ok("create_table", game=game, seats=people, **fields)
    seats = Seats(server)
    try:
        await seats.sit_down(made["table"], tokens)
        yield seats
    finally:
        await seats.close()


async def open_window(seats: Seats) -> None:
    """The seat in turn plays its first single, and everyone is asked for a claim."""
    for one in seats.wires:
        await one.settle()
    ((seat, request),) = seats.asked("turn").items()
    singles = [a for a in request["legal"] if len(a.get("tiles", [])) == 1]
    await seats.act(seat, request, singles[0] if singles else {"type": "pass"})
    for one in seats.wires:
        await one.settle()


def full_length(seats: Seats) -> bool:
    """Whether the open window's claims have nearly all of its time (3,000 and 300 ms) left."""
    left = [request["left_ms"] for request in seats.asked("claim").values()]
    return bool(left) and min(left) > 2_500


async def test_a_kill_in_mid_window_keeps_sealed_claims_and_held_turns() -> None:
    with hanpan_server(**LIMITS) as server:
        fields = {"speed": "standard", "early_close": True, "seed": "0" * 63 + "7"}
        async with seated(server, "peeper", 4, **fields) as seats:
            # A held turn, and nobody claims: it is taken when the window, begun again, closes.
            await open_window(seats)
            ((holder, turn),) = seats.asked("turn").items()
            answer = await seats.act(holder, turn, {"type": "pass"})
            assert answer["held"] is True
            await asyncio.sleep(1.2)
            await seats.kill_and_return()
            assert full_length(seats)
            assert seats.asked("turn")[holder]["held"] == {"type": "pass"}
            claims = seats.asked("claim")
            assert turn["request"] == seats.asked("turn")[holder]["request"]
            await seats.decline_all()
            await seats.event(holder, "passed", seat=holder)
            # A sealed claim: it wins after the kill, and the turn that was held beside it is dropped.
            claimer = -1
            for _ in range(40):
                await open_window(seats)
                claims = seats.asked("claim")
                turns = seats.asked("turn")
                able = [s for s, r in claims.items() if r.get("can") and s not in turns]
                if able and turns:
                    claimer = able[0]
                    break
                await seats.decline_all()
            assert claimer >= 0, "nobody could mine in 40 windows"
            ((holder, turn),) = seats.asked("turn").items()
            assert (await seats.act(holder, turn, {"type": "pass"}))["held"] is True
            hand = next(
                f["view"]["hand"]
                for f in reversed(seats.wires[claimer].of(seats.table))
                if f.get("view")
            )
            claim = next(
                action
                for action in claims[claimer]["legal"]
                if action["type"] == "mine" and all(hand.count(t) >= 2 for t in action["tiles"])
            )
            sealed = await seats.act(claimer, claims[claimer], claim)
            assert sealed["sealed"] is True
            await asyncio.sleep(1.2)
            await seats.kill_and_return()
            assert full_length(seats)
            assert claimer not in seats.asked("claim"), "a sealed claim is asked for again"
            again = await seats.act(claimer, claims[claimer], claim)
            assert again["sealed"] is True
            await seats.decline_all()
            closed = await seats.event(0, "window_closed")
            won = [(c["seat"], c["action"], c["outcome"]) for c in closed["claims"]]
            assert won == [(claimer, "mine", "won")]
            dropped = await seats.event(holder, "turn_dropped")
            assert dropped["request"] == turn["request"]


async def test_a_kill_in_mid_window_keeps_a_sealed_ron() -> None:
    with hanpan_server(**LIMITS) as server:
        # With this option a false ron is sealed like a true one, and shown for what it is.
        options = {"false_win": "penalty", "claim_ms": 3000}
        fields = {"speed": "standard", "options": options, "early_close": True}
        async with seated(server, "chamsaejak", 3, **fields) as seats:
            for one in seats.wires:
                await one.settle()
            ((seat, request),) = seats.asked("turn").items()
            discard = next(a for a in request["legal"] if a["type"] == "discard")
            await seats.act(seat, request, discard)
            for one in seats.wires:
                await one.settle()
            claims = seats.asked("claim")
            claimer = min(claims)
            assert (await seats.act(claimer, claims[claimer], {"type": "ron"}))["sealed"] is True
            await asyncio.sleep(1.2)
            await seats.kill_and_return()
            assert full_length(seats)
            assert claimer not in seats.asked("claim")
            await seats.decline_all()
            closed = await seats.event(seat, "window_closed")
            assert [(c["seat"], c["action"]) for c in closed["claims"]] == [(claimer, "ron")]


async def test_an_outage_is_not_charged_to_a_running_clock() -> None:
    with hanpan_server(**LIMITS) as server:
        async with seated(server, "peeper", 2, speed="blitz") as seats:
            for one in seats.wires:
                await one.settle()
            (seat,) = seats.asked("turn")
            await asyncio.sleep(1.0)
            await seats.kill_and_return()
            request = seats.asked("turn")[seat]
            # Time since the last entry of the log is nobody's: when the process died is not known.
            left = request["left_ms"] + request["bank_ms"]
            assert left > 25_000, "the outage was charged to the clock"
