"""Players, their tokens, finished matches with their seats and records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("skeleton", sa.Text, nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("locale", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("skeleton", name="uq_players_skeleton"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("last_used", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player"),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("voided", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_table_id", "matches", ["table_id"])
    op.create_table(
        "seats",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("score", sa.BigInteger),
        sa.Column("place", sa.Integer),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_seats_match"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_seats_player"),
    )
    op.create_index("ix_seats_player_ended", "seats", ["player", "ended"])
    op.create_table(
        "records",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("encoding", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match", "kind", name="pk_records"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_records_match"),
    )


def downgrade() -> None:
    for table in ("records", "seats", "matches", "tokens", "players"):
        op.drop_table(table)
