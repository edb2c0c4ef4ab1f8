"""What the server sends. Clients ignore fields and types that they don't know."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from protocol.fields import Phase, RequestId, SeatState, Speed, Visibility


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of the parts of server messages: absent means default."""


class ServerMessage(msgspec.Struct, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all server messages."""


class SeatInfo(Record):
    """One seat. policy_in_ms: until `policy` is carried out for an absent player."""

    seat: int
    state: SeatState
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
    kind: Literal["turn", "claim"]
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
    priority: Literal["high", "normal", "low"]
    about: str = ""


class TableInfo(Record):
    """A table in the lobby. arranged: its deals are given, not shuffled."""

    table: str
    game: str
    ruleset: str
    options: dict[str, Any]
    speed: Speed
    seats: list[SeatInfo]
    phase: Phase
    visibility: Visibility
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
    away_ms: int = 60_000
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
    phase: Phase


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
