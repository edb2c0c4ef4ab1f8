"""Public records: what spectators saw of a match, checked for consistency, not played again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from engines.kit.contract import Event, OptionError
from engines.kit.registry import AnyGame
from server.core.clocks import ClockRules
from server.core.events import PUBLIC
from server.core.record import RecordError

Number = Annotated[int, msgspec.Meta(ge=0)]


class PublicFrame(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One frame of the public stream. at: ms from the match's start. view: where it changed."""

    at: Number
    seq: Number
    events: list[Any] = []
    view: Any = None


class PublicRecord(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A public record. decks: only of a finished match whose table had `open_record`."""

    format: Literal["hanpan.record/1"]
    kind: Literal["public"]
    game: str
    ruleset: str = "standard"
    options: dict[str, Any] = {}
    engine: str | None = None
    seats: int
    names: list[str] = []
    match: str | None = None
    clock: ClockRules | None = None
    frames: list[PublicFrame] = []
    scores: list[int] = []
    places: list[int] = []
    decks: list[list[str]] | None = None


def parse(data: bytes) -> PublicRecord:
    """A public record out of its file. Raises RecordError with a sentence."""
    try:
        return msgspec.json.decode(data, type=PublicRecord)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RecordError(f"not a public record: {error}") from None


def is_public(data: bytes) -> bool:
    """Whether a file calls itself a public record."""
    try:
        return msgspec.json.decode(data, type=_Kind).kind == "public"
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False


class _Kind(msgspec.Struct):
    kind: str | None = None


def check(record: PublicRecord, games: Mapping[str, AnyGame]) -> AnyGame:
    """Its game, once all fits together; the events are the game's and the table's from then on.

    Numbers are contiguous, times never decrease, nothing is told that spectators may not know, and
    each view is what the events make of the one before. Raises RecordError for the first that is not.
    """
    game = games.get(record.game)
    if game is None:
        raise RecordError(f"unknown game {record.game!r}; known: {', '.join(games)}")
    try:
        game.options(record.ruleset, record.options)
        game.check_seats(record.seats)
    except OptionError as error:
        raise RecordError(str(error)) from None
    before: PublicFrame | None = None
    view: Any = None
    for number, frame in enumerate(record.frames):
        where = f"frames[{number}]"
        if before is not None and (frame.seq != before.seq + 1 or frame.at < before.at):
            raise RecordError(f"{where}: seq must follow and at never decreases")
        frame.events = [_event(game, where, event) for event in frame.events]
        view = _next_view(game, where, view, frame)
        before = frame
    return game


def _event(game: AnyGame, where: str, raw: Any) -> Any:
    for known in (PUBLIC, game.events):
        try:
            event = msgspec.convert(raw, known)
        except msgspec.ValidationError:
            continue
        if isinstance(event, Event) and game.redact(event, None) != event:
            raise RecordError(f"{where}: an event tells what spectators may not know")
        return event
    raise RecordError(f"{where}: no event of the table or of {game.name}: {str(raw)[:80]}")


def _next_view(game: AnyGame, where: str, view: Any, frame: PublicFrame) -> Any:
    if frame.view is None:
        return view
    try:
        shown = msgspec.convert(frame.view, game.View)
    except msgspec.ValidationError as error:
        raise RecordError(f"{where}: not a view of {game.name}: {error}") from None
    if view is not None:
        for event in frame.events:
            if isinstance(event, Event):
                view = game.fold(view, event)
        if msgspec.json.encode(view) != msgspec.json.encode(shown):
            raise RecordError(f"{where}: the view does not follow from the events")
    return shown
