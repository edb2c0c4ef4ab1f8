"""Sockets that stall and flood, each of a player and from an address of its own, in a process of their own:
python -m tests.support.attack URL TABLE N M SECONDS (in which they begin).

What they send is encoded beforehand, and nothing that comes is understood: their own work must be
little beside what they make the server do.
"""

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

from websockets.frames import Opcode

from loadtests.priority import give_way
from tests.server.transport.raw import HANDSHAKE, masked
from tests.support.beside import beside
from tests.support.wire import guest

SMALL = 4_096


def address(number: int) -> tuple[str, int]:
    """An address of the attacker's own on the loopback, with any port."""
    return f"127.1.{number // 250}.{number % 250 + 1}", 0


async def line(url: str, number: int, buffer: int | None = None) -> socketlib.socket:
    """A connection from the attacker's address; buffer: bytes of it at this end, a small one so that what
    is not read stays at the server."""
    made = socketlib.socket()
    made.setblocking(False)
    if buffer is not None:
        made.setsockopt(socketlib.SOL_SOCKET, socketlib.SO_RCVBUF, buffer)
    made.bind(address(number))
    await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", urlsplit(url).port))
    return made


async def opened(url: str, number: int, buffer: int | None = None) -> socketlib.socket:
    """A connection after its handshake. Raises ConnectionRefusedError if that was refused."""
    loop = asyncio.get_running_loop()
    made = await line(url, number, buffer)
    try:
        await loop.sock_sendall(made, HANDSHAKE.encode() + b"\r\n")
        if not (await loop.sock_recv(made, SMALL)).startswith(b"HTTP/1.1 101"):
            raise ConnectionRefusedError
    except BaseException:
        made.close()
        raise
    return made


def encoded(**message: Any) -> bytes:
    """A message as a client's frame."""
    return masked(Opcode.TEXT, json.dumps(message).encode())


async def stall(url: str, token: str, table: str, number: int) -> None:
    """Watch a table, ask for much, never read, and come back whenever the server ends it."""
    loop = asyncio.get_running_loop()
    begin = encoded(type="identify", id=1, token=token) + encoded(type="watch", id=2, table=table)
    ask = encoded(type="list_games", id=3)
    while True:
        with contextlib.suppress(OSError), await opened(url, number, SMALL) as one:
            await loop.sock_sendall(one, begin)
            for asked in range(1_000):
                await loop.sock_sendall(one, ask)
                # Little more often than lists may be asked for: it is hardly ever closed for its own fault.
                await asyncio.sleep(0.1 if asked < 25 else 3)
        await asyncio.sleep(0.25)


async def flood(url: str, token: str, number: int) -> None:
    """Send as fast as the line takes it, and come back a little after the server has ended it."""
    loop = asyncio.get_running_loop()
    deep = masked(Opcode.TEXT, b'{"type":"act","id":1,"x":' + b"{" * 1000)
    frames = (
        encoded(type="identify", id=1, token=token)
        + encoded(type="create_table", id=1, game="peeper", seats=0) * 20
        + encoded(type="list_tables", id=1) * 20
        + deep * 10
    )
    while True:
        with contextlib.suppress(OSError), await opened(url, number) as one:
            for _ in range(20):
                await loop.sock_sendall(one, frames)
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
