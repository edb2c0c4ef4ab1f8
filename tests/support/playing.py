"""Players whose answers' times are taken, beside whatever else a test does to the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.hanpan_server import HanpanServer
from tests.support.wire import Wire, dial, guest


class Player:
    """Somebody who plays at instant against a bot, and how long each answer took."""

    def __init__(self, one: Wire, table: str) -> None:
        self.one = one
        self.table = table
        self.took: list[float] = []

    @classmethod
    async def seated(cls, server: HanpanServer) -> Player:
        one = await dial(server.ws_url, await guest(server.url))
        made = await one.ok("create_table", game="peeper", seats=2, bots=1, speed="instant")
        await one.ok("join_table", table=made["table"], detail="events")
        await one.ok("ready", table=made["table"])
        return cls(one, made["table"])

    async def play(self) -> None:
        """Ask what is legal, again and again, and act now and then: at most 14 frames a second, for what
        answers at once must not be a flood."""
        number = 0
        while True:
            number += 1
            began = time.perf_counter()
            await self.one.ask("ask", table=self.table, what="turn")
            self.took.append(time.perf_counter() - began)
            if number % 10 == 0:
                await self._act()
            self.one.frames.clear()
            await asyncio.sleep(0.1)

    async def _act(self) -> None:
        place = len(self.one.frames)
        await self.one.ok("watch", table=self.table, detail="events")
        found = await self.one.find(lambda f: f["type"] == "snapshot", place)
        for request in found.get("requests", []):
            action = request["default"]
            fields = {"request": request["request"], "action": action}
            await self.one.ask("act", table=self.table, **fields)
        if found["info"]["phase"] == "ended":
            await self.one.ask("rematch", table=self.table)


@asynccontextmanager
async def playing(server: HanpanServer, count: int) -> AsyncIterator[list[Player]]:
    """So many players at tables of their own, playing."""
    players = [await Player.seated(server) for _ in range(count)]
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        yield players
        for task in tasks:
            assert not task.done(), task.exception()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for player in players:
            await player.one.close()


def take(players: list[Player]) -> list[float]:
    """All answers' times since the last call, in ms, the quickest first."""
    times = sorted(1000 * t for player in players for t in player.took)
    for player in players:
        player.took.clear()
    return times


def quantile(times: list[float], share: float) -> float:
    """A quantile of sorted times."""
    return round(times[int((len(times) - 1) * share)], 2)
