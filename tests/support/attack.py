"""Sockets that stall and flood, each of a player and from an address of its own, in a process of their own:
python -m tests.support.attack URL TABLE N M SECONDS (in which they begin)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket as socketlib
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from loadtests.priority import give_way
from tests.support.beside import beside
from tests.support.wire import guest

GONE = (WebSocketException, OSError, EOFError, TimeoutError)


def address(number: int) -> tuple[str, int]:
    """An address of the attacker's own on the loopback, with any port."""
    return f"127.1.{number // 250}.{number % 250 + 1}", 0


async def small_line(url: str, number: int) -> ClientConnection:
    """A connection with a small buffer at this end, so that what is not read stays at the server."""
    line = socketlib.socket()
    line.bind(address(number))
    line.setsockopt(socketlib.SOL_SOCKET, socketlib.SO_RCVBUF, 4_096)
    line.setblocking(False)
    port = urlsplit(url).port
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    return await connect(socket_of(url), compression=None, max_size=None, sock=line)


def socket_of(url: str) -> str:
    """Where a server's sockets are."""
    return f"ws://{urlsplit(url).netloc}/v1/ws"


async def stall(url: str, token: str, table: str, number: int) -> None:
    """Watch a table, ask for much, never read, and come back whenever the server ends it."""
    while True:
        with contextlib.suppress(*GONE):
            one = await small_line(url, number)
            one.transport.pause_reading()
            await one.send(json.dumps({"type": "identify", "id": 1, "token": token}))
            await one.send(json.dumps({"type": "watch", "id": 2, "table": table}))
            for asked in range(1_000):
                await one.send(json.dumps({"type": "list_games", "id": asked}))
                # Little more often than lists may be asked for: it is hardly ever closed for its own fault.
                await asyncio.sleep(0.1 if asked < 25 else 3)
        await asyncio.sleep(0.25)


async def flood(url: str, token: str, number: int) -> None:
    """Send as fast as the line takes it, and come back a little after the server has ended it."""
    frames = [
        json.dumps({"type": "identify", "id": 1, "token": token}),
        *[json.dumps({"type": "create_table", "id": 1, "game": "peeper", "seats": 0})] * 20,
        *[json.dumps({"type": "list_tables", "id": 1})] * 20,
        *['{"type":"act","id":1,"x":' + "{" * 1000] * 10,
    ]
    while True:
        with contextlib.suppress(*GONE):
            # It does not wait for the end of a line either: that would be ten seconds without a flood.
            at: dict[str, Any] = {"local_addr": address(number), "proxy": None, "close_timeout": 0}
            async with connect(socket_of(url), compression=None, max_size=None, **at) as one:
                for frame in frames * 20:
                    await one.send(frame)
        await asyncio.sleep(0.25)


async def after(wait_s: float, attacker: Coroutine[Any, Any, None]) -> None:
    """Begin at a time of its own: attackers are many, not one that beats."""
    await asyncio.sleep(wait_s)
    await attacker


async def main(url: str, table: str, stalled: int, flooding: int, spread_s: float) -> None:
    """Attack until the process is ended."""
    tokens = [await guest(url) for _ in range(stalled + flooding)]
    begin = random.Random(1)
    async with asyncio.TaskGroup() as group:
        for number in range(stalled):
            group.create_task(
                after(begin.uniform(0, spread_s), stall(url, tokens[number], table, number))
            )
        for number in range(stalled, stalled + flooding):
            group.create_task(after(begin.uniform(0, spread_s), flood(url, tokens[number], number)))


@contextmanager
def attack(url: str, table: str, stalled: int, flooding: int, spread_s: float) -> Iterator[None]:
    """So many sockets attack during the block; it fails if they stop by themselves."""
    given = [url, table, str(stalled), str(flooding), str(spread_s)]
    with beside("tests.support.attack", *given):
        yield


if __name__ == "__main__":
    # Their own work must not take the processor from those whom they attack: that is not the attack.
    give_way()
    numbers = int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
    asyncio.run(main(sys.argv[1], sys.argv[2], *numbers))
