"""The wire's message types: written by clients/python/generate.py out of protocol/, not by hand."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

import msgspec

SAFE = 2**53 - 1
"Largest integer that every JSON reader keeps exact."
RequestId = int | str
Id = str
"An opaque id: printable ASCII without spaces."
Name = str
Piece = str
Seat = int
Sequence = int
Locale = str
Text = str
Milliseconds = int
Hex64 = str
StreamName = str
Speed = Literal["blitz", "standard", "relaxed", "instant"]
Visibility = Literal["public", "private"]
AwayPolicy = Literal["bot", "forfeit"]
Detail = Literal["view", "events"]
Until = Literal["round", "match"]
Topic = Literal["hand", "table", "turn", "counts", "last", "clock", "legal", "score"]
SeatState = Literal["open", "here", "away", "left", "bot"]
Phase = Literal["waiting", "running", "ended"]
Level = str


class ClientMessage(msgspec.Struct, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all client messages; `id` is echoed as `re` in the one answer."""

    id: RequestId | None = None


class Place(msgspec.Struct, kw_only=True, omit_defaults=True):
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

    token: str
    client: str = ""
    locale: Locale = "en"
    want: list[Literal["say"]] = []
    at: list[Place] = []


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
    skip: int = 0


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
    seats: int
    visibility: Visibility = "public"
    rated: bool = False
    bots: int = 0
    level: Level = "steady"
    away_policy: AwayPolicy = "bot"
    away_ms: Milliseconds = 60000
    early_close: bool | None = None
    open_record: bool = False
    spectate_delay_ms: Milliseconds = 0
    decks: list[list[Piece]] = []
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
    action: Any


class Withdraw(ClientMessage, tag="withdraw"):
    """Take back a held turn."""

    table: Id
    request: Id


class Legal(ClientMessage, tag="legal"):
    """Every legal action with exactly these pieces, or which rule forbids them."""

    table: Id
    request: Id
    tiles: list[Piece] = []


class Standing(ClientMessage, tag="standing"):
    """Standing orders for claim windows; an empty object takes them back."""

    table: Id
    orders: dict[Name, Any]
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


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of the parts of server messages: absent means default."""


class ServerMessage(msgspec.Struct, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all server messages."""


class SeatInfo(Record):
    """One seat. policy_in_ms: until `policy` is carried out for an absent player."""

    seat: int
    state: str
    player: str | None = None
    name: str | None = None
    level: str | None = None
    ready: bool = False
    policy: str | None = None
    policy_in_ms: int | None = None


class Clock(Record):
    """Whose clock it is. left_ms: turn time, then bank_ms. running is false while a turn may only be
    held beside an open window; a clock that has just stopped is told once so."""

    seat: int
    left_ms: int
    bank_ms: int
    running: bool = True


class RequestInfo(Record):
    """A decision asked of a seat. can: whether it holds a claim (0 or 1); held: its held turn."""

    request: str
    kind: str
    legal: list[Any]
    default: Any
    more: bool = False
    window: str | None = None
    can: int | None = None
    held: Any = None
    left_ms: int | None = None
    bank_ms: int | None = None


class Say(Record):
    """A sentence in the listener's language."""

    text: str
    priority: str
    about: str = ""


class TableInfo(Record):
    """A table in the lobby. arranged: its deals are given, not shuffled."""

    table: str
    game: str
    ruleset: str
    options: dict[str, Any]
    speed: str
    seats: list[SeatInfo]
    phase: str
    visibility: str
    host: str | None = None
    rated: bool = False
    arranged: bool = False
    audience: int = 0
    turn_ms: int | None = None
    bank_ms: int | None = None
    claim_ms: int | None = None
    grace_ms: int = 0
    early_close: bool = False
    away_policy: str = "bot"
    away_ms: int = 60000
    open_record: bool = False
    spectate_delay_ms: int = 0


class Top(Record):
    """The top number of a stream; frames up to it are the replay of a resume."""

    table: str
    stream: str
    epoch: str
    seq: int


class PlayerInfo(Record):
    """A player as others may see him."""

    id: str
    name: str
    guest: bool = False


class SeatedAt(Record):
    """A table at which a player has a seat."""

    table: str
    seat: int
    game: str
    phase: str


class GameInfo(Record):
    """A game that can be played here. options and rulesets: JSON values; words and titles by language."""

    game: str
    version: str
    seats: list[int]
    titles: dict[str, str]
    rulesets: dict[str, Any]
    bots: list[str]
    words: dict[str, dict[str, str]] = {}
    claims: list[str] = []


class Limits(Record):
    """Bounds of a connection. frames: a second, with `burst`."""

    max_frame: int
    frames: int
    burst: int
    chat: int
    chat_ms: int
    connections: int


class Hello(ServerMessage, tag="hello"):
    """The first message of a connection."""

    protocol: str
    server: str
    now: int
    heartbeat_ms: int
    limits: Limits
    features: list[str]


class Ok(ServerMessage, tag="ok"):
    """The request was carried out; further fields by request."""

    re: RequestId | None = None
    seq: int | None = None
    held: bool = False
    sealed: bool = False
    player: PlayerInfo | None = None
    tables: list[Any] | None = None
    at: list[Top] | None = None
    games: list[GameInfo] | None = None
    table: str | None = None
    seat: int | None = None
    invite: str | None = None
    legal: list[Any] | None = None
    more: bool = False
    what: str | None = None
    data: Any = None
    say: list[Say] | None = None


class Error(ServerMessage, tag="error", kw_only=True):
    """The request was not carried out; nothing was changed. requests: those that stand."""

    re: RequestId | None = None
    code: str
    message: str
    retry: bool = False
    field: str | None = None
    after_ms: int | None = None
    requests: list[RequestInfo] | None = None


