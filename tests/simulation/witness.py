"""What crossed the lines, written down to be judged afterwards."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.simulation.loop import Loop
from tests.simulation.network import Link


class Line(NamedTuple):
    """One frame of one line. way: `sent` by the server, `read` by it, or `got` by the client."""

    at: float
    way: str
    link: Link
    payload: bytes


class Witness:
    """Every frame in the order in which it was seen. notes: what was found wrong at once."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.lines: list[Line] = []
        self.notes: list[str] = []
        self.story: list[tuple[float, str, str]] = []

    def sent(self, link: Link, payload: bytes) -> None:
        """The server handed a frame to the line."""
        self.lines.append(Line(self._loop.time(), "sent", link, payload))

    def read(self, link: Link, payload: bytes) -> None:
        """The server read a frame."""
        self.lines.append(Line(self._loop.time(), "read", link, payload))

    def got(self, link: Link, payload: bytes) -> None:
        """The client got a frame."""
        self.lines.append(Line(self._loop.time(), "got", link, payload))

    def wrong(self, what: str, **facts: Any) -> None:
        """Note a violation."""
        told = " ".join(f"{key}={value!r}" for key, value in facts.items())
        self.notes.append(f"{self._loop.time():.3f} {what} {told}".rstrip())

    def said(self, who: str, error: Exception) -> None:
        """A person met an error of the SDK."""
        self.story.append((self._loop.time(), who, repr(error)))

    def trouble(self, kind: str) -> None:
        """A fault strikes."""
        self.story.append((self._loop.time(), "fault", kind))
