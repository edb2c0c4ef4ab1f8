"""What a client sends. Strict: unknown fields, types and values are refused with a code."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from protocol.fields import (
    AwayPolicy,
    Detail,
    Hex64,
    Id,
    Locale,
    Milliseconds,
    Name,
    Piece,
    RequestId,
    Seat,
    Sequence,
    Speed,
    StreamName,
    Text,
    Topic,
    Until,
    Visibility,
)

Level = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z][a-z0-9_-]*$")]


class ClientMessage(
    msgspec.Struct, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all client messages; `id` is echoed as `re` in the one answer."""

    id: RequestId | None = None


class Place(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Where a client stands in a stream: the last number that it has, and how it wants what follows."""

    table: Id
    stream: StreamName
    epoch: Id
    seq: Sequence
    detail: Detail = "view"


class Ping(ClientMessage, tag="ping"):
    """A sign of life; answered with `pong`."""


class Identify(ClientMessage, tag="identify"):
    """Who this connection is. `at` only after a lost connection: the places to go on from."""

    token: Annotated[str, Meta(min_length=1, max_length=256, pattern=r"^[!-~]+$")]
    client: Annotated[str, Meta(max_length=64, pattern=r"^[ -~]*$")] = ""
    locale: Locale = "en"
    want: Annotated[list[Literal["say"]], Meta(max_length=8)] = []
    at: Annotated[list[Place], Meta(max_length=32)] = []


class ListGames(ClientMessage, tag="list_games"):
    """All games with rulesets, options, seats, bots and words."""


class ListTables(ClientMessage, tag="list_tables"):
    """The public tables that match every filter given, those with an open seat first. `ok` carries a page
    of them, and `more` if there are others: ask again with `skip`, how many to leave out."""

    game: Name | None = None
    ruleset: Name | None = None
    speed: Speed | None = None
    phase: Literal["waiting", "running", "ended"] | None = None
    open: bool | None = None
    skip: Annotated[int, Meta(ge=0)] = 0


class WatchLobby(ClientMessage, tag="watch_lobby"):
    """The first page of the public tables now, and `lobby` messages with what changes."""


class UnwatchLobby(ClientMessage, tag="unwatch_lobby"):
    """No more `lobby` messages."""


class CreateTable(ClientMessage, tag="create_table", kw_only=True):
    """A new table; the creator takes a seat with `join_table`. `bots` fills that many seats."""

    game: Name
    ruleset: Name = "standard"
    options: dict[str, Any] = {}
    speed: Speed = "standard"
    seats: Annotated[int, Meta(ge=1, le=16)]
    visibility: Visibility = "public"
    rated: bool = False
    bots: Annotated[int, Meta(ge=0, le=15)] = 0
    level: Level = "steady"
    away_policy: AwayPolicy = "bot"
    away_ms: Milliseconds = 60_000
    early_close: bool | None = None
    open_record: bool = False
    spectate_delay_ms: Milliseconds = 0
    decks: Annotated[list[Annotated[list[Piece], Meta(max_length=256)]], Meta(max_length=64)] = []
    first: Seat | None = None
    seed: Hex64 | None = None
    key: Id | None = None


class JoinTable(ClientMessage, tag="join_table"):
    """Take a seat (the lowest free one if none is named) and its stream."""

    table: Id
    seat: Seat | None = None
    invite: Id | None = None
    detail: Detail = "view"


class LeaveTable(ClientMessage, tag="leave_table"):
    """Give up the seat; in a running match a bot plays it to the end."""

    table: Id


class Ready(ClientMessage, tag="ready"):
    """Ready to start; a full table whose players are all ready starts by itself."""

    table: Id
    ready: bool = True


class AddBot(ClientMessage, tag="add_bot"):
    """Seat a bot at a waiting table (its host only)."""

    table: Id
    seat: Seat | None = None
    level: Level = "steady"


class RemoveBot(ClientMessage, tag="remove_bot"):
    """Take a bot away from a waiting table (its host only)."""

    table: Id
    seat: Seat


class Start(ClientMessage, tag="start"):
    """Start a full table without waiting for everyone to be ready (its host only)."""

    table: Id


class Rematch(ClientMessage, tag="rematch"):
    """Another match at a table whose match has ended; it starts when every player asked for it."""

    table: Id


class Watch(ClientMessage, tag="watch"):
    """A table's stream: of one's own seat where one sits there, else the public one."""

    table: Id
    detail: Detail = "view"
    stream: StreamName | None = None
    invite: Id | None = None


class Unwatch(ClientMessage, tag="unwatch"):
    """No more frames of this table on this connection."""

    table: Id


class Act(ClientMessage, tag="act"):
    """The answer to a request."""

    table: Id
    request: Id
    action: msgspec.Raw


class Withdraw(ClientMessage, tag="withdraw"):
    """Take back a held turn."""

    table: Id
    request: Id


class Legal(ClientMessage, tag="legal"):
    """Every legal action with exactly these pieces, or which rule forbids them."""

    table: Id
    request: Id
    tiles: Annotated[list[Piece], Meta(max_length=256)] = []


class Standing(ClientMessage, tag="standing"):
    """Standing orders for claim windows; an empty object takes them back."""

    table: Id
    orders: Annotated[dict[Name, Any], Meta(max_length=8)]
    until: Until = "round"


class Ask(ClientMessage, tag="ask"):
    """A question about what is visible, answered with data and, if wanted, a sentence."""

    table: Id
    what: Topic


class Chat(ClientMessage, tag="chat"):
    """A line to everyone at the table."""

    table: Id
    text: Text
    key: Id | None = None


ClientUnion = (
    Ping
    | Identify
    | ListGames
    | ListTables
    | WatchLobby
    | UnwatchLobby
    | CreateTable
    | JoinTable
    | LeaveTable
    | Ready
    | AddBot
    | RemoveBot
    | Start
    | Rematch
    | Watch
    | Unwatch
    | Act
    | Withdraw
    | Legal
    | Standing
    | Ask
    | Chat
)
