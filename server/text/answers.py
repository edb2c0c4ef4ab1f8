"""Sentences of refusals, of what a seat is asked, and of the table's own answers to `ask`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.kit.contract import Decline
from engines.kit.registry import AnyGame
from engines.kit.text import Listener, Sentence
from server.core.frames import ClockPart, RequestPart
from server.core.refusals import Denied
from server.text.catalog import CATALOG, kind_names, span


def refusal(denied: Denied, game: AnyGame | None, locale: str) -> str:
    """The sentence of a refusal: the game's where it names a rule of the game, else the table's."""
    if denied.game and game is not None:
        return game.text.refusal(denied.rule, denied.params, locale)
    key = f"refusal.{denied.rule}"
    return CATALOG(locale, key if CATALOG.has(key) else f"refusal.{denied.code}", **denied.params)


def code_sentence(code: str, locale: str) -> str:
    """The sentence of an error code of the wire that the table did not make."""
    return CATALOG(locale, f"refusal.{code}")


def request_sentence(
    part: RequestPart, view: Any, listener: Listener, game: AnyGame
) -> Sentence | None:
    """What a seat is asked; None for a window in which it can only decline and for a held turn."""
    if part.held is not None:
        return None
    can = None if part.can is None else bool(part.can)
    if part.kind == "claim" and not can:
        return game.text.request("claim", can, view, listener)
    said = game.text.request(part.kind, can, view, listener)
    if said is not None:
        return said
    text = CATALOG(
        listener.locale, f"request.{part.kind}", kinds=_kinds(part, game, listener.locale)
    )
    return Sentence(text, "high", part.kind)


def clock_answer(clock: ClockPart | None, listener: Listener) -> str:
    """The answer to `clock`."""
    locale = listener.locale
    if clock is None:
        return CATALOG(locale, "ask.clock.none")
    key = "ask.clock" if clock.running else "ask.clock.waits"
    times = {"time": span(clock.left_ms, locale), "bank": span(clock.bank_ms, locale)}
    if clock.seat == listener.seat:
        return CATALOG(locale, f"{key}.you", **times)
    return CATALOG(locale, key, who=listener.names[clock.seat], **times)


def legal_answer(parts: Sequence[RequestPart], game: AnyGame, locale: str) -> str:
    """The answer to `legal`: what each open request of the seat allows."""
    said = [_legal(part, game, locale) for part in parts]
    return " ".join(said) or CATALOG(locale, "ask.legal.none")


def _legal(part: RequestPart, game: AnyGame, locale: str) -> str:
    if part.kind == "claim":
        if not part.can:
            return CATALOG(locale, "ask.legal.decline")
        return CATALOG(locale, "ask.legal.claim", kinds=_kinds(part, game, locale))
    actions = CATALOG(locale, "join").join(
        game.text.action(action, locale) for action in part.legal
    )
    return CATALOG(locale, "ask.legal.more" if part.more else "ask.legal", actions=actions)


def _kinds(part: RequestPart, game: AnyGame, locale: str) -> str:
    tags = [str(a.__struct_config__.tag) for a in part.legal if not isinstance(a, Decline)]
    return kind_names(tuple(dict.fromkeys(tags)), game, locale)
