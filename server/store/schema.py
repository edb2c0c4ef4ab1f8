"""The tables as they are now; `migrations` is how a database gets there, and a test compares them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    # What the name looks like (server/core/names.py), which no two players share.
    Column("skeleton", Text, nullable=False, unique=True),
    Column("guest", Boolean, nullable=False),
    Column("locale", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    # SHA-256 of the token: 256 random bits need no salt and no slow hash.
    Column("hash", LargeBinary, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger, nullable=False),
    Column("revoked", BigInteger),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False, index=True),
    Column("game", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("voided", Boolean, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("player", Text, ForeignKey("players.id")),
    Column("bot", Text),
    Column("score", BigInteger),
    Column("place", Integer),
    # Repeated from the match, so that a player's newest matches are one walk of an index.
    Column("ended", BigInteger, nullable=False),
    Index(None, "player", "ended"),
)

records = Table(
    "records",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("encoding", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
