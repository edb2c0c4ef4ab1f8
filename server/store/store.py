"""The store: what outlives a table, for the rest of the server to call."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from server.core.names import clean_name
from server.store import guests, matches, players
from server.store.database import Database
from server.store.models import Match, NameTaken, Player


def wall_ms() -> int:
    """Now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """Every call is one transaction, and raises StoreUnavailable when the database is away.

    url: `sqlite:///file` or `postgresql://…`. now: the clock, in ms since 1970.
    """

    def __init__(self, url: str, now: Callable[[], int] = wall_ms) -> None:
        self._database = Database(url)
        self._now = now

    async def start(self) -> None:
        """Open the database and bring it up to date. Raises StoreError with a sentence."""
        await self._database.start()

    async def stop(self) -> None:
        """Finish what is running and close it."""
        await self._database.stop()

    async def ready(self) -> None:
        """Ask the database for a sign of life. Raises StoreUnavailable."""
        await self._database.read(lambda connection: connection.exec_driver_sql("SELECT 1").close())

    async def guest(self, name: str | None, locale: str) -> tuple[Player, str]:
        """A new guest and its token; without a name, one in the locale's language is made up.

        Raises NameRefused (server/core/names.py) and NameTaken.
        """
        if name is not None:
            try:
                return await self._guest(clean_name(name), locale)
            except IntegrityError as error:
                raise NameTaken("This name is taken, or looks like one that is.") from error
        for attempt in range(12):  # the last ones out of a million a pair of words
            with contextlib.suppress(IntegrityError):
                return await self._guest(guests.name(locale, attempt), locale)
        raise NameTaken("No free name was found.")

    async def _guest(self, name: str, locale: str) -> tuple[Player, str]:
        def work(connection: Connection) -> tuple[Player, str]:
            player = players.add(connection, name, True, locale, self._now())
            return player, players.add_token(connection, player.id, self._now())

        return await self._database.write(work)

    async def identify(self, token: str) -> Player | None:
        """The player whose token it is; None for an unknown or revoked one."""
        found = await self._database.read(lambda c: players.by_token(c, token))
        if found is None:
            return None
        player, last_used = found
        now = self._now()
        if now - last_used >= players.USED_MS:
            await self._database.write(lambda c: players.note_use(c, token, now))
        return player

    async def revoke(self, token: str) -> str | None:
        """Make the token worthless; the id of the player whose it was, else None."""
        # Guesses cost no write.
        if await self._database.read(lambda c: players.by_token(c, token)) is None:
            return None
        return await self._database.write(lambda c: players.revoke(c, token, self._now()))

    async def revoked(self, since: int) -> list[str]:
        """The players of whom a token was revoked at or after this time, in ms since 1970."""
        return await self._database.read(lambda c: players.revoked(c, since))

    async def player(self, player: str) -> Player | None:
        """The player of this id."""
        if not _may_be(player):
            return None
        return await self._database.read(lambda c: players.by_id(c, player))

    async def finish(self, match: Match, record: bytes, public: bytes | None = None) -> bool:
        """Store a finished match with its record(s); False if it was stored before, unchanged."""
        kinds = {"full": record} if public is None else {"full": record, "public": public}
        try:
            await self._database.write(lambda c: matches.add(c, match, kinds))
        except IntegrityError:
            if await self.match(match.id) is None:
                raise
            return False
        return True

    async def match(self, match: str) -> Match | None:
        """The match of this id."""
        if not _may_be(match):
            return None
        return await self._database.read(lambda c: matches.by_id(c, match))

    async def newest_of_table(self, table: str) -> Match | None:
        """The match that ended last at this table."""
        if not _may_be(table):
            return None
        return await self._database.read(lambda c: matches.newest_of_table(c, table))

    async def record(self, match: str, kind: str = "full") -> bytes | None:
        """A match's record (`full` or `public`), byte for byte as it was given."""
        if not _may_be(match):
            return None
        return await self._database.read(lambda c: matches.record(c, match, kind))

    async def matches(self, player: str, limit: int = 20) -> list[Match]:
        """The player's matches, the newest first."""
        if not _may_be(player):
            return []
        return await self._database.read(lambda c: matches.of_player(c, player, limit))


def _may_be(text: str) -> bool:
    """Whether it can be an id of ours; a database may choke on other text, such as a NUL."""
    return text.isascii() and text.isprintable()
