"""The same socket over plain ASGI calls, for any server and for the test client.

Pings, fragments and text are the server's affair here; sizes, rates and the unsent limit are ours. One
task reads, one writes in order. A peer that stopped reading can only be left to the server: there is no
way through ASGI to cut a line.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from server.transport import codes
from server.transport.base import Message, Socket, TransportLimits, clock
from server.transport.pace import Pace

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class AsgiSocket(Socket):
    """See `Socket`. `start` when the handshake is answered; `run` lasts as long as the connection."""

    __slots__ = (
        "_code",
        "_ending",
        "_frames",
        "_gathered",
        "_limits",
        "_open",
        "_out",
        "_receive",
        "_send",
        "_task",
        "_timer",
        "_wake",
    )

    def __init__(self, remote: str, limits: TransportLimits, receive: Receive, send: Send) -> None:
        super().__init__(remote)
        self._limits = limits
        self._receive = receive
        self._send = send
        self._frames = Pace(limits.frame_rate, limits.frame_burst)
        self._out: deque[bytes] = deque()
        self._gathered = 0
        self._wake = asyncio.Event()
        self._open = True
        self._code = codes.ABNORMAL
        self._ending: tuple[int, str] | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: Message, bulk: bool = False) -> None:
        if not self._open:
            return
        self._out.append(message.payload)
        self._gathered += len(message.payload)
        self._wake.set()
        if self._gathered > self._limits.max_unsent:
            self._out.clear()
            self._gathered = 0
            self.close(codes.TOO_SLOW, "too slow")

    def close(self, code: int, reason: str = "") -> None:
        if not self._open:
            return
        self._open = False
        self._code = code
        self._ending = code, reason
        self._wake.set()
        timeout = self._limits.close_timeout / 1000.0
        self._timer = asyncio.get_running_loop().call_later(timeout, self._give_up)

    @property
    def unsent(self) -> int:
        return self._gathered

    @property
    def is_open(self) -> bool:
        return self._open

    def start(self) -> None:
        """The handshake is answered: reads and writes from now on."""
        self._task = asyncio.create_task(self._serve())

    async def run(self) -> None:
        task = self._task
        if task is None:
            return
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
        if not task.cancelled():
            task.result()

    async def _serve(self) -> None:
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            self._open = False
            self._out.clear()
            self._gathered = 0
            if self._timer is not None:
                self._timer.cancel()
            writer.cancel()
            self._finish(self._code)

    def _give_up(self) -> None:
        """The server has not told the end within the time-out: the writer may be stuck for ever."""
        if self._task is not None:
            self._task.cancel()

    async def _read(self) -> None:
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                if self._open:
                    self._open = False
                    self._code = int(event.get("code") or codes.NO_STATUS)
                return
            if self._open and event["type"] == "websocket.receive":
                self._take(event, clock())

    def _take(self, event: MutableMapping[str, Any], stamp: float) -> None:
        text = event.get("text")
        if not self._frames.allows(stamp):
            self.close(codes.TOO_FAST, "too many frames")
        elif text is None:
            self.close(codes.BAD_FRAME, "text frames only")
        else:
            try:
                payload = text.encode()
            except UnicodeEncodeError:
                self.close(codes.INVALID_TEXT, "text is UTF-8")
                return
            if len(payload) > self._limits.max_message:
                self.close(codes.TOO_BIG, f"more than {self._limits.max_message} bytes")
            else:
                self._deliver(payload, stamp)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._out:
                payload = self._out.popleft()
                await self._try({"type": "websocket.send", "text": payload.decode()})
                self._gathered = max(0, self._gathered - len(payload))
            if self._ending is not None:
                code, reason = self._ending
                await self._try({"type": "websocket.close", "code": code, "reason": reason})
                return

    async def _try(self, event: MutableMapping[str, Any]) -> None:
        """Servers raise different things for a peer that has gone; the reader learns of it anyway."""
        try:
            await self._send(event)
        except (OSError, RuntimeError):
            self._open = False
            self._out.clear()