class Pong(ServerMessage, tag="pong", kw_only=True):
    """The answer to `ping`."""

    re: RequestId | None = None
    now: int
    at: list[Top] = []


class Snapshot(ServerMessage, tag="snapshot"):
    """A stream's whole present, from which it goes on at seq + 1."""

    table: str
    stream: str
    epoch: str
    seq: int
    info: TableInfo
    seats: list[SeatInfo]
    view: Any = None
    clock: Clock | None = None
    window: Any = None
    requests: list[RequestInfo] | None = None
    chat: list[Any] = []
    say: list[Say] | None = None


class Update(ServerMessage, tag="update"):
    """The next frame of a stream. Absent parts are unchanged; requests are all that are open."""

    table: str
    stream: str
    seq: int
    events: list[Any] = []
    view: Any = None
    seats: list[SeatInfo] | None = None
    clock: Clock | None = None
    requests: list[RequestInfo] | None = None
    say: list[Say] | None = None


class Requests(ServerMessage, tag="requests"):
    """The open requests of a seat after a resume; unnumbered."""

    table: str
    stream: str
    requests: list[RequestInfo]


class ChatLine(ServerMessage, tag="chat"):
    """A line that somebody said at a table; unnumbered."""

    table: str
    player: str
    name: str
    text: str
    at: int
    seat: int | None = None


class Audience(ServerMessage, tag="audience"):
    """How many watch a table; at most once a second, unnumbered."""

    table: str
    count: int


class Lobby(ServerMessage, tag="lobby"):
    """Public tables that are new or changed, and ids of those that are gone."""

    tables: list[TableInfo] = []
    gone: list[str] = []


class Unseated(ServerMessage, tag="unseated"):
    """This connection no longer has the seat. why: replaced, left, closed."""

    table: str
    why: str


class Draining(ServerMessage, tag="draining"):
    """This server stops; resume elsewhere after in_ms."""

    in_ms: int


class Frozen(ServerMessage, tag="frozen"):
    """The table stands still for a fault of ours; no clock runs."""

    table: str


class Thawed(ServerMessage, tag="thawed"):
    """The table goes on."""

    table: str


ServerUnion = (
    Hello
    | Ok
    | Error
    | Pong
    | Snapshot
    | Update
    | Requests
    | ChatLine
    | Audience
    | Lobby
    | Unseated
    | Draining
    | Frozen
    | Thawed
)
ErrorClass = Literal["client", "state", "limit", "server"]
ERRORS: dict[str, tuple[ErrorClass, str]] = {
    "bad_message": ("client", "The message does not have the form that the protocol asks for."),
    "unknown_type": ("client", "There is no message of this type."),
    "not_identified": ("client", "Send identify first."),
    "bad_token": ("client", "The token is unknown or was revoked; get a new one."),
    "forbidden": ("client", "This player may not do that."),
    "not_found": ("client", "There is no such thing, or it is not for this player."),
    "bad_options": ("client", "The game does not take these options; the message names the field."),
    "too_large": ("client", "The body of an HTTP request is too large."),
    "table_full": ("state", "Every seat is taken."),
    "already_seated": ("state", "This player has a seat at the table already."),
    "already_started": ("state", "The match is running; wait for it to end."),
    "not_ready": ("state", "The table cannot start yet; the message says what is missing."),
    "not_seated": ("state", "This player has no seat at the table."),
    "not_your_turn": ("state", "Nothing is asked of this seat that this action would answer."),
    "stale_request": ("state", "The request was answered or is over; look at those that stand."),
    "claim_closed": ("state", "The claim window is closed."),
    "match_over": ("state", "The match is over."),
    "illegal_action": ("state", "The rules forbid it; the message names the rule."),
    "ambiguous_action": ("state", "The pieces have several readings; declare which is meant."),
    "rate_limited": ("limit", "Too many of these; wait after_ms."),
    "moving": ("server", "The table changes its owner; the same message is safe to repeat."),
    "draining": ("server", "This server stops; resume elsewhere."),
    "unavailable": ("server", "The journal or the store is away or full; nothing was done."),
    "internal": ("server", "A fault of ours; nothing was done."),
}


def retry(code: str) -> bool:
    """Whether the same message may succeed later without anything else being done."""
    return ERRORS[code][0] in ("limit", "server")


class Close(IntEnum):
    """Why the server closed a connection."""

    BYE = 4000
    DRAINING = 4001
    BAD_FRAME = 4002
    IDENTIFY = 4003
    CONNECTIONS = 4004
    TOO_FAST = 4005
    VERSION = 4006
    TOO_SLOW = 4007
    HEARTBEAT = 4009
    BANNED = 4011


CLOSES: dict[Close, tuple[bool, str]] = {
    Close.BYE: (False, "The client said goodbye or the server is done with it."),
    Close.DRAINING: (True, "The server stops: resume after the in_ms that `draining` named."),
    Close.BAD_FRAME: (False, "A frame that is no message: stop and mend the client."),
    Close.IDENTIFY: (True, "No identify within 5 s, or the token ended: identify again."),
    Close.CONNECTIONS: (False, "More connections than this token may have; the oldest was closed."),
    Close.TOO_FAST: (True, "Too many frames a second: wait, then resume."),
    Close.VERSION: (False, "No common protocol version: stop and update the client."),
    Close.TOO_SLOW: (True, "The client read too slowly: resume."),
    Close.HEARTBEAT: (True, "No sign of life within two heartbeats: resume."),
    Close.BANNED: (False, "This player is banned: stop."),
}
"Whether to resume, and what it means."
