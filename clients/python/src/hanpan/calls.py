"""Requests on their way: each has one answer, also over a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from hanpan._messages import (
    Act,
    Ask,
    Chat,
    ClientMessage,
    CreateTable,
    Error,
    JoinTable,
    LeaveTable,
    Legal,
    ListGames,
    ListTables,
    Ok,
    Ready,
    Rematch,
    Standing,
    Start,
    Unwatch,
    UnwatchLobby,
    Watch,
    WatchLobby,
    Withdraw,
)
from hanpan.errors import HanpanError, Uncertain, refusal

_SAFE = (
    Act, Ask, Legal, ListGames, ListTables, Ready, Standing, Unwatch, UnwatchLobby, Watch,
    WatchLobby, Withdraw,
)  # fmt: skip
"""A request is answered once, and the rest only sets or reads: sending again has no second effect."""
_DONE_BY: dict[type[ClientMessage], str] = {
    JoinTable: "already_seated",
    LeaveTable: "not_seated",
    Start: "already_started",
    Rematch: "already_started",
}
"""The refusal of a repeat which says that the first one was carried out."""
AGAIN = ("moving", "draining")
"""Refusals after which the same message is sent again by itself."""
TRIES = 40


class Call:
    """One request and the future of its answer. sends: how often it went out."""

    __slots__ = ("answer", "id", "message", "refusals", "sends")

    def __init__(self, number: int, message: ClientMessage) -> None:
        message.id = number
        self.id = number
        self.message = message
        self.answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self.sends = 0
        self.refusals = 0

    @property
    def repeatable(self) -> bool:
        """Whether it may be sent again when nobody knows what became of it."""
        message = self.message
        if isinstance(message, (CreateTable, Chat)):
            return message.key is not None
        return isinstance(message, _SAFE) or type(message) in _DONE_BY


class Calls:
    """All requests without an answer, in the order in which they were made."""

    def __init__(self) -> None:
        self._open: dict[int, Call] = {}
        self._number = 1

    def __iter__(self) -> Iterator[Call]:
        return iter(list(self._open.values()))

    def make(self, message: ClientMessage) -> Call:
        """A new request; its number is the message's `id`."""
        self._number += 1
        call = Call(self._number, message)
        self._open[call.id] = call
        return call

    def forget(self, call: Call) -> None:
        """Nobody waits for this one any more."""
        self._open.pop(call.id, None)

    def answered(self, message: Ok | Error) -> Call | None:
        """Hand the answer to who waits for it; returns a call that is to be sent again instead."""
        call = self._open.get(message.re) if isinstance(message.re, int) else None
        if call is None:
            return None
        if isinstance(message, Error):
            if message.code in AGAIN and call.refusals < TRIES:
                call.refusals += 1
                return call
            if call.sends > 1 and _DONE_BY.get(type(call.message)) == message.code:
                message = Ok(re=call.id)
        del self._open[call.id]
        if call.answer.done():
            return None
        if isinstance(message, Ok):
            call.answer.set_result(message)
        else:
            call.answer.set_exception(refusal(message))
        return None

    def lost(self) -> None:
        """The connection is gone: what must not be repeated fails, the rest waits for the next one."""
        for call in self:
            if call.sends and not call.repeatable:
                self.forget(call)
                if not call.answer.done():
                    kind = type(call.message).__struct_config__.tag
                    call.answer.set_exception(
                        Uncertain(f"the connection was lost under {kind}; it may have been done")
                    )

    def end(self, error: HanpanError) -> None:
        """There will be no more answers."""
        for call in self:
            self.forget(call)
            if not call.answer.done():
                call.answer.set_exception(error)
