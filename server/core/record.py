"""Game records: one JSON file is a whole match. Reading, writing, and playing them on virtual time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from engines.kit.contract import OptionError, Options
from engines.kit.dealer import DeckError, check_deck
from engines.kit.registry import AnyGame
from server.core.clocks import ClockRules, Milliseconds
from server.core.config import TableConfig
from server.core.frames import PUBLIC, Frame, stream_names
from server.core.inputs import Input, Joiner, Start
from server.core.inputs import decoder as input_decoder
from server.core.refusals import Denied
from server.core.state import MatchState
from server.core.table import Entry, Table

FORMAT: Literal["hanpan.record/1"] = "hanpan.record/1"
ZERO_SEED = "00" * 32
_SEED = re.compile(r"[0-9a-fA-F]{64}")


class RecordError(ValueError):
    """A file that is no playable record; the message says where it breaks the form."""


class LogLine(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One input of a match; exactly one of the fields after `stamp`, most with the seat."""

    at: int
    stamp: int | None = None
    seat: int | None = None
    action: Any = None
    withdraw: Literal[True] | None = None
    standing: dict[str, Any] | None = None
    until: Literal["round", "match"] | None = None
    away: Literal[True] | None = None
    back: Literal[True] | None = None
    left: Literal[True] | None = None
    bot: str | None = None
    stalled: int | None = None
    resumed: int | None = None


