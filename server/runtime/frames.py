"""Messages that belong to a stream carry its place, so that whoever passes them on need not read them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from server.transport.base import Message

Kind = Literal["snapshot", "update", "gone", "frozen", "thawed", "plain"]


class Tag(NamedTuple):
    """Where a message stands. gone: the connection has no part in the table any more. frozen, thawed,
    plain: unnumbered, of the table and not of a stream."""

    kind: Kind
    table: str
    stream: str
    epoch: str
    seq: int


class FrameMessage(Message):
    """A message with its place in a stream."""

    __slots__ = ("tag",)

    def __init__(self, payload: bytes, tag: Tag) -> None:
        super().__init__(payload)
        self.tag = tag
