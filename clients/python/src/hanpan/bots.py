"""Ways to choose an answer that need no rules."""

from __future__ import annotations

import random

from hanpan.requests import Action, Request


def default(request: Request) -> Action:
    """What a time-out would take."""
    return request.default


class Random:
    """Any legal action whose pieces are held; a claim only now and then.

    seed: the same seed chooses alike. claims: how often a claim that can be made is made, 0 to 1.
    """

    def __init__(self, seed: int | None = None, claims: float = 0.5) -> None:
        self._chance = random.Random(seed)
        self._claims = claims

    def __call__(self, request: Request) -> Action:
        """The answer to this request."""
        if request.kind == "claim" and not (request.can and self._chance.random() < self._claims):
            return request.default
        choices = request.playable or [request.default]
        return self._chance.choice(choices)
