"""Chamsae-jak, a small mahjong for 2 to 5 players."""

from engines.chamsaejak.game import Chamsaejak

GAME = Chamsaejak()

__all__ = ["GAME"]
