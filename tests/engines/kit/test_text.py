from __future__ import annotations

import pytest

from engines.kit.text import Catalog, Listener
from engines.peeper.text import PeeperText

CATALOG = Catalog(en={"hi": "Hello {name}", "bye": "Bye"}, ko={"hi": "안녕 {name}"})


def test_a_sentence_is_in_its_language_or_else_in_english() -> None:
    assert CATALOG("ko", "hi", name="Bo") == "안녕 Bo"
    assert CATALOG("fr", "bye") == "Bye"
    assert CATALOG.has("bye")
    assert not CATALOG.has("no")


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        CATALOG("en", "no")


def test_the_listener_himself_is_you() -> None:
    text = PeeperText()
    listener = Listener("en", ("Ann", "Bo"), 1)
    assert [text.who(seat, listener) for seat in (0, 1)] == ["Ann", "You"]
