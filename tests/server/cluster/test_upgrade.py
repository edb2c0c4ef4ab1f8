"""The next version beside the old one, the old one drained under play."""

from __future__ import annotations

import asyncio

import hanpan
from tests.server.cluster.processes import cluster
from tests.server.cluster.versions import Upgraded
from tests.support import audit
from tests.support.crowd import GAMES, Crowd


async def test_a_drained_old_version_loses_no_table_to_the_next() -> None:
    with cluster(1) as nodes:
        old = nodes[0]
        new = Upgraded(old.data.with_name("next"), **old.settings)
        try:
            await asyncio.to_thread(new.start)
            crowd = Crowd(new.url)
            games: dict[str, str] = {}
            async with hanpan.connect(old.url) as crowd.maker:
                await crowd.enter(4)
                for game in GAMES:
                    people, watching = crowd.clients[:2], crowd.clients[2:3]
                    games[await crowd.table(game, people, watching)] = game
            await crowd.progress()
            await asyncio.to_thread(old.stop)
            await crowd.progress()
            await crowd.stop_playing()
            crowd.check()
            for seen in crowd.seen:
                told = [event.data for frame in seen.frames for event in frame.events]
                voided = [event["why"] for event in told if event["type"] == "match_voided"]
                game = games[seen.table.id]
                assert voided == (["version"] if game == "pepper" else []), game
                # A new epoch exactly where the numbers cannot be continued.
                assert len(seen.epochs) == (2 if game in ("peeper", "pepper") else 1), game
            await crowd.leave()
            await asyncio.to_thread(new.kill)
            logs = await nodes.logs()
            assert logs.keys() == games.keys()
            audit.check_acked(logs, crowd.acked)
            kept = [path.name for path in (new.data / "lost").iterdir()]
            (pepper,) = (table for table, game in games.items() if game == "pepper")
            assert len(kept) == 1
            assert kept[0].startswith(pepper)
            old.check_log()
            new.check_log(["table_lost"])
        finally:
            new.remove()
