"""What is said of Chamsae-jak, in English, Korean and Japanese."""

from engines.chamsaejak.text.sentences import ChamsaejakText

__all__ = ["ChamsaejakText"]
