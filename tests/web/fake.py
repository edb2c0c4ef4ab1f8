"""A server of the test's own behind the page's socket: every frame is the test's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from playwright.async_api import Page, WebSocketRoute

HELLO = {
    "type": "hello",
    "protocol": "1.0",
    "server": "fake",
    "now": 0,
    "heartbeat_ms": 60_000,
    "features": ["say"],
    "limits": {
        "max_frame": 16384,
        "frames": 1000,
        "burst": 1000,
        "chat": 5,
        "chat_ms": 10_000,
        "connections": 5,
    },
}
NAMES = ("민지", "Ada", "Grace", "山田")


def seats(n: int, own: int = 0) -> list[dict[str, Any]]:
    """n seats with names; the own one is the player's."""
    return [
        {
            "seat": i,
            "state": "here",
            "player": f"p_{i}" if i != own else "p_me",
            "name": NAMES[i % 4],
        }
        for i in range(n)
    ]


class FakeLine:
    """One table with one stream; frames are numbered and sent again after a lost line."""

    def __init__(self, game: str = "peeper", n: int = 3, seat: int | None = 0) -> None:
        self.table = "t_1"
        self.stream = "public" if seat is None else f"seat:{seat}"
        self.seats = seats(n, -1 if seat is None else seat)
        self.info: dict[str, Any] = {
            "table": self.table,
            "game": game,
            "ruleset": "standard",
            "options": {},
            "speed": "standard",
            "seats": self.seats,
            "phase": "running",
            "visibility": "public",
        }
        self.view: dict[str, Any] = {}
        self.requests: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        self.connections = 0
        self._socket: WebSocketRoute | None = None

    async def attach(self, page: Page) -> None:
        """Stand in for the server of this page's sockets."""
        await page.route_web_socket(lambda url: url.endswith("/v1/ws"), self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        self.connections += 1
        socket.on_message(lambda text: self._receive(socket, json.loads(text)))
        socket.send(json.dumps(HELLO))

    def send(self, message: dict[str, Any]) -> None:
        """Any message, as it is."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    def push(self, **parts: Any) -> None:
        """The next frame of the stream; view and requests are kept for later snapshots."""
        self.view = parts.get("view", self.view)
        self.requests = parts.get("requests", self.requests)
        frame = {
            "type": "update",
            "table": self.table,
            "stream": self.stream,
            "seq": len(self.frames) + 1,
            **parts,
        }
        self.frames.append(frame)
        if self._socket is not None:
            self.send(frame)

    async def drop(self, code: int = 4007) -> None:
        """Close the line so that the page resumes."""
        assert self._socket is not None
        socket, self._socket = self._socket, None
        await socket.close(code=code)

    async def wait_for(self, kind: str, count: int = 1) -> dict[str, Any]:
        """The newest message of this type that the page sent, once there are so many."""
        for _ in range(400):
            found = [m for m in self.received if m["type"] == kind]
            if len(found) >= count:
                return found[-1]
            await asyncio.sleep(0.01)
        raise AssertionError(f"the page sent no {kind}: {[m['type'] for m in self.received]}")

    def _top(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "stream": self.stream,
            "epoch": "e1",
            "seq": len(self.frames),
        }

    def _receive(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        self.received.append(message)
        kind = message["type"]
        ok = {"type": "ok", "re": message.get("id")}
        if kind == "identify":
            player = {"id": "p_me", "name": NAMES[0], "guest": True}
            at = [self._top()] if message.get("at") else []
            self.send({**ok, "player": player, "tables": [], "at": at})
            for place in message.get("at", ()):
                for frame in self.frames[place["seq"] :]:
                    self.send(frame)
                self.send(
                    {
                        "type": "requests",
                        "table": self.table,
                        "stream": self.stream,
                        "requests": self.requests,
                    }
                )
        elif kind == "watch":
            self.send({**ok, "table": self.table})
            self.send(
                {
                    "type": "snapshot",
                    **self._top(),
                    "info": self.info,
                    "seats": self.seats,
                    "view": self.view,
                    "requests": self.requests,
                }
            )
        elif kind == "ping":
            self.send({"type": "pong", "re": message.get("id"), "now": 0, "at": []})
        else:
            answer = self.answers.get(kind, {})
            answer = answer(message) if callable(answer) else answer
            if answer is not None:
                self.send({**ok, **answer})


def turn(
    *legal: dict[str, Any], request: str = "r1", more: bool = False, **rest: Any
) -> dict[str, Any]:
    """A request for a turn action; the last one is the default."""
    return {
        "request": request,
        "kind": "turn",
        "legal": list(legal),
        "default": legal[-1],
        "more": more,
        "left_ms": 20_000,
        "bank_ms": 60_000,
        **rest,
    }


def claim(*legal: dict[str, Any], can: int, request: str = "r2") -> dict[str, Any]:
    """A request for a claim: the public offer, and whether the seat holds one."""
    decline = {"type": "decline"}
    return {
        "request": request,
        "kind": "claim",
        "window": "w1",
        "legal": [*legal, decline],
        "default": decline,
        "can": can,
    }


OPENED = {
    "type": "window_opened",
    "window": "w1",
    "kinds": ["mine"],
    "opener": 1,
    "claim_ms": 3000,
    "grace_ms": 300,
    "ends": "next_action",
}


def say(text: str, priority: str = "normal", about: str = "played") -> dict[str, Any]:
    """A sentence."""
    return {"text": text, "priority": priority, "about": about}
