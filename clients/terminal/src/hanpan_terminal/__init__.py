"""Play at Hanpan tables line by line: made to be heard, on the SDK alone."""

from hanpan_terminal.main import main, play, run
from hanpan_terminal.options import Options

__all__ = ["Options", "main", "play", "run"]
