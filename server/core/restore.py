"""A table out of its log: from its making, or from a snapshot, and what came after."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

import msgspec

from engines.kit.registry import AnyGame
from server.core.inputs import decoder as input_decoder
from server.core.refusals import Denied
from server.core.table import CORE_VERSION, Entry, Saved, Table

_saved = msgspec.json.Decoder(Saved)


class VersionError(ValueError):
    """A log that other versions wrote and that cannot be continued."""


class LogError(ValueError):
    """A log that does not follow from itself; the table cannot be trusted."""


def load_snapshot(data: bytes, games: Mapping[str, AnyGame]) -> tuple[Table, bool]:
    """The table of a snapshot, and whether the same versions wrote it.

    Raises VersionError where the game is gone or its state cannot be read.
    """
    try:
        saved = _saved.decode(data)
        game = games[saved.table.config.game]
        engine = None
        # A match without an engine was salvaged, to be voided.
        if saved.table.match is not None and saved.state != msgspec.Raw(b"null"):
            engine = msgspec.json.decode(saved.state, type=game.State)
        table = Table(game, saved.table, engine)
        _convert_actions(table)
    except (KeyError, ValueError) as error:
        raise VersionError(f"the snapshot cannot be read: {error}") from error
    same = saved.core == CORE_VERSION and saved.engine == game.version
    return table, same


def _convert_actions(table: Table) -> None:
    """Actions inside the table's state come out of JSON as plain dicts; make them typed again."""
    state = table.state
    kept: list[Any] = [old for seat in state.answered for old in seat]
    if state.window is not None:
        held = [state.window.held] if state.window.held is not None else []
        kept += [*state.window.claims, *held, *state.window.late]
    for item in kept:
        if isinstance(item.action, dict):
            item.action = msgspec.convert(item.action, table.game.actions)


def restore(
    entries: Sequence[Entry], games: Mapping[str, AnyGame], rendered: int | None = None
) -> tuple[Table, bool]:
    """The table at the end of its log, frames of the replay in `out`; whether versions agree.

    entries: from the first one, or from a snapshot on. rendered: of how many last entries the frames
    are rendered (None: of all); of the others only the numbers count. Raises VersionError and LogError.
    """
    steps = restoring(entries, games, rendered)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            restored: tuple[Table, bool] = done.value
            return restored


def restoring(
    entries: Sequence[Entry], games: Mapping[str, AnyGame], rendered: int | None = None
) -> Generator[None, None, tuple[Table, bool]]:
    """As `restore`, an entry a step, for a caller who has other things to do in between."""
    table: Table | None = None
    same = True
    first_rendered = 0 if rendered is None else len(entries) - rendered
    for place, entry in enumerate(entries):
        if table is not None:
            table.wanted = [2 if place >= first_rendered else 0] * len(table.wanted)
        if not entry.snapshot:
            table = _played(table, entry, games)
        elif table is None:
            table, same = load_snapshot(entry.data, games)
        table.out.entries.clear()
        yield
    if table is None:
        raise LogError("the log is empty")
    return table, same


def _played(table: Table | None, entry: Entry, games: Mapping[str, AnyGame]) -> Table:
    """The table after one more input; the first one makes it."""
    try:
        inp = input_decoder.decode(entry.data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LogError(f"entry {entry.number} cannot be read: {error}") from error
    if table is None:
        if inp.create is None:
            raise LogError("the log begins neither with a table's making nor with a snapshot")
        if inp.create.game not in games:
            raise VersionError(f"there is no game {inp.create.game!r} here")
        return Table.create(games[inp.create.game], inp.create, inp.at)
    try:
        table.handle(inp) if not inp.tick else table.tick(inp.at)
    except Denied as denied:
        raise LogError(f"entry {entry.number} is refused in the replay: {denied}") from denied
    return table
