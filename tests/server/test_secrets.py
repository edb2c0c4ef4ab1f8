"""Nothing hidden, no token, no chat text in the log: whole matches are played at level debug, with faults.

And a table whose engine raises is voided, while the others live on.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.support import audit
from tests.support.crowd import GAMES, LIMITS, Crowd
from tests.support.hanpan_server import HanpanServer, hanpan_server
from tests.support.wire import Json, Wire, dial, get, guest, post, wire

WORDS = "sesame-opens-nothing"


def hands_in(frames: list[Json]) -> set[str]:
    """Every hand of two pieces and more that a client was shown, as JSON without its brackets."""
    found = set()
    for frame in frames:
        hand = (frame.get("view") or {}).get("hand") or []
        pieces = [json.dumps(piece) for piece in hand]
        if len(pieces) > 1:
            found |= {", ".join(pieces), ",".join(pieces), ", ".join(pieces).replace('"', "'")}
    return found


async def play_on(one: Wire, table: str, seconds: float) -> None:
    """Answer whatever is asked with its default."""
    until = asyncio.get_running_loop().time() + seconds
    done: set[str] = set()
    while asyncio.get_running_loop().time() < until:
        for request in one.requests(table):
            if request["request"] not in done:
                done.add(request["request"])
                fields = {"request": request["request"], "action": request["default"]}
                await one.ask("act", table=table, **fields)
        await asyncio.sleep(0.02)


async def misbehave(server: HanpanServer, token: str) -> None:
    """What might be logged with its content: bad frames, a wrong path, a token where it must not be."""
    async with wire(server.ws_url, token) as one:
        await one.ask("identify", token=token + "x")
        await one.ask("create_table", game=WORDS.replace("-", "_"), seats=2)
        await one.send_raw(json.dumps({"type": "chat", "text": WORDS, "token": token}))
        await one.send_raw(WORDS + token)
        assert await one.until_closed() == 4002
    await get(f"{server.url}/v1/tables/{WORDS}?token={token}")
    await post(f"{server.url}/v1/guests", f'{{"name":"{WORDS}{token}'.encode())


async def test_whole_matches_leave_no_secret_in_the_log() -> None:
    with hanpan_server(log_level="debug", **LIMITS) as server:
        tokens, invites, hands = [], [], set()
        for game, seats in GAMES.items():
            token = await guest(server.url)
            tokens.append(token)
            async with wire(server.ws_url, token, want=["say"]) as one:
                fields = {"visibility": "private", "speed": "instant", "bots": seats - 1}
                made = await one.ok("create_table", game=game, seats=seats, **fields)
                invites.append(made["invite"])
                await one.ok("join_table", table=made["table"])
                await one.ok("ready", table=made["table"])
                await one.ok("chat", table=made["table"], text=WORDS)
                await play_on(one, made["table"], 1.0)
                hands |= hands_in(one.frames)
        await misbehave(server, tokens[0])
        server.kill()
        await asyncio.to_thread(server.start)
        await asyncio.to_thread(server.stop)
        seeds = [
            inp.start.seed
            for log in (await audit.logs(server.data)).values()
            for inp in log.inputs
            if inp.start is not None
        ]
        text = server.log_text
        assert len(hands) > 20
        assert len(seeds) >= len(GAMES)
        assert "table_recovered" in text
        for secret in [*tokens, *invites, *seeds, *hands, WORDS, WORDS.replace("-", "_")]:
            assert secret not in text, f"{secret!r} is in the log"
        assert all(isinstance(json.loads(line), dict) for line in text.splitlines())


async def test_a_table_whose_engine_raises_is_voided_and_the_others_live_on() -> None:
    games = "tests.games.echo,tests.support.faulty"
    with hanpan_server(allowed=["table_fault"], games=games, **LIMITS) as server:
        people = [await dial(server.ws_url, await guest(server.url)) for _ in range(2)]
        crowd = Crowd(server.url)
        try:
            await crowd.fill(tables=4, clients=6)
            made = await people[0].ok("create_table", game="faulty", seats=2, speed="instant")
            at = {"table": made["table"]}
            for one in people:
                await one.ok("join_table", **at)
            for one in people:
                await one.ok("ready", **at)
            voided = await _until_the_fault(people, made["table"])
            assert voided["why"] == "engine"
            # The table itself lives on: its next match can be asked for.
            await people[0].ok("rematch", **at)
            await crowd.progress()
        finally:
            await crowd.leave()
            for one in people:
                await one.close()
        faults = [line for line in server.log() if line.get("event") == "table_fault"]
        assert faults
        assert faults[0]["error"] == "KeyError"
        assert any("faulty.py" in place for place in faults[0]["where"])
        assert "secret hands" not in server.log_text
        metrics = (await get(f"{server.url}/metrics"))["text"]
        assert "hanpan_engine_faults_total 1.0" in metrics


async def _until_the_fault(people: list[Wire], table: str) -> Json:
    """Both lay their highest cards; the event of the voided match."""

    def voided(frame: Json) -> list[Any]:
        return [e for e in frame.get("events", []) if e["type"] == "match_voided"]

    async with asyncio.timeout(20):
        while True:
            for one in people:
                await one.settle()
                for frame in one.of(table):
                    if found := voided(frame):
                        event: Json = found[0]
                        return event
                for request in one.requests(table):
                    legal = sorted(request["legal"], key=lambda a: -int(a.get("card", 0)))
                    action = legal[0] if request["kind"] == "turn" else {"type": "decline"}
                    await one.ask("act", table=table, request=request["request"], action=action)
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("level", ["info", "debug"])
async def test_a_quiet_server_logs_no_error(level: str) -> None:
    with hanpan_server(log_level=level) as server:
        async with wire(server.ws_url, await guest(server.url)) as one:
            await one.ok("list_games")
