"""Peeper: a game of tiles for two to six, made to be played by ear."""

from engines.peeper.game import Peeper

GAME = Peeper()
