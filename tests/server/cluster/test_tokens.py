"""A token that is ended at one process closes its player's sockets in every process, within a second."""

from __future__ import annotations

import asyncio
import time

from tests.server.cluster.processes import cluster
from tests.support import wire

WITHIN_S = 1.0


async def test_an_ended_token_closes_the_sockets_of_every_process() -> None:
    with cluster(2) as nodes:
        token, other = [await wire.guest(nodes[0].url) for _ in range(2)]
        mine = [await wire.dial(node.ws_url, token) for node in nodes.servers for _ in range(2)]
        theirs = [await wire.dial(node.ws_url, other) for node in nodes.servers]
        ended = await wire.delete(f"{nodes[1].url}/v1/token", {"authorization": f"Bearer {token}"})
        began = time.monotonic()
        assert ended["status"] == 200
        codes = await asyncio.gather(*(socket.until_closed() for socket in mine))
        assert time.monotonic() - began < WITHIN_S
        assert codes == [4003] * 4
        for socket in theirs:
            await socket.settle()
        # Nor does any process take it again.
        for node in nodes.servers:
            async with wire.wire(node.ws_url) as stranger:
                answer = await stranger.ask("identify", token=token)
                assert answer["code"] == "bad_token"
        for socket in [*mine, *theirs]:
            await socket.close()
        nodes.check_logs()
