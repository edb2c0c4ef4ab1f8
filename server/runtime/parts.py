"""A frame encoded once: its parts as bytes, joined in the ways that listeners want them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from protocol.codec import encoder
from server.core.frames import Frame
from server.runtime.frames import FrameMessage
from server.transport.base import Message

Sayer = Callable[[Frame, str], bytes]
"""Renders a frame's sentences in a language as a JSON list; empty bytes for none."""


OBJECTS = 200
"""Bytes that the objects of a frame take beside what they hold."""
SILENT: Mapping[str, bytes] = {}
"""The sentences of a frame where nobody wants any."""


class Encoder:
    """Encodes what one input led to: each object once, in however many streams it is shown."""

    __slots__ = ("_lists", "_made")

    def __init__(self) -> None:
        # By identity: the frames hold the objects for as long as this lives.
        self._made: dict[int, bytes] = {}
        self._lists: dict[tuple[int, ...], bytes] = {}

    def encode(self, value: object) -> bytes:
        """The value as JSON."""
        made = self._made.get(id(value))
        if made is None:
            made = self._made[id(value)] = encoder.encode(value)
        return made

    def encode_all(self, values: list[Any]) -> bytes:
        """A list of values as JSON; of what several streams are shown alike, made once for all."""
        key = tuple(map(id, values))
        made = self._lists.get(key)
        if made is None:
            made = self._lists[key] = encoder.encode(values)
        return made


class Parts:
    """The encoded parts of one frame of one stream. say: by language, rendered when it was made.

    size: about how many bytes of memory it takes.
    """

    __slots__ = ("core", "index", "say", "seq", "size", "stream", "table", "view")

    def __init__(
        self, table: str, frame: Frame, say: Mapping[str, bytes], once: Encoder | None = None
    ) -> None:
        once = once or Encoder()
        self.index = frame.index
        self.seq = frame.seq
        self.table = table
        self.stream = frame.stream
        core = (
            f'{{"type":"update","table":"{table}","stream":"{frame.stream}","seq":{frame.seq}'
        ).encode()
        if frame.events:
            core += b',"events":' + once.encode_all(frame.events)
        if frame.seats is not None:
            core += b',"seats":' + once.encode(frame.seats)
        if frame.clock is not None:
            core += b',"clock":' + once.encode(frame.clock)
        if frame.requests is not None:
            core += b',"requests":' + encoder.encode(frame.requests)
        self.core = core
        self.view = b"" if frame.view is None else b',"view":' + encoder.encode(frame.view)
        self.say = say
        self.size = OBJECTS + len(core) + len(self.view)
        if say:
            self.size += sum(map(len, say.values()))

    def message(self, view: bool, language: str | None) -> Message:
        """The message for listeners with or without views, and with sentences in a language."""
        say = self.say.get(language) if language is not None else None
        end = b',"say":' + say + b"}" if say else b"}"
        payload = self.core + self.view + end if view else self.core + end
        return FrameMessage(payload, "update", self.table, self.stream, "", self.seq)


def raw(value: object) -> msgspec.Raw:
    """A value encoded now, before what it is made of changes."""
    return msgspec.Raw(encoder.encode(value))
