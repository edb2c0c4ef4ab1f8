"""What can still be said of a table whose log cannot be continued: who sits there, and which match is lost.

The engine's state is given up and nothing is asked any more; the shell voids the match, under a new epoch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engines.kit.registry import AnyGame
from server.core.inputs import decoder as input_decoder
from server.core.refusals import Denied
from server.core.state import TableState
from server.core.table import CORE_VERSION, Entry, Saved, Table

_saved = msgspec.json.Decoder(Saved)


def salvage(entries: Sequence[Entry], games: Mapping[str, AnyGame]) -> Table | None:
    """The table without its engine, at the log's last number; None where its game is not here, or where
    nothing can be read.

    entries: the whole log. Taken from the last snapshot whose table can be read, else from the start.
    """
    state = _last_state(entries)
    try:
        if state is None:
            return _from_start(entries, games)
        table = Table(games[state.config.game], state)
    except (KeyError, ValueError):
        return None
    return _without_engine(table, entries)


def other_version(entries: Sequence[Entry], games: Mapping[str, AnyGame]) -> bool:
    """Whether the last snapshot was written by other versions than those that run here."""
    last = next((entry for entry in reversed(entries) if entry.snapshot), None)
    if last is None:
        return False
    try:
        saved = _saved.decode(last.data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return True
    game = games.get(saved.table.config.game)
    return game is None or saved.core != CORE_VERSION or saved.engine != game.version


def _last_state(entries: Sequence[Entry]) -> TableState | None:
    for entry in reversed(entries):
        if entry.snapshot:
            try:
                return _saved.decode(entry.data).table
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
    return None


def _from_start(entries: Sequence[Entry], games: Mapping[str, AnyGame]) -> Table | None:
    """As far as the log can be played again. Raises KeyError, ValueError."""
    made = input_decoder.decode(entries[0].data)
    if made.create is None:
        return None
    table = Table.create(games[made.create.game], made.create, made.at)
    for entry in entries[1:]:
        try:
            inp = input_decoder.decode(entry.data)
            table.tick(inp.at) if inp.tick else table.handle(inp)
        except (msgspec.MsgspecError, UnicodeDecodeError, Denied):
            break
    return _without_engine(table, entries)


def _without_engine(table: Table, entries: Sequence[Entry]) -> Table:
    state = table.state
    state.requests, state.window, state.clock = {}, None, None
    state.answered = [[] for _ in state.seats]
    state.entries = entries[-1].number
    lost = Table(table.game, state)
    lost.take_out()
    return lost
