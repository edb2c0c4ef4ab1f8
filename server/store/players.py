"""Players and their tokens, on a connection inside a transaction."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from server.core.names import skeleton
from server.store.models import Player
from server.store.schema import players, tokens

USED_MS = 3_600_000
"""A token's last use is noted once an hour: a connection costs no write."""
_BY_TOKEN = (
    # Built once: every connection asks it, and the building costs more than the asking.
    select(players, tokens.c.last_used)
    .join(tokens, tokens.c.player == players.c.id)
    .where(tokens.c.hash == bindparam("hash"), tokens.c.revoked.is_(None))
)


def add(connection: Connection, name: str, guest: bool, locale: str, now: int) -> Player:
    """A new player. Raises IntegrityError if the name is taken."""
    player = Player("p_" + secrets.token_urlsafe(12), name, guest, now, locale)
    connection.execute(
        players.insert().values(
            id=player.id,
            name=name,
            skeleton=skeleton(name),
            guest=guest,
            locale=locale,
            created=now,
        )
    )
    return player


def add_token(connection: Connection, player: str, now: int) -> str:
    """A new token of the player: 256 random bits, kept only as a hash."""
    token = secrets.token_urlsafe(32)
    connection.execute(
        tokens.insert().values(hash=_hash(token), player=player, created=now, last_used=now)
    )
    return token


def by_token(connection: Connection, token: str) -> tuple[Player, int] | None:
    """The player of a token that is not revoked, and when the token was last noted as used."""
    row = connection.execute(_BY_TOKEN, {"hash": _hash(token)}).first()
    return None if row is None else (_player(row), row.last_used)


def note_use(connection: Connection, token: str, now: int) -> None:
    """Note that the token was used."""
    connection.execute(tokens.update().where(tokens.c.hash == _hash(token)).values(last_used=now))


def revoke(connection: Connection, token: str, now: int) -> str | None:
    """Revoke a token; the player whose it was, or None if it is unknown or revoked already."""
    held = by_token(connection, token)
    if held is None:
        return None
    connection.execute(tokens.update().where(tokens.c.hash == _hash(token)).values(revoked=now))
    return held[0].id


def revoked(connection: Connection, since: int) -> list[str]:
    """The players of whom a token was revoked at or after this time."""
    rows = connection.execute(
        select(tokens.c.player)
        .distinct()
        .where(tokens.c.revoked >= since)
        .order_by(tokens.c.player)
    )
    return [row.player for row in rows]


def by_id(connection: Connection, player: str) -> Player | None:
    """The player of this id."""
    row = connection.execute(select(players).where(players.c.id == player)).first()
    return None if row is None else _player(row)


def _player(row: Row[Any]) -> Player:
    return Player(row.id, row.name, row.guest, row.created, row.locale)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
