"""Echo, a tiny card game with a claim window: the smallest thing that is a whole game."""

from tests.games.echo.game import Echo

GAME = Echo()

__all__ = ["GAME"]
