"""`hanpan replay FILE…`: play records on the virtual clock."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from engines.kit.contract import Event
from engines.kit.registry import AnyGame, GameError
from engines.kit.text import LOCALES, Listener
from server.cli.games import add_games, known_games
from server.core import public_record
from server.core import record as records
from server.core.record import Played, Record, RecordError
from server.core.table import Table
from server.text import event_sentence, refusal

Line = dict[str, Any]


def add_parser(commands: Any) -> None:
    """The command's flags."""
    parser = commands.add_parser("replay", help="play game records again")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a game record; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object an entry, and the end")
    parser.add_argument("--lang", default="en", choices=LOCALES, help="language of the sentences")
    add_games(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play every file; 2 if one of them is malformed."""
    try:
        games = known_games(args)
    except GameError as error:
        print(f"hanpan: {error}", file=sys.stderr)
        return 2
    code = 0
    for name in args.files:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            for line in show(data, games, args.json, args.lang):
                _print(line, name if len(args.files) > 1 else None)
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"hanpan: {name}: {error.strerror}", file=sys.stderr)
            code = 2
        except RecordError as error:
            print(f"hanpan: {name}: {error}", file=sys.stderr)
            code = 2
    return code


def _print(line: Line | str, name: str | None) -> None:
    if isinstance(line, str):
        text = line
    else:
        named = line if name is None else {"file": name, **line}
        text = msgspec.json.encode(named).decode()
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()


def show(
    data: bytes, games: Mapping[str, AnyGame], as_json: bool, locale: str
) -> Iterator[Line | str]:
    """What is printed of one file. Raises RecordError before anything is, if it is malformed."""
    if public_record.is_public(data):
        public = public_record.parse(data)
        game = public_record.check(public, games)
        yield from _public_json(public) if as_json else _public_text(public, game, locale)
        return
    record = records.parse(data)
    table = records.set_up(record, games)
    if record.engine is not None and record.engine != table.game.version:
        warning = f"written by {record.game} {record.engine}, played by {table.game.version}"
        print(f"hanpan: warning: {warning}", file=sys.stderr)
    table.wanted = [0] * record.seats + [1]
    yield from _json(record, table, locale) if as_json else _text(record, table, locale)


def end_line(table: Table) -> Line:
    """Where the match stands: booked scores, places, the public view, all hands."""
    game = table.game
    outcome = game.outcome(table.engine)
    finished = table.state.phase == "ended"
    return {
        "end": True,
        "finished": finished,
        "scores": outcome.scores,
        "places": table.match.places if finished else [],
        "view": game.view(table.engine, None),
        "hands": game.hands(table.engine),
    }


# -- JSON --------------------------------------------------------------------------------------------
def _json(record: Record, table: Table, locale: str) -> Iterator[Line]:
    records.public_events(table)
    for played in records.play(record, table):
        yield _entry(played, table, locale)
    yield end_line(table)


def _entry(played: Played, table: Table, locale: str) -> Line:
    line: Line = {"i": played.i, "at": played.at, "ok": played.ok}
    if played.denied is not None:
        message = refusal(played.denied, table.game, locale)
        line["error"] = {"code": played.denied.code, "message": message}
    if played.ok or played.events:
        line["events"] = played.events
    return line


def _public_json(record: public_record.PublicRecord) -> Iterator[Line]:
    view = None
    for number, frame in enumerate(record.frames):
        yield {"i": number, "at": frame.at, "ok": True, "events": frame.events}
        view = frame.view if frame.view is not None else view
    finished = bool(record.places)
    yield {
        "end": True,
        "finished": finished,
        "scores": record.scores,
        "places": record.places,
        "view": view,
    }


# -- sentences -----------------------------------------------------------------------------------------
def _text(record: Record, table: Table, locale: str) -> Iterator[str]:
    names = record.names or [f"#{seat + 1}" for seat in range(record.seats)]
    listener = Listener(locale, tuple(names))
    yield _title(table.game, record.ruleset or "standard", names, locale)
    start = records.public_events(table)
    yield from _sentences(table, start, [0] * len(start), listener)
    for played in records.play(record, table):
        if played.denied is not None:
            seat = record.log[played.i].seat
            who = f"{names[seat]}: " if seat is not None else ""
            yield f"{_time(played.at)}  ! {who}{refusal(played.denied, table.game, locale)}"
        yield from _sentences(table, played.events, played.times, listener)
    end = end_line(table)
    yield "= " + msgspec.json.encode({"scores": end["scores"], "places": end["places"]}).decode()
    for name, hand in zip(names, end["hands"], strict=True):
        yield f"  {name}: {table.game.text.pieces(hand, locale) or '-'}"


def _sentences(
    table: Table, events: list[Any], times: list[int], listener: Listener
) -> Iterator[str]:
    view = table.game.view(table.engine, None)
    for at, event in zip(times, events, strict=True):
        text = _sentence(table.game, event, listener, view)
        if text is not None:
            yield f"{_time(at)}  {text}"


def _sentence(game: AnyGame, event: Any, listener: Listener, view: Any) -> str | None:
    if isinstance(event, Event):
        said = game.text.event(event, listener, view)
    else:
        said = event_sentence(event, listener, game)
    return said.text if said is not None else None


def _public_text(record: public_record.PublicRecord, game: AnyGame, locale: str) -> Iterator[str]:
    names = record.names or [f"#{seat + 1}" for seat in range(record.seats)]
    listener = Listener(locale, tuple(names))
    yield _title(game, record.ruleset, names, locale)
    view: Any = None
    for frame in record.frames:
        if frame.view is not None:
            view = msgspec.convert(frame.view, game.View)
        for event in frame.events:
            text = _sentence(game, event, listener, view)
            if text is not None:
                yield f"{_time(frame.at)}  {text}"
    yield "= " + msgspec.json.encode({"scores": record.scores, "places": record.places}).decode()


def _title(game: AnyGame, ruleset: str, names: list[str], locale: str) -> str:
    return f"{game.text.title(locale)} ({ruleset}): {', '.join(names)}"


def _time(at: int) -> str:
    minutes, ms = divmod(at, 60_000)
    return f"{minutes:3d}:{ms / 1000:06.3f}"
