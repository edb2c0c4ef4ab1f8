"""What a table is told, in the form of its log: one struct for every kind of input."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from engines.kit.contract import Action
from engines.kit.registry import AnyGame
from server.core.config import TableConfig
from server.core.refusals import Denied


class Joiner(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who takes a seat. player None: a bot of `level`."""

    name: str
    player: str | None = None
    level: str | None = None


class Start(msgspec.Struct, frozen=True, omit_defaults=True):
    """Begin a match: its id, and its secret of 32 bytes as 64 hex digits.

    number: which match of the table it is, where a record says so; else the next one. stored: the earlier
    matches of the table whose results are known to be stored.
    """

    match: str
    seed: str
    number: int | None = None
    stored: tuple[str, ...] = ()


class Input(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of a table's log; exactly one of the fields after `seat` says what it is.

    at: milliseconds, never less than the entry before. stamp: when the socket read it, where that is
    earlier; it alone is compared with deadlines. tick: something fell due at `at`. epoch: the numbers
    cannot be continued, and a snapshot follows.
    """

    at: int
    stamp: int | None = None
    seat: int | None = None
    create: TableConfig | None = None
    join: Joiner | None = None
    leave: bool = False
    ready: bool | None = None
    start: Start | None = None
    rematch: bool = False
    action: Any = None
    request: str | None = None
    withdraw: bool = False
    standing: dict[str, Any] | None = None
    until: Literal["round", "match"] = "round"
    away: bool = False
    back: bool = False
    left: bool = False
    bot: str | None = None
    stalled: int | None = None
    resumed: int | None = None
    void: str | None = None
    epoch: str | None = None
    tick: bool = False


decoder = msgspec.json.Decoder(Input)
encoder = msgspec.json.Encoder()


def decode_action(game: AnyGame, decode: msgspec.json.Decoder[Any], raw: Any) -> Any:
    """An action of the game, from JSON, from a decoded object, or as it is.

    Raises Denied `bad_message` for what the game's schema forbids.
    """
    try:
        if isinstance(raw, (msgspec.Raw, bytes)):
            return decode.decode(raw)
        if isinstance(raw, dict):
            return msgspec.convert(raw, game.actions)
        if isinstance(raw, Action):
            return raw
        problem = "an action is an object"
    except (msgspec.MsgspecError, RecursionError) as error:
        problem = _problem(error)
    raise Denied("bad_message", "bad_action", detail=problem)


_ECHOES = (
    (re.compile(r"Invalid (enum )?value .*?(?= - at |$)"), "there is no such value"),
    (re.compile(r"Object contains unknown field .*?(?= - at |$)"), "there is no such field"),
)


def _problem(error: Exception) -> str:
    """What is wrong with an action's form, without what the client had sent."""
    text = str(error)
    for echo, plain in _ECHOES:
        text = echo.sub(plain, text)
    return text[:120]
