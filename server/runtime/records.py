"""What of a finished match's record is handed out, and to whom it shows what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from engines.kit.registry import AnyGame
from server.core.frames import PUBLIC
from server.core.record import FORMAT, Record, build, parse, run_out, set_up, to_input
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.loader import entries_of
from server.runtime.sentences import Sentences, language

if TYPE_CHECKING:
    from server.runtime.hub import Hub


async def handed_out(hub: Hub, match: str, locale: str | None = None) -> dict[str, Any] | None:
    """The public record of a stored match; with the decks where the table had `open_record`.

    locale: each frame also carries what it says to a spectator in this language.
    None for an unknown match. Raises StoreError.
    """
    full = await hub.store.record(match)
    if full is not None:
        return public_record(parse(full), hub.games, locale=locale)
    for host in hub.directory.hosts.values():
        running = host.table.state.match
        config = host.table.state.config
        if running is not None and running.id == match and config.visibility == "public":
            entries = entries_of(await hub.journal.entries(host.id, running.first_entry))
            record = build(config, running, host.table.game.version, entries)
            if config.spectate_delay_ms or running.ended is not None:
                return None
            return public_record(record, hub.games, running=True, locale=locale)
    return None


def public_record(
    record: Record,
    games: Mapping[str, AnyGame],
    running: bool = False,
    locale: str | None = None,
) -> dict[str, Any]:
    """A match as its spectators saw it: the public stream's frames with their times.

    The full record is played again on virtual time; nothing of it but public frames goes out. Of a
    running match it goes as far as its log.
    """
    table = set_up(record, games)
    frames = _frames(table, locale)
    for number, line in enumerate(record.log):
        try:
            table.handle(to_input(line))
        except Denied:
            continue
        finally:
            frames += _frames(table, locale)
        if number + 1 == len(record.log) and not running:
            run_out(table)
            frames += _frames(table, locale)
    outcome = table.game.outcome(table.engine)
    public: dict[str, Any] = {
        "format": FORMAT,
        "kind": "public",
        "game": record.game,
        "ruleset": record.ruleset or "standard",
        "options": record.options or {},
        "engine": record.engine,
        "seats": record.seats,
        "names": record.names or [],
        "match": record.match,
        "clock": record.clock,
        "frames": frames,
        "scores": outcome.scores,
        "places": outcome.places,
    }
    if record.open_record and not running:
        public["decks"] = table.match.dealer.dealt(table.game.pieces(table.options))
    return public


def _frames(table: Table, locale: str | None) -> list[dict[str, Any]]:
    shown = []
    for frame in table.take_out().frames:
        if frame.stream == PUBLIC:
            one: dict[str, Any] = {"at": frame.at, "seq": frame.seq, "events": frame.events}
            if frame.view is not None:
                # Encoded now: the view may share what the next action changes.
                one["view"] = msgspec.Raw(msgspec.json.encode(frame.view))
            said = [] if locale is None else Sentences().frame(table, None, frame, language(locale))
            if said:
                one["say"] = said
            shown.append(one)
    return shown
