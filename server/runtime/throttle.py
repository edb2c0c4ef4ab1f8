"""Limits by class of message, so that chat never starves actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.client import (
    Chat,
    ClientMessage,
    CreateTable,
    JoinTable,
    ListGames,
    ListTables,
    Watch,
    WatchLobby,
)
from server.core.limits import Bucket
from server.runtime.wall import Wall
from server.settings import Settings

if TYPE_CHECKING:
    from server.runtime.session import Session

MINUTE_MS = 60_000

KINDS: dict[type[ClientMessage], str] = {
    Chat: "chat",
    CreateTable: "join",
    JoinTable: "join",
    Watch: "join",
    ListGames: "list",
    ListTables: "list",
    WatchLobby: "list",
}
"""The class of each message that has a limit beside the socket's own."""


class Throttle:
    """Buckets by player and class, and by address for new guests."""

    def __init__(self, settings: Settings, wall: Wall) -> None:
        self._settings = settings
        self._wall = wall
        self._sizes = {
            "chat": (settings.chat, settings.chat_ms),
            "join": (settings.joins_per_minute, MINUTE_MS),
            "list": (settings.lists_per_minute, MINUTE_MS),
        }
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def check(self, connection: Session, message: ClientMessage) -> int | None:
        """None, or how long the player is to wait before such a message, in ms."""
        kind = KINDS.get(type(message))
        if kind is None:
            return None
        assert connection.player is not None
        return self._take(kind, connection.player.id, *self._sizes[kind])

    def guest(self, address: str) -> int | None:
        """None, or how long the address is to wait before another guest."""
        return self._take("guest", address, self._settings.guests_per_minute, MINUTE_MS)

    def sign_in(self, address: str) -> int | None:
        """None, or how long the address is to wait after failed sign-ins."""
        return self._take("sign_in", address, self._settings.sign_ins_per_minute, MINUTE_MS)

    def _take(self, kind: str, who: str, size: int, span_ms: int) -> int | None:
        bucket = self._buckets.get((kind, who))
        if bucket is None:
            bucket = self._buckets[kind, who] = Bucket(size, span_ms)
        return bucket.take(self._wall.now())

    def sweep(self) -> None:
        """Forget what is full again."""
        now = self._wall.now()
        self._buckets = {k: b for k, b in self._buckets.items() if not b.full(now)}
