"""Sentences of the table's own events, from the listener's seat."""

from __future__ import annotations

from typing import Any

from engines.kit.registry import AnyGame
from engines.kit.text import Listener, Priority, Sentence
from server.core import events as ev
from server.text.catalog import CATALOG, kind_name, kind_names, span

Said = tuple[str, Priority]
SHORT_MS = 1_000
"""A shorter stall moves the clocks, but nobody needs to hear of it."""


def event_sentence(event: Any, listener: Listener, game: AnyGame | None = None) -> Sentence | None:
    """What happened at the table; None for another's event and for a stall too short to
    be noticed.

    game: names the claims in its players' words.
    """
    if not isinstance(event, ev.TableEvent):
        return None
    if isinstance(event, ev.Delayed) and event.ms < SHORT_MS and not event.resumed:
        return None
    text, priority = _say(event, listener, game)
    return Sentence(text, priority, str(type(event).__struct_config__.tag))


def _say(event: ev.TableEvent, listener: Listener, game: AnyGame | None) -> Said:
    locale = listener.locale
    match event:
        case ev.WindowOpened():
            kinds = kind_names(event.kinds, game, locale)
            time = span(event.claim_ms, locale)
            return CATALOG(locale, f"window_opened.{event.ends}", kinds=kinds, time=time), "low"
        case ev.WindowClosed():
            return _closed(event, listener, game)
        case ev.TurnDropped():
            return CATALOG(locale, "turn_dropped"), "high"
        case ev.ClaimDropped():
            return CATALOG(locale, "claim_dropped"), "high"
        case ev.ClockLow():
            return CATALOG(locale, "clock_low", time=span(event.left_ms, locale)), "high"
        case ev.TimedOut():
            return _of(listener, event.seat, "timed_out"), "normal"
        case ev.Delayed():
            key = "delayed.resumed" if event.resumed else "delayed"
            return CATALOG(locale, key, time=span(event.ms, locale)), "normal"
        case ev.MatchStarted():
            key = "match_started.again" if event.number > 1 else "match_started"
            return CATALOG(locale, key, number=event.number), "normal"
        case ev.MatchEnded():
            return _ended(event, listener), "normal"
        case ev.MatchVoided():
            key = "match_voided.version" if event.why == "version" else "match_voided"
            return CATALOG(locale, key), "high"
        case _:
            return _about_seat(event, listener), "normal"


def _about_seat(event: ev.TableEvent, listener: Listener) -> str:
    match event:
        case ev.Seated(bot=True):
            return CATALOG(listener.locale, "seated.bot", name=event.name)
        case ev.Seated():
            return _of(listener, event.seat, "seated", name=event.name)
        case ev.Stood():
            return _of(listener, event.seat, "stood", name=event.name)
        case ev.IsReady():
            return _of(listener, event.seat, "ready" if event.ready else "ready.not")
        case ev.Away():
            time = span(event.policy_in_ms, listener.locale)
            return _of(listener, event.seat, f"away.{event.policy}", time=time)
        case ev.PolicyApplied():
            return _of(listener, event.seat, f"policy.{event.policy}")
        case ev.Back():
            return _of(listener, event.seat, "back")
        case ev.Left():
            return _of(listener, event.seat, "left")
        case ev.RematchAsked():
            return _of(listener, event.seat, "rematch_asked")
        case _:
            raise TypeError(f"the table has no sentence for {type(event).__name__}")


def _of(listener: Listener, seat: int, key: str, **params: Any) -> str:
    """The template for oneself or for another seat."""
    if seat == listener.seat:
        return CATALOG(listener.locale, f"{key}.you", **params)
    return CATALOG(listener.locale, key, who=listener.names[seat], **params)


def _who(listener: Listener, seat: int) -> str:
    return CATALOG(listener.locale, "you") if seat == listener.seat else listener.names[seat]


def _closed(event: ev.WindowClosed, listener: Listener, game: AnyGame | None) -> Said:
    locale = listener.locale
    if not event.claims:
        return CATALOG(locale, "window_closed"), "low"
    rows = [
        CATALOG(
            locale,
            f"claim.{claim.outcome}",
            who=_who(listener, claim.seat),
            kind=kind_name(claim.action, game, locale),
            time=span(claim.after_ms, locale),
        )
        for claim in event.claims
    ]
    text = CATALOG(locale, "window_closed.claims", rows=CATALOG(locale, "join").join(rows))
    return text, "normal"


def _ended(event: ev.MatchEnded, listener: Listener) -> str:
    locale = listener.locale
    join = CATALOG(locale, "join")
    order = sorted(range(len(event.places)), key=event.places.__getitem__)
    rows = [
        CATALOG(
            locale,
            "match_ended.row",
            place=event.places[seat],
            who=_who(listener, seat),
            score=event.scores[seat],
        )
        for seat in order
    ]
    text = CATALOG(locale, "match_ended", rows=join.join(rows))
    if event.forfeited:
        gone = join.join(_who(listener, seat) for seat in event.forfeited)
        text += " " + CATALOG(locale, "match_ended.forfeited", rows=gone)
    return text
