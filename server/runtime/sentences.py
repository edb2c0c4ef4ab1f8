"""Spoken sentences, put to a frame at the edge: the core and the log know no language."""

from __future__ import annotations

from typing import Any

from engines.kit.contract import Event
from engines.kit.text import LOCALES, Listener, Sentence
from protocol.codec import encoder
from protocol.server import Say
from server import text
from server.core.frames import Frame
from server.core.refusals import Denied
from server.core.table import Table
from server.runtime.parts import Sayer


def language(locale: str) -> str:
    """The language of a locale that we speak; English for any other."""
    short = locale.split("-")[0].lower()
    return short if short in LOCALES else "en"


def listener(table: Table, seat: int | None, locale: str) -> Listener:
    """Whom a sentence is for, with the names of all seats."""
    names = tuple(seat.name or f"#{i + 1}" for i, seat in enumerate(table.state.seats))
    return Listener(locale, names, seat)


class Sentences:
    """Makes the sentences of frames, answers and refusals."""

    def of(self, table: Table, index: int) -> Sayer:
        """What renders the sentences of the frames of one stream."""
        seat = index if index < len(table.state.seats) else None

        def sayer(frame: Frame, locale: str) -> bytes:
            found = self.frame(table, seat, frame, locale)
            return encoder.encode(found) if found else b""

        return sayer

    def frame(self, table: Table, seat: int | None, frame: Frame, locale: str) -> list[Say]:
        """Everything that a frame says to a listener, in order: what happened, then what is asked."""
        who = listener(table, seat, locale)
        view = frame.view
        if view is None and table.engine is not None:
            view = table.game.view(table.engine, seat)
        found = []
        for event in frame.events:
            found.append(self.event(table, event, who, view))
        for part in frame.requests or ():
            found.append(text.request_sentence(part, view, who, table.game))
        return [say(sentence) for sentence in found if sentence is not None]

    def event(self, table: Table, event: Any, who: Listener, view: Any) -> Sentence | None:
        """One event's sentence: the game's own events by its catalog, the table's by ours."""
        if isinstance(event, Event):
            return table.game.text.event(event, who, view)
        return text.event_sentence(event, who, table.game)

    def refusal(self, table: Table | None, denied: Denied, locale: str) -> str:
        """The sentence of a refusal; it names the rule."""
        game = table.game if table is not None else None
        return text.refusal(denied, game, language(locale))


def say(sentence: Sentence) -> Say:
    """A sentence as on the wire."""
    return Say(text=sentence.text, priority=sentence.priority, about=sentence.about)