class Record(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A full record.

    from_: each stream's number before the match, by the stream's name. names: one a seat; levels: of
    the server's bots among them. number: which match of the table it was.
    """

    format: Literal["hanpan.record/1"]
    kind: Literal["full"] | None = None
    game: str
    ruleset: str | None = None
    options: dict[str, Any] | None = None
    engine: str | None = None
    seats: int
    first: int | None = None
    decks: list[list[str]] | None = None
    seed: str | None = None
    clock: ClockRules | None = None
    names: list[str] | None = None
    levels: list[str | None] | None = None
    from_: dict[str, Annotated[int, msgspec.Meta(ge=0)]] | None = msgspec.field(
        default=None, name="from"
    )
    away_policy: Literal["bot", "forfeit"] | None = None
    away_ms: Milliseconds | None = None
    match: str | None = None
    number: Annotated[int, msgspec.Meta(ge=1)] | None = None
    open_record: bool = False
    log: list[LogLine] = []


_INPUTS = ("action", "withdraw", "standing", "away", "back", "left", "bot", "stalled", "resumed")


def parse(data: bytes) -> Record:
    """A record out of its file. Raises RecordError with a sentence."""
    try:
        record = msgspec.convert(_without_nulls(msgspec.json.decode(data)), Record)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RecordError(f"not a full record: {error}") from None
    for number, line in enumerate(record.log):
        before = record.log[number - 1].at if number else 0
        _check_line(record, f"log[{number}]", line, before)
    return record


def _without_nulls(value: Any) -> Any:
    """What is null is absent, but inside of an action, where the game says what null means."""
    if isinstance(value, dict):
        return {
            key: one if key == "action" else _without_nulls(one)
            for key, one in value.items()
            if one is not None
        }
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    return value


def _check_line(record: Record, where: str, line: LogLine, before: int) -> None:
    given = [name for name in _INPUTS if getattr(line, name) is not None]
    if len(given) != 1:
        raise RecordError(f"{where} must hold exactly one of {', '.join(_INPUTS)}")
    if given[0] in ("stalled", "resumed"):
        if getattr(line, given[0]) < 0:
            raise RecordError(f"{where}: {given[0]} must not be negative")
    elif line.seat is None or not 0 <= line.seat < record.seats:
        raise RecordError(f"{where}: seat must be 0..{record.seats - 1}")
    if line.until is not None and line.standing is None:
        raise RecordError(f"{where}: until belongs to standing")
    if line.at < before:
        raise RecordError(f"{where}: at must not be negative and never decreases")
    if line.stamp is not None and line.stamp > line.at:
        raise RecordError(f"{where}: stamp must not be later than at")


def set_up(record: Record, games: Mapping[str, AnyGame]) -> Table:
    """A table at the start of the record's match; the lines' actions are the game's from then on.

    Raises RecordError for whatever the game's schema forbids.
    """
    game = games.get(record.game)
    if game is None:
        raise RecordError(f"unknown game {record.game!r}; known: {', '.join(games)}")
    options = _options(record, game)
    _check_values(record, game)
    for number, line in enumerate(record.log):
        _check_names(game, f"log[{number}]", line)
    clock = record.clock or ClockRules()
    config = TableConfig(
        table="record",
        epoch="record",
        game=record.game,
        ruleset=record.ruleset or "standard",
        options=msgspec.to_builtins(options),
        seats=record.seats,
        away_policy=record.away_policy or "bot",
        away_ms=record.away_ms if record.away_ms is not None else 60_000,
        early_close=clock.early_close,
        decks=record.decks or [],
        first=record.first,
        seed=(record.seed or ZERO_SEED).lower(),
        clock=clock,
    )
    table = Table.create(game, config, 0)
    names = record.names or [str(seat) for seat in range(record.seats)]
    levels = record.levels or [None] * record.seats
    for seat, (name, level) in enumerate(zip(names, levels, strict=True)):
        player = f"seat{seat}" if level is None else None
        table.handle(Input(at=0, seat=seat, join=Joiner(name, player, level)))
    before = record.from_ or {}
    table.state.numbers = [before.get(stream, 0) for stream in table.streams]
    table.take_out()
    number = record.number or 1
    table.handle(Input(at=0, start=Start(record.match or "record", ZERO_SEED, number)))
    return table


def _options(record: Record, game: AnyGame) -> Options:
    try:
        options: Options = game.options(record.ruleset or "standard", record.options)
        game.check_seats(record.seats)
        for number, deck in enumerate(record.decks or []):
            check_deck(deck, game.pieces(options), number)
    except (OptionError, DeckError) as error:
        raise RecordError(str(error)) from None
    return options


def _check_values(record: Record, game: AnyGame) -> None:
    if record.first is not None and not 0 <= record.first < record.seats:
        raise RecordError(f"first must be a seat, 0..{record.seats - 1}")
    if record.seed is not None and not _SEED.fullmatch(record.seed):
        raise RecordError("seed must be 64 hexadecimal digits")
    for field in ("names", "levels"):
        listed = getattr(record, field)
        if listed is not None and len(listed) != record.seats:
            raise RecordError(f"{field} must have one entry a seat, {record.seats}")
    for level in record.levels or []:
        _check_level(game, "levels", level)
    unknown = set(record.from_ or {}) - set(stream_names(record.seats))
    if unknown:
        raise RecordError(f"from: there is no stream {sorted(unknown)[0]!r}")


def _check_names(game: AnyGame, where: str, line: LogLine) -> None:
    if line.action is not None:
        try:
            line.action = msgspec.convert(line.action, game.actions)
        except (msgspec.ValidationError, RecursionError) as error:
            raise RecordError(f"{where}: malformed action: {error}") from None
    _check_level(game, where, line.bot)


def _check_level(game: AnyGame, where: str, level: str | None) -> None:
    if level is not None and level not in game.bots:
        raise RecordError(f"{where}: no bot {level!r}; there are: {', '.join(game.bots)}")


def to_input(line: LogLine) -> Input:
    """The table's input of a line."""
    return Input(
        at=line.at,
        stamp=line.stamp,
        seat=line.seat,
        action=line.action,
        withdraw=bool(line.withdraw),
        standing=line.standing,
        until=line.until or "round",
        away=bool(line.away),
        back=bool(line.back),
        left=bool(line.left),
        bot=line.bot,
        stalled=line.stalled,
        resumed=line.resumed,
    )


class Played(msgspec.Struct, kw_only=True):
    """How one line came out: public events it led to, those that time brought before the next line
    included; or why it was refused. times: when each of the events was told."""

    i: int
    at: int
    ok: bool
    events: list[Any] = []
    times: list[int] = []
    denied: Denied | None = None


def play(record: Record, table: Table) -> Iterator[Played]:
    """Play a record's lines on virtual time; afterwards the table is at the end of the log.

    The public events of the match's start are left to the caller, who takes them out before.
    """
    lines = record.log
    for number, line in enumerate(lines):
        denied = None
        try:
            if table.state.phase == "ended":
                raise Denied("match_over")
            table.handle(to_input(line))
        except Denied as error:
            denied = error
        if table.state.phase == "running":
            if number + 1 < len(lines):
                _tick(table, lines[number + 1].at)
            else:
                run_out(table)
        told = _told(table)
        yield Played(
            i=number,
            at=line.at,
            ok=denied is None,
            events=[event for _, event in told],
            times=[at for at, _ in told],
            denied=denied,
        )


def _tick(table: Table, now: int) -> None:
    """Let time pass, but not beyond the match's end."""
    while (due := table.deadline) is not None and due <= now and table.state.phase == "running":
        table.tick(due)


def run_out(table: Table) -> None:
    """Let time run until nothing is held or sealed and no window with a deadline is open."""
    while (window := table.state.window) is not None and not window.tail:
        waits = window.held is not None or window.claims or window.late
        if not waits and window.ends != "deadline":
            return
        table.tick(window.closing)


def public_events(table: Table) -> list[Any]:
    """The public events since the last call."""
    return [event for _, event in _told(table)]


def _told(table: Table) -> list[tuple[int, Any]]:
    frames: list[Frame] = table.take_out().frames
    return [
        (frame.at, event) for frame in frames if frame.stream == PUBLIC for event in frame.events
    ]


def build(config: TableConfig, match: MatchState, engine: str, entries: Iterable[Entry]) -> Record:
    """The full record of an ended match out of its table's log. engine: the game's version."""
    lines: list[LogLine] = []
    for entry in entries:
        if entry.snapshot or entry.number <= match.first_entry:
            continue
        if match.last_entry is not None and entry.number > match.last_entry:
            break
        inp = input_decoder.decode(entry.data)
        line = to_line(inp, match.started)
        if line is not None:
            lines.append(line)
    return Record(
        format=FORMAT,
        kind="full",
        game=config.game,
        ruleset=config.ruleset,
        options=dict(config.options),
        engine=engine,
        seats=config.seats,
        first=config.first,
        decks=config.decks or None,
        seed=match.seed,
        clock=msgspec.structs.replace(config.clock, early_close=match.early_close),
        names=[seat.name for seat in match.players],
        levels=_levels(match),
        from_=dict(zip(stream_names(config.seats), match.starts, strict=True)),
        away_policy="forfeit" if config.away_policy == "forfeit" else None,
        away_ms=config.away_ms,
        match=match.id,
        number=match.number if match.number > 1 else None,
        open_record=config.open_record,
        log=lines,
    )


def _levels(match: MatchState) -> list[str | None] | None:
    levels = [seat.level if seat.player is None else None for seat in match.players]
    return levels if any(level is not None for level in levels) else None


def to_line(inp: Input, started: int) -> LogLine | None:
    """The record's line of an input of the running match; None for what a record leaves out."""
    if not (
        inp.action is not None
        or inp.withdraw
        or inp.standing is not None
        or inp.away
        or inp.back
        or inp.left
        or inp.bot is not None
        or inp.stalled is not None
        or inp.resumed is not None
    ):
        return None
    return LogLine(
        at=inp.at - started,
        stamp=inp.stamp - started if inp.stamp is not None else None,
        seat=inp.seat,
        action=inp.action,
        withdraw=inp.withdraw or None,
        standing=inp.standing,
        until="match" if inp.standing is not None and inp.until == "match" else None,
        away=inp.away or None,
        back=inp.back or None,
        left=inp.left or None,
        bot=inp.bot,
        stalled=inp.stalled,
        resumed=inp.resumed,
    )
