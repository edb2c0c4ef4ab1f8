"""A game package whose engine raises: Echo, but whoever lays the highest card of all hands brings it
down, with all hands in the error."""

from __future__ import annotations

from engines.kit.contract import Action, Event
from engines.kit.dealer import Dealer
from tests.games.echo.game import Echo, Match


class Faulty(Echo):
    """Echo with a fault."""

    name = "faulty"

    def apply(self, state: Match, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """As Echo's, or KeyError."""
        if getattr(action, "card", None) == max(card for hand in state.hands for card in hand):
            raise KeyError(f"secret hands {state.hands}")
        return super().apply(state, seat, action, dealer)


GAME = Faulty()
