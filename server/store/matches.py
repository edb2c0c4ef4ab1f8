"""Finished matches and their records, on a connection inside a transaction."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from server.store.models import Match, Seat
from server.store.schema import matches, records, seats


def add(connection: Connection, match: Match, kinds: Mapping[str, bytes]) -> None:
    """A match with its seats and records. Raises IntegrityError if it is stored already."""
    connection.execute(
        matches.insert(),
        {
            "id": match.id,
            "table_id": match.table,
            "game": match.game,
            "ruleset": match.ruleset,
            "started": match.started,
            "ended": match.ended,
            "rated": match.rated,
            "voided": match.voided,
        },
    )
    sat = [
        {
            "match": match.id,
            "seat": number,
            "name": seat.name,
            "player": seat.player,
            "bot": seat.bot,
            "score": seat.score,
            "place": seat.place,
            "ended": match.ended,
        }
        for number, seat in enumerate(match.seats)
    ]
    if sat:
        connection.execute(seats.insert(), sat)
    for kind, record in kinds.items():
        encoding, data = _pack(record)
        connection.execute(
            records.insert(),
            {"match": match.id, "kind": kind, "encoding": encoding, "data": data},
        )


def by_id(connection: Connection, match: str) -> Match | None:
    """The match of this id."""
    row = connection.execute(select(matches).where(matches.c.id == match)).first()
    return None if row is None else _match(connection, row)


def newest_of_table(connection: Connection, table: str) -> Match | None:
    """The match that ended last at a table."""
    row = connection.execute(
        select(matches).where(matches.c.table_id == table).order_by(matches.c.ended.desc()).limit(1)
    ).first()
    return None if row is None else _match(connection, row)


def of_player(connection: Connection, player: str, limit: int) -> list[Match]:
    """The player's matches, the newest first, at most `limit`."""
    found = connection.execute(
        select(matches)
        .join(seats, seats.c.match == matches.c.id)
        .where(seats.c.player == player)
        .order_by(seats.c.ended.desc(), matches.c.id)
        .limit(limit)
    ).all()
    return [_match(connection, row) for row in found]


def record(connection: Connection, match: str, kind: str) -> bytes | None:
    """A match's record of this kind, as it was given."""
    row = connection.execute(
        select(records).where(records.c.match == match, records.c.kind == kind)
    ).first()
    if row is None:
        return None
    return zlib.decompress(row.data) if row.encoding == "zlib" else bytes(row.data)


def _match(connection: Connection, row: Row[Any]) -> Match:
    found = connection.execute(select(seats).where(seats.c.match == row.id).order_by(seats.c.seat))
    return Match(
        id=row.id,
        table=row.table_id,
        game=row.game,
        ruleset=row.ruleset,
        started=row.started,
        ended=row.ended,
        seats=[Seat(each.name, each.player, each.bot, each.score, each.place) for each in found],
        rated=row.rated,
        voided=row.voided,
    )


def _pack(record: bytes) -> tuple[str, bytes]:
    packed = zlib.compress(record)
    return ("zlib", packed) if len(packed) < len(record) else ("plain", record)
