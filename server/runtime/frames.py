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
    """A message with its place in a stream, which is put together only for who asks: that is whoever
    passes it on to another process."""

    __slots__ = ("_epoch", "_kind", "_seq", "_stream", "_table")

    def __init__(
        self,
        payload: bytes,
        kind: Kind,
        table: str,
        stream: str = "",
        epoch: str = "",
        seq: int = 0,
    ) -> None:
        self.payload = payload
        self.frame = None
        self._kind: Kind = kind
        self._table = table
        self._stream = stream
        self._epoch = epoch
        self._seq = seq

    @property
    def tag(self) -> Tag:
        """Where the message stands."""
        return Tag(self._kind, self._table, self._stream, self._epoch, self._seq)
