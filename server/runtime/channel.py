"""One stream of a table: who listens, and the last frames for those who come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.runtime.parts import Parts
from server.transport.base import Message

if TYPE_CHECKING:
    from server.runtime.session import Session

KEEP_BYTES = 4 * 1024
"""Bytes of memory a stream for resumes; whoever is further behind gets a snapshot."""


class Subscription:
    """One connection that listens. after: frames up to this number were or will be sent otherwise."""

    __slots__ = ("after", "connection", "form", "language", "send", "view")

    def __init__(self, connection: Session, view: bool, after: int) -> None:
        self.connection = connection
        self.view = view
        self.language = connection.language
        self.after = after
        # At hand for thousands of listeners a frame.
        self.form = (view, connection.language)
        self.send = connection.socket.send


class Channel:
    """The listeners and the recent frames of one stream."""

    __slots__ = ("_kept", "_size", "keeps_on", "kept_language", "languages", "listeners", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.listeners: dict[Session, Subscription] = {}
        self._kept: list[Parts] = []  # a deque takes 600 bytes before it holds anything
        self._size = 0
        self.keeps_on = False
        self.kept_language: str | None = None
        self.languages: frozenset[str] = frozenset()

    def wanted(self) -> int:
        """What is to be rendered from now on: 0 nothing, 1 all but views, 2 all; and in which
        `languages`. To be called whenever listeners come or go."""
        found = {s.language for s in self.listeners.values() if s.language is not None}
        if self.keeps_on and self.kept_language is not None:
            found.add(self.kept_language)
        self.languages = frozenset(found)
        if self.keeps_on:
            return 2
        if not self.listeners:
            return 0
        return 2 if any(s.view for s in self.listeners.values()) else 1

    def keep(self, parts: Parts) -> None:
        """Remember a frame for resumes, and forget the oldest ones."""
        kept = self._kept
        if kept and kept[-1].seq != parts.seq - 1:
            self.forget()
        kept.append(parts)
        self._size += parts.size
        while self._size > KEEP_BYTES and len(kept) > 1:
            self._size -= kept.pop(0).size

    def forget(self) -> None:
        """Drop what is kept: the numbers go on without it."""
        self._kept.clear()
        self._size = 0

    def forget_after(self, seq: int) -> None:
        """Drop the kept frames after this number: they were never committed, and never happened."""
        while self._kept and self._kept[-1].seq > seq:
            self._size -= self._kept.pop().size

    def since(self, seq: int, top: int) -> list[Parts] | None:
        """Exactly the frames after seq up to top, or None if they are not all here."""
        if seq == top:
            return []
        if seq > top or not self._kept or self._kept[0].seq > seq + 1 or self._kept[-1].seq != top:
            return None
        return [parts for parts in self._kept if parts.seq > seq]

    def deliver(self, parts: Parts, bulk: bool) -> None:
        """Write a frame to everyone who listens; never awaits a peer."""
        if len(self.listeners) == 1:  # a seat's stream, nearly always
            (only,) = self.listeners.values()
            if parts.seq > only.after:
                only.send(parts.message(*only.form), bulk)
            return
        made: dict[tuple[bool, str | None], Message] = {}
        seq = parts.seq
        for listener in list(self.listeners.values()):
            if seq > listener.after:
                message = made.get(listener.form)
                if message is None:
                    message = made[listener.form] = parts.message(*listener.form)
                listener.send(message, bulk)
