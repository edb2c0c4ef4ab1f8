"""A frame encoded once: its parts as bytes, joined in the ways that listeners want them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from protocol.codec import encoder
from server.core.frames import Frame
from server.runtime.frames import FrameMessage, Tag
from server.transport.base import Message

Sayer = Callable[[Frame, str], bytes]
"""Renders a frame's sentences in a language as a JSON list; empty bytes for none."""


class Parts:
    """The encoded parts of one frame of one stream. say: by language, rendered when it was made."""

    __slots__ = ("_made", "_tag", "core", "index", "say", "seq", "size", "view")

    def __init__(self, table: str, frame: Frame, languages: set[str], sayer: Sayer) -> None:
        self.index = frame.index
        self.seq = frame.seq
        self._tag = Tag("update", table, frame.stream, "", frame.seq)
        head = f'{{"type":"update","table":"{table}","stream":"{frame.stream}","seq":{frame.seq}'
        core = head.encode()
        if frame.events:
            core += b',"events":' + encoder.encode(frame.events)
        if frame.seats is not None:
            core += b',"seats":' + encoder.encode(frame.seats)
        if frame.clock is not None:
            core += b',"clock":' + encoder.encode(frame.clock)
        if frame.requests is not None:
            core += b',"requests":' + encoder.encode(frame.requests)
        self.core = core
        self.view = b"" if frame.view is None else b',"view":' + encoder.encode(frame.view)
        self.say = {language: sayer(frame, language) for language in languages}
        self.size = len(self.core) + len(self.view) + sum(len(s) for s in self.say.values())
        self._made: dict[tuple[bool, str | None], Message] = {}

    def message(self, view: bool, language: str | None) -> Message:
        """The message for listeners with or without views, and with sentences in a language."""
        key = (view, language)
        message = self._made.get(key)
        if message is None:
            say = self.say.get(language, b"") if language is not None else b""
            payload = self.core + (self.view if view else b"") + (b',"say":' + say if say else b"")
            message = self._made[key] = FrameMessage(payload + b"}", self._tag)
        return message

    def forget_messages(self) -> None:
        """Let the joined messages go once they are sent; the parts stay for a resume."""
        self._made.clear()


def raw(value: object) -> msgspec.Raw:
    """A value encoded now, before what it is made of changes."""
    return msgspec.Raw(encoder.encode(value))
