"""What processes say to each other, as MessagePack."""

from __future__ import annotations

from typing import Literal

import msgspec

from protocol.server import TableInfo


class Item(msgspec.Struct, array_like=True, tag_field="t"):
    """Base of everything in a packet."""


class Who(msgspec.Struct, array_like=True):
    """The session behind a forwarded message; connection: its number in its gateway."""

    connection: int
    player: str
    name: str
    guest: bool
    locale: str
    language: str | None


class Stand(msgspec.Struct, array_like=True):
    """Where a session stands in a stream."""

    table: str
    stream: str
    epoch: str
    seq: int
    view: bool


class Forward(Item, tag="forward"):
    """A client's message for the owner of its table. age: ms since the socket read it."""

    who: Who
    request: int
    age: int
    payload: bytes


class Reattach(Item, tag="reattach"):
    """Go on with a session's stream from where it stands."""

    who: Who
    request: int
    stand: Stand


class Gone(Item, tag="gone"):
    """A session's socket has ended."""

    connection: int


class Present(Item, tag="present"):
    """All sessions of a gateway that have a place with this owner; others are gone."""

    connections: list[int]


class Deliver(Item, tag="deliver"):
    """A message for sessions of a gateway. request: what it answers, 0 for nothing.

    table, stream, epoch, seq: its place, for `snapshot`, `update` and `gone`.
    """

    connections: list[int]
    payload: bytes
    request: int = 0
    kind: Literal["plain", "snapshot", "update", "gone"] = "plain"
    table: str = ""
    stream: str = ""
    epoch: str = ""
    seq: int = 0
    view: bool = True


class Shared(msgspec.Struct, array_like=True):
    """A table as every process knows it. invite: of a private one."""

    info: TableInfo
    invite: str | None = None


class Tables(Item, tag="tables"):
    """Tables of the sender that are new or changed, and those that it has no more. all: of all it has."""

    tables: list[Shared]
    gone: list[str]
    all: bool = False


class Query(Item, tag="query"):
    """Who owns this table (any table, if empty)? The owner answers with Tables."""

    table: str = ""


class Packet(msgspec.Struct, array_like=True):
    """What one process sends another in one turn of its loop. number: contiguous from 1 for each
    receiver; 0 for what goes to all."""

    sender: str
    number: int
    items: list[Forward | Reattach | Gone | Present | Deliver | Tables | Query]


encoder = msgspec.msgpack.Encoder()
decoder = msgspec.msgpack.Decoder(Packet)
