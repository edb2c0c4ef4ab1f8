"""Games, tables, and making one."""

from __future__ import annotations

from protocol.client import CreateTable, ListGames, ListTables, UnwatchLobby, WatchLobby
from server.core.refusals import Denied
from server.journal.base import JournalError
from server.runtime.connection import Connection
from server.runtime.handlers.common import player_id


def list_games(connection: Connection, message: ListGames, at: int) -> None:
    """All games that can be played here."""
    connection.ok(message, games=connection.hub.game_infos)


def list_tables(connection: Connection, message: ListTables, at: int) -> None:
    """The public tables that match."""
    connection.ok(message, tables=connection.hub.directory.listed(message))


def watch_lobby(connection: Connection, message: WatchLobby, at: int) -> None:
    """The public tables now, and their changes from now on."""
    connection.watches_lobby = True
    connection.ok(message, tables=connection.hub.directory.listed(ListTables()))


def unwatch_lobby(connection: Connection, message: UnwatchLobby, at: int) -> None:
    """No more changes."""
    connection.watches_lobby = False
    connection.ok(message)


def create_table(connection: Connection, message: CreateTable, at: int) -> None:
    """A new table; a repeat with the same key gets the same one."""
    if connection.hub.draining:
        raise Denied("draining")
    known = connection.hub.once.get(player_id(connection), message.key)
    if known is not None:
        connection.ok(message, **known)
        return
    connection.hub.spawn(_create(connection, message))


async def _create(connection: Connection, message: CreateTable) -> None:
    assert connection.player is not None
    try:
        host = await connection.hub.directory.create(connection.player, message)
    except Denied as denied:
        connection.refuse(message, denied)
        return
    except JournalError:
        connection.refuse(message, Denied("unavailable"))
        return
    fields = {"table": host.id, "invite": host.table.state.config.invite}
    connection.hub.once.put(connection.player.id, message.key, fields)
    host.query(lambda table: None, connection.if_open(lambda _: connection.ok(message, **fields)))
