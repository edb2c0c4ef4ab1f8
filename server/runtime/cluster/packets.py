"""What processes say to each other, as MessagePack."""

from __future__ import annotations

import msgspec

from protocol.server import TableInfo
from server.runtime.frames import Kind


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
    """Where a session stands in a stream.

    vouched: an owner has let it listen there; else the client only says so. frozen: it was told that
    the table stands still, and not yet that it goes on.
    """

    table: str
    stream: str
    epoch: str
    seq: int
    view: bool
    vouched: bool = False
    frozen: bool = False


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

    table, stream, epoch, seq: its place, for `snapshot`, `update` and `gone`; an answer that a stream
    begins with names it too. fence: under which the sender owns the table; what an owner of old still
    says is not passed on.
    """

    connections: list[int]
    payload: bytes
    request: int = 0
    kind: Kind = "plain"
    table: str = ""
    stream: str = ""
    epoch: str = ""
    seq: int = 0
    view: bool = True
    fence: int = 0


class Shared(msgspec.Struct, array_like=True):
    """A table as every process knows it. fence: of its owner; invite: of a private one."""

    info: TableInfo
    fence: int
    invite: str | None = None


class Tables(Item, tag="tables"):
    """Tables of the sender that are new or changed, and those that it has no more. all: of all it has."""

    tables: list[Shared]
    gone: list[str]
    all: bool = False


class Query(Item, tag="query"):
    """Who owns this table (any table, if empty)? The owner answers with Tables."""

    table: str = ""


class Freed(Item, tag="freed"):
    """These tables have no owner any more: whoever can takes them at once."""

    tables: list[str]


class People(Item, tag="people"):
    """Sockets of players that came and went: (player, when it was opened in ms, its number).

    all: these are all that the sender has.
    """

    came: list[tuple[str, int, int]]
    went: list[tuple[str, int, int]]
    all: bool = False


class Revoked(Item, tag="revoked"):
    """A token of this player is not valid any more: his sockets are closed."""

    player: str


class Packet(msgspec.Struct, array_like=True):
    """What one process sends another in one turn of its loop. number: contiguous from 1 for each
    receiver; 0 for what goes to all. since: when the sender began to count, in ns; it begins anew when it
    took the receiver for gone."""

    sender: str
    since: int
    number: int
    items: list[
        Forward | Reattach | Gone | Present | Deliver | Tables | Query | Freed | People | Revoked
    ]


encoder = msgspec.msgpack.Encoder()
decoder = msgspec.msgpack.Decoder(Packet)
