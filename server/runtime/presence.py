"""Which connection controls which seat, and when a seat counts as away."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from server.core.inputs import Input
from server.runtime.host import Host

if TYPE_CHECKING:
    from server.runtime.hub import Hub
    from server.runtime.session import Session


class Presence:
    """One controller a seat, the newest wins; a seat without one is away after a while."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._timers: dict[tuple[str, int], asyncio.TimerHandle] = {}

    def took(self, host: Host, seat: int, connection: Session) -> None:
        """A connection takes control of a seat; who had it is told so."""
        old = host.controllers.get(seat)
        host.controllers[seat] = connection
        self._stop(host, seat)
        if old is not None and old is not connection:
            self._hub.unseat(old, host, "replaced")
        channel = host.channels[seat]
        channel.keeps_on = True
        channel.kept_language = connection.language
        if host.table.state.seats[seat].state == "away":
            host.submit(Input(at=self._hub.wall.now(), seat=seat, back=True))

    def lost(self, host: Host, seat: int, connection: Session) -> None:
        """The connection is gone; unless another one comes, the seat is away in a while."""
        if host.controllers.get(seat) is connection:
            del host.controllers[seat]
            self._watch(host, seat)

    def recovered(self, host: Host) -> None:
        """After a restart nobody is connected yet."""
        for seat, state in enumerate(host.table.state.seats):
            if state.player is not None and state.state == "here":
                self._watch(host, seat)

    def thawed(self, host: Host) -> None:
        """What happened to connections while the table stood still is told to it now."""
        for seat, state in enumerate(host.table.state.seats):
            if state.player is None:
                continue
            if seat in host.controllers:
                if state.state == "away":
                    host.submit(Input(at=self._hub.wall.now(), seat=seat, back=True))
            elif state.state == "here":
                self._watch(host, seat)

    def freed(self, host: Host, seat: int) -> None:
        """The seat has no player any more."""
        self._stop(host, seat)
        host.controllers.pop(seat, None)
        host.channels[seat].keeps_on = False

    def _watch(self, host: Host, seat: int) -> None:
        self._stop(host, seat)
        wait = self._hub.settings.away_after_ms / 1000
        loop = asyncio.get_running_loop()
        self._timers[host.id, seat] = loop.call_later(wait, self._away, host, seat)

    def _away(self, host: Host, seat: int) -> None:
        self._timers.pop((host.id, seat), None)
        state = host.table.state.seats[seat]
        if seat not in host.controllers and state.player is not None and state.state == "here":
            host.submit(Input(at=self._hub.wall.now(), seat=seat, away=True))

    def _stop(self, host: Host, seat: int) -> None:
        timer = self._timers.pop((host.id, seat), None)
        if timer is not None:
            timer.cancel()
