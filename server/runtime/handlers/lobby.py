"""Games, tables, and making one."""

from __future__ import annotations

import asyncio
from typing import Any

from protocol.client import CreateTable, ListGames, ListTables, UnwatchLobby, WatchLobby
from server.core.refusals import Denied
from server.journal.base import JournalError
from server.runtime.handlers.common import player_id
from server.runtime.session import Session


def list_games(connection: Session, message: ListGames, at: int) -> None:
    """All games that can be played here."""
    connection.ok(message, games=connection.hub.game_infos)


def list_tables(connection: Session, message: ListTables, at: int) -> None:
    """The public tables that match."""
    tables, more = connection.hub.directory.lobby.listed(message)
    connection.ok(message, tables=tables, more=more)


def watch_lobby(connection: Session, message: WatchLobby, at: int) -> None:
    """The public tables now, and their changes from now on."""
    connection.watches_lobby = True
    tables, more = connection.hub.directory.lobby.listed(ListTables())
    connection.ok(message, tables=tables, more=more)


def unwatch_lobby(connection: Session, message: UnwatchLobby, at: int) -> None:
    """No more changes."""
    connection.watches_lobby = False
    connection.ok(message)


def create_table(connection: Session, message: CreateTable, at: int) -> None:
    """A new table; a repeat with the same key gets the same one."""
    if connection.hub.draining:
        raise Denied("draining")
    player = player_id(connection)
    made: asyncio.Future[dict[str, Any] | Denied] | None
    made = connection.hub.once.get(player, message.key)
    if made is None:
        made = asyncio.get_running_loop().create_future()
        connection.hub.once.put(player, message.key, made)
        connection.hub.spawn(_create(connection, message, made))

    def reply(done: asyncio.Future[dict[str, Any] | Denied]) -> None:
        fields = done.result()
        if isinstance(fields, Denied):
            connection.refuse(message, fields)
        else:
            connection.ok(message, **fields)

    made.add_done_callback(connection.if_open(reply))


async def _create(
    connection: Session, message: CreateTable, made: asyncio.Future[dict[str, Any] | Denied]
) -> None:
    """Make the table; `made` is told of it once it is committed, or of why there is none."""
    assert connection.player is not None
    player = connection.player

    def refused(denied: Denied) -> None:
        connection.hub.once.forget(player.id, message.key)
        made.set_result(denied)

    try:
        host = await connection.hub.directory.create(player, message)
    except Denied as denied:
        refused(denied)
        return
    except JournalError:
        refused(Denied("unavailable"))
        return
    except Exception:
        refused(Denied("internal"))
        raise

    def committed(answer: Denied | None) -> None:
        if isinstance(answer, Denied):
            refused(answer)
        else:
            made.set_result({"table": host.id, "invite": host.table.state.config.invite})

    host.query(lambda table: None, committed)
