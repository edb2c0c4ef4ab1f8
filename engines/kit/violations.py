"""What conformance tests say: the error that names a broken promise, and what was gone through."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec


class Violation(AssertionError):
    """A game breaks the contract; the message says where, and the key that plays it again."""


class Report(msgspec.Struct):
    """What the checked matches went through.

    worlds: how many other worlds were tried, and how many of them differed from the real one.
    """

    matches: int = 0
    steps: int = 0
    actions: Counter[str] = msgspec.field(default_factory=Counter)
    events: Counter[str] = msgspec.field(default_factory=Counter)
    refusals: Counter[str] = msgspec.field(default_factory=Counter)
    worlds: int = 0
    different_worlds: int = 0


def tag(value: Any) -> str:
    """The `type` of an action or event on the wire."""
    found = type(value).__struct_config__.tag
    return str(found)


def as_json(value: Any) -> bytes:
    """A value as on the wire."""
    return msgspec.json.encode(value)


def need(holds: bool, message: str, *shown: Any) -> None:
    """Raise Violation with the message and what is shown unless it holds."""
    if not holds:
        raise Violation(": ".join([message, *(str(one) for one in shown)]))
