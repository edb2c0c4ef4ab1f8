"""What the table itself says, in English, Korean and Japanese; a game's sentences live with the game."""

from server.text.answers import (
    clock_answer,
    code_sentence,
    legal_answer,
    refusal,
    request_sentence,
)
from server.text.catalog import CATALOG, kind_name, span
from server.text.events import event_sentence

__all__ = [
    "CATALOG",
    "clock_answer",
    "code_sentence",
    "event_sentence",
    "kind_name",
    "legal_answer",
    "refusal",
    "request_sentence",
    "span",
]
