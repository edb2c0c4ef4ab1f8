"""Requests with a `key` are carried out once: the answer is remembered for ten minutes."""

from __future__ import annotations

from typing import Any

from server.runtime.wall import Wall

KEEP_MS = 600_000


class Once:
    """Answers by player and key."""

    def __init__(self, wall: Wall) -> None:
        self._wall = wall
        self._answers: dict[tuple[str, str], tuple[int, Any]] = {}

    def get(self, player: str, key: str | None) -> Any | None:
        """The answer that this request got before."""
        if key is None:
            return None
        found = self._answers.get((player, key))
        return None if found is None else found[1]

    def put(self, player: str, key: str | None, answer: Any) -> None:
        """Remember an answer."""
        if key is not None:
            self._answers[player, key] = (self._wall.now(), answer)

    def forget(self, player: str, key: str | None) -> None:
        """The request was not carried out: a repeat may be."""
        if key is not None:
            self._answers.pop((player, key), None)

    def sweep(self) -> None:
        """Forget what is too old."""
        oldest = self._wall.now() - KEEP_MS
        if self._answers and next(iter(self._answers.values()))[0] < oldest:
            self._answers = {k: a for k, a in self._answers.items() if a[0] >= oldest}
