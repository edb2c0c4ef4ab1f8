"""The two kinds of answer to an input."""

from __future__ import annotations

from typing import Any

import msgspec


class Taken(msgspec.Struct, frozen=True, omit_defaults=True):
    """The input was taken. seq: the seat's stream number after it. held, sealed: not yet in effect."""

    seq: int = 0
    held: bool = False
    sealed: bool = False
    seat: int | None = None


class Denied(Exception):
    """The input was not taken and changed nothing.

    code: the wire's error code. rule: key of the sentence; of the game's catalog if `game`.
    """

    def __init__(
        self, code: str, rule: str | None = None, game: bool = False, **params: Any
    ) -> None:
        super().__init__(f"{code}: {rule or code}")
        self.code = code
        self.rule = rule or code
        self.game = game
        self.params = params
