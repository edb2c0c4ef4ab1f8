"""Players of Echo."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engines.kit.contract import Action, Ask, Bot, Decline
from engines.kit.stream import Stream
from tests.games.echo.messages import EchoCard, Play, View


def random(view: View, ask: Ask, stream: Stream) -> Action:
    """Any action that the hand allows."""
    if ask.kind == "claim" and not ask.can:
        return Decline()
    return stream.choice(ask.legal)


def steady(view: View, ask: Ask, stream: Stream) -> Action:
    """Echoes what it can, and lays what it holds most of: nobody else can echo that often."""
    if ask.kind == "claim":
        echoes = [action for action in ask.legal if isinstance(action, EchoCard)]
        return echoes[0] if ask.can else Decline()
    held = Counter(view.hand)
    plays = [action for action in ask.legal if isinstance(action, Play)]
    return max(plays, key=lambda play: held[play.card], default=ask.default)


BOTS: Final[dict[str, Bot[View]]] = {"random": random, "steady": steady}
