"""Pepper: the package's game."""

from engines.pepper.game import Pepper

GAME = Pepper()
