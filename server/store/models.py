"""What the store hands out and takes. Times are integer milliseconds since 1970 (UTC)."""

from __future__ import annotations

import msgspec


class Player(msgspec.Struct, frozen=True):
    """Somebody who can hold a seat. locale: the language chosen when the player was made."""

    id: str
    name: str
    guest: bool
    created: int
    locale: str = "en"


class Seat(msgspec.Struct, frozen=True):
    """One seat of a finished match, named as at its end.

    player: None for a bot, then `bot` is its level. score, place: None if the match was voided.
    """

    name: str
    player: str | None = None
    bot: str | None = None
    score: int | None = None
    place: int | None = None


class Match(msgspec.Struct, frozen=True):
    """A finished match. id: given out once, when the match began; seats: in table order."""

    id: str
    table: str
    game: str
    ruleset: str
    started: int
    ended: int
    seats: list[Seat]
    rated: bool = False
    voided: bool = False


class StoreError(Exception):
    """The store cannot do it; the message says why."""


class StoreUnavailable(StoreError):
    """The database is away, locked or full: nothing was done, or it is not known to be done."""


class NameTaken(StoreError):
    """Another player's name is the same, or looks the same."""
