"""Runs the migrations on the connection that `server.store.database` hands over, in its transaction."""

from __future__ import annotations

from alembic import context

from server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
)
with context.begin_transaction():
    context.run_migrations()
