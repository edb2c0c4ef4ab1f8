"""Sentences: what is said of a game, in the listener's language, from the listener's seat.

A game's catalogs are plain keyed templates for `str.format`, one dict a language, with the same keys in
every language; Korean templates avoid particles that depend on a name's last consonant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

LOCALES = ("en", "ko", "ja")
Priority = Literal["high", "normal", "low"]


class Sentence(msgspec.Struct, frozen=True):
    """One spoken sentence. about: the event type or topic that it tells of."""

    text: str
    priority: Priority = "normal"
    about: str = ""


class Listener(msgspec.Struct, frozen=True):
    """Whom a sentence is for. names: one a seat, in table order. seat: None for a spectator."""

    locale: str
    names: tuple[str, ...]
    seat: int | None = None


class Catalog:
    """Keyed templates in every language.

    A missing language falls back to English; a missing key raises KeyError, which the completeness
    test of every game rules out.
    """

    def __init__(self, **languages: Mapping[str, str]) -> None:
        self.languages = languages

    def __call__(self, locale: str, key: str, **params: Any) -> str:
        """The sentence of this key with the params filled in."""
        return self.languages.get(locale, self.languages["en"])[key].format(**params)

    def has(self, key: str) -> bool:
        """Whether there is a template of this key."""
        return key in self.languages["en"]


class Text(ABC):
    """What a game can say. Every method is pure."""

    catalog: Catalog
    words: Mapping[str, Mapping[str, str]]
    """By language: what a player may type -> a canonical token: an action type (`pass`, `mine`), a
    topic of `ask` (`hand`, `table`, `turn`, `counts`, `last`, `clock`, `legal`, `score`), a piece or
    another value of an action's fields. English words hold in every language."""

    @abstractmethod
    def title(self, locale: str) -> str:
        """The game's name."""

    @abstractmethod
    def piece(self, piece: str, locale: str) -> str:
        """How a piece is spoken, e.g. `빨간 1`."""

    @abstractmethod
    def action(self, action: Any, locale: str) -> str:
        """A legal action in a few words, e.g. `5 pair`."""

    @abstractmethod
    def event(self, event: Any, listener: Listener, view: Any) -> Sentence | None:
        """What happened, or None where an event needs no sentence of its own. The event is redacted
        for the listener; the view is the listener's, after all events of the frame."""

    @abstractmethod
    def request(
        self, kind: str, can: bool | None, view: Any, listener: Listener
    ) -> Sentence | None:
        """What a seat is asked: high priority for its turn and for a window that it can answer
        (`can`); None or low where it can only decline."""

    @abstractmethod
    def ask(self, what: str, view: Any, listener: Listener) -> str:
        """The answer to `hand`, `table`, `turn`, `counts`, `last` or `score` from the view alone.
        Raises KeyError for another topic (`clock` and `legal` are the table's)."""

    def refusal(self, rule: str, params: Mapping[str, Any], locale: str) -> str:
        """The sentence that names the rule broken."""
        return self.catalog(locale, f"refusal.{rule}", **params)

    def pieces(self, pieces: Sequence[str], locale: str) -> str:
        """Several pieces, in their order."""
        return ", ".join(self.piece(p, locale) for p in pieces)

    def who(self, seat: int, listener: Listener, key: str = "you") -> str:
        """`you` in the listener's language, or the name of the seat."""
        return self.catalog(listener.locale, key) if seat == listener.seat else listener.names[seat]
