"""The table's catalog, and the few words that all its sentences share."""

from __future__ import annotations

from typing import Final

from engines.kit.registry import AnyGame
from engines.kit.text import Catalog
from server.text import en, ja, ko

CATALOG: Final = Catalog(en=en.SENTENCES, ko=ko.SENTENCES, ja=ja.SENTENCES)


def span(ms: int, locale: str) -> str:
    """A length of time as it is spoken: tenths of a second below ten seconds, minutes from one on."""
    if ms >= 60_000:
        minutes, rest = divmod(round(ms / 1000), 60)
        return CATALOG(locale, "minutes", m=minutes, n=rest)
    number = f"{ms / 1000:.1f}".removesuffix(".0") if ms < 10_000 else str(round(ms / 1000))
    return CATALOG(locale, "second" if number == "1" else "seconds", n=number)


def kind_name(kind: str, game: AnyGame | None, locale: str) -> str:
    """What players of the game call an action type: the first word of their own language for it."""
    if game is None:
        return kind
    words = game.text.words
    native = words.get(locale, {})
    english = words.get("en", {})
    named = [word for word, token in native.items() if token == kind]
    own = [word for word in named if word not in english]
    return (own or named or [kind])[0]


def kind_names(kinds: tuple[str, ...], game: AnyGame | None, locale: str) -> str:
    """Several action types, in their order."""
    return CATALOG(locale, "join").join(kind_name(kind, game, locale) for kind in kinds)
