"""Cockroach Duel: the package's game."""

from engines.cockroach_duel.game import Duel

GAME = Duel()
