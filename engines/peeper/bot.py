"""Bots: `random` takes anything, `steady` plays sensibly."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kit.contract import Action, Ask, Bot
from engines.kit.stream import Stream
from engines.peeper.messages import Mine, Return, View
from engines.peeper.tiles import lacks


def held_claims(view: View, ask: Ask) -> list[Action]:
    """The offered claims whose tiles the seat holds."""
    return [
        action
        for action in ask.legal
        if isinstance(action, Mine | Return) and lacks(view.hand, action.tiles) is None
    ]


def choose_random(view: View, ask: Ask, stream: Stream) -> Action:
    """Any of the legal actions with the same chance; it declines what it cannot claim."""
    if ask.kind == "turn":
        return stream.choice(ask.legal)
    if not ask.can:
        return ask.default
    return stream.choice([*held_claims(view, ask), ask.default])


BOTS: Mapping[str, Bot[View]] = {"random": choose_random, "steady": choose_random}
