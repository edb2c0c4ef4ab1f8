"""A client of a test's own over one real WebSocket: dicts in, dicts out, nothing done by itself."""

from __future__ import annotations

import asyncio
import itertools
import json
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

Json = dict[str, Any]
WAIT_S = 15.0
_TYPES_OF_ANSWERS = ("ok", "error", "pong")


class Wire:
    """One connection. frames: everything that came, in its order; closed: the close code, once it is."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Json] = []
        self.closed: int | None = None
        self.player: Json = {}
        self._ids = itertools.count(1)
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self.frames.append(json.loads(text))
                self._news.set()
        except ConnectionClosed:
            pass
        self.closed = self.socket.close_code
        self._news.set()

    async def send(self, **message: Any) -> None:
        """Send a message without waiting."""
        await self.socket.send(json.dumps(message))

    async def send_raw(self, payload: str | bytes) -> None:
        """Send a frame as it is."""
        await self.socket.send(payload)

    async def ask(self, type: str, **fields: Any) -> Json:
        """Send a request and return its one answer."""
        number = f"q{next(self._ids)}"
        await self.send(type=type, id=number, **fields)
        return await self.answer(number)

    async def answer(self, number: Any) -> Json:
        """The answer to the request with this id."""
        return await self.find(
            lambda f: f.get("type") in _TYPES_OF_ANSWERS and f.get("re") == number
        )

    async def find(self, fits: Callable[[Json], bool], after: int = 0) -> Json:
        """The first frame from place `after` on that fits, waited for."""
        place = after
        async with asyncio.timeout(WAIT_S):
            while True:
                for frame in self.frames[place:]:
                    if fits(frame):
                        return frame
                place = len(self.frames)
                if self.closed is not None:
                    raise AssertionError(f"closed with {self.closed}, having heard {self.tail()}")
                self._news.clear()
                await self._news.wait()

    async def until_closed(self) -> int:
        """The close code."""
        async with asyncio.timeout(WAIT_S):
            await asyncio.shield(self._task)
        assert self.closed is not None
        return self.closed

    async def identify(self, token: str, **fields: Any) -> Json:
        """Say who it is; the answer, which must be ok."""
        answer = await self.ask("identify", token=token, **fields)
        assert answer["type"] == "ok", answer
        self.player = answer["player"]
        return answer

    async def ok(self, type: str, **fields: Any) -> Json:
        """Send a request that must be carried out."""
        answer = await self.ask(type, **fields)
        assert answer["type"] in ("ok", "pong"), (type, fields, answer)
        return answer

    async def settle(self) -> None:
        """Everything that was sent before this has been handled."""
        await self.ok("ping")

    def of(self, table: str, type: str | None = None) -> list[Json]:
        """The frames of a table (of one type) so far."""
        return [
            f
            for f in self.frames
            if f.get("table") == table and (type is None or f["type"] == type)
        ]

    def requests(self, table: str) -> list[Json]:
        """What is asked of the own seat, as the newest frame that said so has it."""
        for frame in reversed(self.of(table)):
            if "requests" in frame and frame["type"] in ("snapshot", "update", "requests"):
                return list(frame["requests"])
        return []

    def tail(self) -> list[Json]:
        """The last frames, for a failure's message."""
        return self.frames[-3:]

    async def close(self) -> None:
        """End the connection as a client does."""
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)


async def dial(url: str, token: str | None = None, **fields: Any) -> Wire:
    """A connection to ws://…, identified if a token is given; close it."""
    socket = await connect(
        url,
        subprotocols=[Subprotocol("hanpan.v1.json")],
        compression=None,
        max_size=None,
        ping_interval=None,
        proxy=None,
    )
    client = Wire(socket)
    try:
        await client.find(lambda f: f["type"] == "hello")
        if token is not None:
            await client.identify(token, **fields)
    except BaseException:
        await client.close()
        raise
    return client


@asynccontextmanager
async def wire(url: str, token: str | None = None, **fields: Any) -> AsyncIterator[Wire]:
    """As `dial`, for a block."""
    client = await dial(url, token, **fields)
    try:
        yield client
    finally:
        await client.close()


async def post(url: str, body: Any = None, headers: dict[str, str] | None = None) -> Json:
    """POST JSON; the answer's JSON with its HTTP status as `status`."""
    return await asyncio.to_thread(_call, url, "POST", body, headers or {})


async def get(url: str, headers: dict[str, str] | None = None) -> Json:
    """GET; as `post`. What is no JSON object comes as `text`."""
    return await asyncio.to_thread(_call, url, "GET", None, headers or {})


async def delete(url: str, headers: dict[str, str] | None = None) -> Json:
    """DELETE; as `get`."""
    return await asyncio.to_thread(_call, url, "DELETE", None, headers or {})


async def guest(url: str, name: str | None = None) -> str:
    """A new guest's token."""
    answer = await post(f"{url}/v1/guests", {} if name is None else {"name": name})
    assert answer["status"] == 201, answer
    token: str = answer["token"]
    return token


def _call(url: str, method: str, body: Any, headers: dict[str, str]) -> Json:
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=WAIT_S) as answer:
            return _parsed(answer.read(), answer.status)
    except urllib.request.HTTPError as error:
        with error:
            return _parsed(error.read(), error.code)


def _parsed(data: bytes, status: int) -> Json:
    try:
        found = json.loads(data)
    except ValueError:
        found = None
    return {
        "text": data.decode(errors="replace"),
        **(found if isinstance(found, dict) else {}),
        "status": status,
    }
