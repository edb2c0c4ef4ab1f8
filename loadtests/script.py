"""What players do in a match, recorded beforehand from the server's own `steady` bots.

A table that is made with the same seed deals the same, so the load clients only send the recorded
choices in their order.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import msgspec

from loadtests import line
from loadtests.server import Server

MATCH_S = 120.0
"""How long the bots' match may take."""


class Step(msgspec.Struct, frozen=True):
    """One answer to a request. action: as JSON; claim: to a window; opens: a turn that opens one."""

    seat: int
    action: bytes
    claim: bool
    decline: bool
    opens: bool


class Script(msgspec.Struct, frozen=True):
    """A whole match. seed: deals it again at any table of this game, ruleset and number of seats."""

    game: str
    seats: int
    ruleset: str
    seed: str
    steps: list[Step]
    options: dict[str, Any] = {}

    @property
    def actions(self) -> int:
        """How many steps are actions: all but declines."""
        return sum(not step.decline for step in self.steps)


def record(
    server: Server, game: str, seats: int, count: int, ruleset: str, **options: Any
) -> list[Script]:
    """So many matches of bots at this server, on seeds of their own."""
    return asyncio.run(_record(server, game, seats, count, ruleset, options))


async def _record(
    server: Server, game: str, seats: int, count: int, ruleset: str, options: dict[str, Any]
) -> list[Script]:
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def take(payload: bytes) -> None:
        if b'"match_ended"' in payload and not ended.done():
            events = msgspec.json.decode(payload)["events"]
            ended.set_result(next(e["match"] for e in events if e["type"] == "match_ended"))

    (token,) = line.guests(server.url, 1)
    watcher = await line.identified(server.url, token, take)
    games = (await watcher.ask(type="list_games"))["games"]
    claims = next(one["claims"] for one in games if one["game"] == game)
    scripts = []
    for _ in range(count):
        ended = asyncio.get_running_loop().create_future()
        seed = secrets.token_hex(32)
        made = await watcher.ask(
            type="create_table",
            game=game,
            seats=seats,
            ruleset=ruleset,
            options=options,
            speed="instant",
            seed=seed,
        )
        await watcher.ask(type="watch", table=made["table"])
        for _ in range(seats):
            await watcher.ask(type="add_bot", table=made["table"])
        match = await asyncio.wait_for(ended, MATCH_S)
        await watcher.ask(type="unwatch", table=made["table"])
        log = msgspec.json.decode(await asyncio.to_thread(server.record, match))["log"]
        steps = _steps(log, {*claims, "decline"})
        scripts.append(Script(game, seats, ruleset, seed, steps, options))
    watcher.close()
    return scripts


def _steps(log: list[dict[str, Any]], claims: set[str]) -> list[Step]:
    acts = [entry for entry in log if entry.get("action") is not None]
    kinds = [entry["action"]["type"] for entry in acts]
    return [
        Step(
            seat=entry["seat"],
            action=msgspec.json.encode(entry["action"]),
            claim=kind in claims,
            decline=kind == "decline",
            opens=kind not in claims and after in claims,
        )
        for entry, kind, after in zip(acts, kinds, [*kinds[1:], ""], strict=True)
    ]
