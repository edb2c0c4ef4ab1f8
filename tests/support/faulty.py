"""A game package whose engine raises: Echo, but whoever lays a 4 brings it down, with all hands in the error."""

from __future__ import annotations

from engines.kit.contract import Action, Event
from engines.kit.dealer import Dealer
from tests.games.echo.game import Echo, Match


class Faulty(Echo):
    """Echo with a fault."""

    name = "faulty"

    def apply(self, state: Match, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """As Echo's, or KeyError."""
        if getattr(action, "card", None) == "4":
            raise KeyError(f"secret hands {state.hands}")
        return super().apply(state, seat, action, dealer)


GAME = Faulty()
