"""What each client message does; a function a message, by its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol import client as c
from server.runtime.handlers import asking, lobby, places, playing, seats
from server.runtime.session import Session

Handler = Callable[[Session, Any, int], None]

HANDLERS: dict[type[c.ClientMessage], Handler] = {
    c.ListGames: lobby.list_games,
    c.ListTables: lobby.list_tables,
    c.WatchLobby: lobby.watch_lobby,
    c.UnwatchLobby: lobby.unwatch_lobby,
    c.CreateTable: lobby.create_table,
    c.JoinTable: seats.join_table,
    c.LeaveTable: seats.leave_table,
    c.Ready: seats.ready,
    c.AddBot: seats.add_bot,
    c.RemoveBot: seats.remove_bot,
    c.Start: seats.start,
    c.Rematch: seats.rematch,
    c.Watch: places.watch,
    c.Unwatch: places.unwatch,
    c.Act: playing.act,
    c.Withdraw: playing.withdraw,
    c.Legal: playing.legal,
    c.Standing: playing.standing,
    c.Ask: asking.ask,
    c.Chat: asking.chat,
}
