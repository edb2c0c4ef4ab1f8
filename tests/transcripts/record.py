"""Record a transcript from a real server: `python -m tests.transcripts.record` writes them all anew.

One player with the SDK against the server's bots, at an arranged table: the same seed gives the same
match. Ids, times and what else a server makes up are replaced by short stable values.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from hanpan import Backoff, Client, Request, Table, connect, guest
from hanpan.address import Address
from hanpan.sockets import Socket, SocketClosed, dial
from hanpan.wire import plain
from tests.support.hanpan_server import hanpan_server

FOLDER = Path(__file__).parent
Line = dict[str, Any]
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "peeper": (4, {}),
    "cockroach_duel": (2, {"target": 1}),
    "pepper": (3, {"target": 1}),
    "chamsaejak": (3, {"rounds": 1}),
}
"""Seats and options of the match of each game."""
CUT = 4
"""After so many of its actions the client's connection is dropped once."""
SHORT = {"table": "t", "epoch": "e", "match": "m", "player": "p", "key": "k"}
FIXED = {
    "now": 1764445000000, "server": "test", "at": 0, "heartbeat_ms": 60000, "after_ms": 0, "id": "p_1",
}  # fmt: skip


class Tap:
    """A socket that writes down what passes."""

    def __init__(self, inner: Socket, lines: list[Line]) -> None:
        self._inner = inner
        self._lines = lines

    async def recv(self) -> bytes:
        """The next frame."""
        try:
            data = await self._inner.recv()
        except SocketClosed as closed:
            self._lines.append({"end": 0 if closed.code == 1006 else closed.code})
            raise
        self._lines.append({"s": json.loads(data)})
        return data

    async def send(self, data: bytes) -> None:
        """Send a frame."""
        message = json.loads(data)
        line: Line = {"c": message}
        if message["type"] in ("identify", "ping"):
            line["auto"] = True
        self._lines.append(line)
        await self._inner.send(data)

    async def close(self) -> None:
        """Close in good order."""
        await self._inner.close()

    def abort(self) -> None:
        """Let the connection drop."""
        self._inner.abort()


async def record(url: str, token: str, game: str) -> list[Line]:
    """One match, with one cut in its middle."""
    lines: list[Line] = []

    async def tapped(address: Address) -> Socket:
        return Tap(await dial(address), lines)

    seats, options = GAMES[game]
    client = await connect(
        url, token, locale="ko", want=["say"], dial=tapped, backoff=Backoff(0.01, 0.02)
    )
    table_id, _ = await client.create_table(
        game, seats, speed="instant", options=options, bots=seats - 1, seed="7" * 64
    )
    table = await client.join(table_id)
    answered = 0

    async def choose(request: Request) -> Any:
        nonlocal answered
        answered += 1
        if answered == CUT:
            await cut(client, table)
        wanted = request.playable if request.can else [request.default]
        return wanted[0] if request.kind == "turn" or answered % 2 else request.default

    lines.append(know(table))
    await table.ready()
    await table.play(choose)
    await table.ask("score")
    lines.append(know(table))
    del lines[-1]["know"]["requests"]
    recorded = list(lines)
    await client.close()
    return normal(recorded)


async def cut(client: Client, table: Table) -> None:
    """Drop the connection while nothing is under way, and wait until it is back."""
    await table.ask("turn")
    back = asyncio.Event()
    client.on_status.add(lambda status: back.set() if status == "connected" else None)
    client.drop_connection()
    await back.wait()
    await table.ask("turn")


def know(table: Table) -> Line:
    """What the SDK knows of the table."""
    return {
        "know": {
            "stream": table.state.stream, "epoch": table.state.epoch, "seq": table.state.seq,
            "view": plain(table.view), "requests": [r.id for r in table.requests],
        }
    }  # fmt: skip


def normal(lines: list[Line]) -> list[Line]:
    """The lines with short stable ids and times."""
    names: dict[str, str] = {}

    def short(kind: str, value: str) -> str:
        return names.setdefault(value, f"{kind}_{sum(n[0] == kind for n in names.values()) + 1}")

    def walk(value: Any, key: str = "", inside: str = "") -> Any:
        if isinstance(value, dict):
            return {k: walk(v, k, key) for k, v in value.items()}
        if isinstance(value, list):
            return [walk(v, key, inside) for v in value]
        if key == "token":
            return "secret"
        if isinstance(value, str):
            if key in SHORT or (key == "record" and re.fullmatch(r"m_.*", value)):
                return short(SHORT.get(key, "m"), value)
            if key == "id" and inside == "player":
                return short("p", value)
            if key == "host" or key == "player":
                return short("p", value)
        if key == "id" or (key == "at" and inside in ("c", "s")):
            return value
        return FIXED[key] if key in FIXED and not isinstance(value, (list, dict)) else value

    found = [walk(line) for line in lines]
    text = json.dumps(found, ensure_ascii=False)
    for real, stable in names.items():
        text = text.replace(json.dumps(real), json.dumps(stable))
    result: list[Line] = json.loads(text)
    return result


async def main() -> None:
    """Record every game."""
    with hanpan_server(frames=1000, frame_burst=1000, joins_per_minute=1000) as server:
        token = (await guest(server.url, "Recorder")).token
        for game in GAMES:
            lines = await record(server.url, token, game)
            text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
            (FOLDER / f"{game}.jsonl").write_text(text + "\n", "utf-8")
            print(game, len(lines))


if __name__ == "__main__":
    asyncio.run(main())
