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


class Throttle:
    """Buckets by player and class, and by address for new guests."""

    def __init__(self, settings: Settings, wall: Wall) -> None:
        self._settings = settings
        self._wall = wall
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def check(self, connection: Session, message: ClientMessage) -> int | None:
        """None, or how long the player is to wait before such a message, in ms."""
        settings = self._settings
        assert connection.player is not None
        if isinstance(message, Chat):
            return self._take("chat", connection.player.id, settings.chat, settings.chat_ms)
        if isinstance(message, CreateTable | JoinTable | Watch):
            size = settings.joins_per_minute
            return self._take("join", connection.player.id, size, MINUTE_MS)
        if isinstance(message, ListGames | ListTables | WatchLobby):
            size = settings.lists_per_minute
            return self._take("list", connection.player.id, size, MINUTE_MS)
        return None

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
