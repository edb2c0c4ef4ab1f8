"""Game records: one JSON file is a whole match. Reading, writing, and playing them on virtual time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from engines.kit.contract import OptionError
from engines.kit.dealer import DeckError, check_deck
from engines.kit.registry import AnyGame
from server.core.clocks import ClockRules
from server.core.config import TableConfig
from server.core.frames import PUBLIC, Frame
from server.core.inputs import Input, Joiner, Start
from server.core.inputs import decoder as input_decoder
from server.core.refusals import Denied
from server.core.state import MatchState
from server.core.table import Entry, Table

FORMAT: Literal["hanpan.record/1"] = "hanpan.record/1"
ZERO_SEED = "00" * 32


class RecordError(ValueError):
    """A file that is no playable record; the message says where it breaks the form."""


class LogLine(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One input of a match; exactly one of the fields after `seat`."""

    at: int
    stamp: int | None = None
    seat: int | None = None
    action: Any = None
    withdraw: bool | None = None
    standing: dict[str, Any] | None = None
    until: Literal["round", "match"] | None = None
    away: bool | None = None
    back: bool | None = None
    left: bool | None = None
    bot: str | None = None
    stalled: int | None = None
    resumed: int | None = None


class Record(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A full record. from_: each stream's number before the match."""

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
    from_: list[int] | None = msgspec.field(default=None, name="from")
    away_policy: Literal["bot", "forfeit"] | None = None
    away_ms: int | None = None
    match: str | None = None
    open_record: bool = False
    log: list[LogLine] = []


_record = msgspec.json.Decoder(Record)
_INPUTS = ("action", "withdraw", "standing", "away", "back", "left", "bot", "stalled", "resumed")


def parse(data: bytes) -> Record:
    """A record out of its file. Raises RecordError with a sentence."""
    try:
        record = _record.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RecordError(f"not a full record: {error}") from None
    for number, line in enumerate(record.log):
        _check_line(record, number, line)
    return record


def _check_line(record: Record, number: int, line: LogLine) -> None:
    where = f"log[{number}]"
    given = [name for name in _INPUTS if getattr(line, name) is not None]
    if len(given) != 1:
        raise RecordError(f"{where} must hold exactly one of {', '.join(_INPUTS)}")
    if given[0] not in ("stalled", "resumed"):
        if line.seat is None or not 0 <= line.seat < record.seats:
            raise RecordError(f"{where}: seat must be 0..{record.seats - 1}")
    elif getattr(line, given[0]) < 0:
        raise RecordError(f"{where}: {given[0]} must not be negative")
    if line.at < 0 or (number and line.at < record.log[number - 1].at):
        raise RecordError(f"{where}: at must not be negative and never decreases")
    if line.stamp is not None and line.stamp > line.at:
        raise RecordError(f"{where}: stamp must not be later than at")


def set_up(record: Record, games: Mapping[str, AnyGame]) -> Table:
    """A table at the start of the record's match. Raises RecordError."""
    game = games.get(record.game)
    if game is None:
        raise RecordError(f"unknown game {record.game!r}; known: {', '.join(games)}")
    ruleset = record.ruleset or "standard"
    try:
        options = game.options(ruleset, record.options)
        game.check_seats(record.seats)
        for number, deck in enumerate(record.decks or []):
            check_deck(deck, game.pieces(options), number)
    except (OptionError, DeckError) as error:
        raise RecordError(str(error)) from None
    if record.first is not None and not 0 <= record.first < record.seats:
        raise RecordError(f"first must be a seat, 0..{record.seats - 1}")
    seed = record.seed or ZERO_SEED
    if len(seed) != 64 or any(c not in "0123456789abcdef" for c in seed):
        raise RecordError("seed must be 64 hexadecimal digits")
    clock = record.clock or ClockRules()
    config = TableConfig(
        table="record",
        epoch="record",
        game=record.game,
        ruleset=ruleset,
        options=msgspec.to_builtins(options),
        seats=record.seats,
        away_policy=record.away_policy or "bot",
        away_ms=record.away_ms if record.away_ms is not None else 60_000,
        early_close=clock.early_close,
        decks=record.decks or [],
        first=record.first,
        seed=seed,
        clock=clock,
    )
    table = Table.create(game, config, 0)
    names = record.names or [f"{seat}" for seat in range(record.seats)]
    for seat in range(record.seats):
        name = names[seat] if seat < len(names) else str(seat)
        table.handle(Input(at=0, seat=seat, join=Joiner(name, player=f"seat{seat}")))
    table.state.numbers = list(record.from_ or [0] * (record.seats + 1))
    table.out = type(table.out)()
    table.handle(Input(at=0, start=Start(record.match or "record", seed)))
    return table


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
    included; or why it was refused."""

    i: int
    at: int
    ok: bool
    events: list[Any] = []
    denied: Denied | None = None


def play(record: Record, table: Table) -> Iterator[Played]:
    """Play a record's lines on virtual time; afterwards the table is at the end of the log.

    Raises RecordError for an action that the game's schema forbids.
    """
    _public_events(table)
    for number, line in enumerate(record.log):
        denied = None
        try:
            table.handle(to_input(line))
        except Denied as error:
            if error.code == "bad_message":
                detail = error.params.get("detail", "")
                raise RecordError(f"log[{number}]: malformed action: {detail}") from None
            denied = error
        if number + 1 < len(record.log):
            table.tick(record.log[number + 1].at)
        else:
            run_out(table)
        yield Played(
            i=number, at=line.at, ok=denied is None, events=_public_events(table), denied=denied
        )


def run_out(table: Table) -> None:
    """Let time run until nothing is held or sealed and no window with a deadline is open."""
    while (window := table.state.window) is not None and not window.tail:
        waits = window.held is not None or window.claims or window.late
        if not waits and window.ends != "deadline":
            return
        table.tick(window.closing)


def _public_events(table: Table) -> list[Any]:
    frames: list[Frame] = table.take_out().frames
    return [event for frame in frames if frame.stream == PUBLIC for event in frame.events]


def build(config: TableConfig, match: MatchState, engine: str, entries: Iterable[Entry]) -> Record:
    """The full record of an ended match out of its table's log. engine: the game's version."""
    lines: list[LogLine] = []
    for entry in entries:
        if entry.snapshot or entry.number <= match.first_entry:
            continue
        inp = input_decoder.decode(entry.data)
        if match.ended is not None and inp.at > match.ended:
            break
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
        from_=match.starts,
        away_policy="forfeit" if config.away_policy == "forfeit" else None,
        away_ms=config.away_ms,
        match=match.id,
        open_record=config.open_record,
        log=lines,
    )


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
        until=inp.until if inp.standing is not None else None,
        away=inp.away or None,
        back=inp.back or None,
        left=inp.left or None,
        bot=inp.bot,
        stalled=inp.stalled,
        resumed=inp.resumed,
    )
