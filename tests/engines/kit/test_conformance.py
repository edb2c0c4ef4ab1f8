from __future__ import annotations

from typing import Any

import pytest

from engines.kit.conformance import (
    check_catalog,
    check_deck,
    check_game,
    check_statics,
    placeholders,
)
from engines.kit.contract import Event
from engines.kit.dealer import Dealer
from engines.kit.text import Catalog
from engines.kit.violations import Violation
from engines.peeper.game import Peeper
from engines.peeper.state import State
from engines.peeper.text import PeeperText, en, ja, ko


def with_korean(**changed: str | None) -> Peeper:
    """Peeper with some Korean sentences changed, or taken away."""
    korean = {key: text for key, text in {**ko.SENTENCES, **changed}.items() if text is not None}
    game = Peeper()
    game.text = PeeperText()
    game.text.catalog = Catalog(en=en.SENTENCES, ko=korean, ja=ja.SENTENCES)
    return game


def test_placeholders_of_a_template() -> None:
    assert placeholders("{who}: {left} left") == {"who", "left"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pass": None}, "keys that ko or en lacks"),
        ({"pass": " "}, "empty sentence"),
        ({"did": "{who}."}, "parameters of did"),
    ],
)
def test_a_gap_in_a_catalog_is_found(changed: dict[str, str | None], message: str) -> None:
    with pytest.raises(Violation, match=message):
        check_catalog(with_korean(**changed))


def test_orders_that_nobody_knows_must_be_refused() -> None:
    class TakesAnyOrder(Peeper):
        def check_orders(self, orders: Any) -> None:
            return None

    with pytest.raises(Violation, match="standing orders"):
        check_statics(TakesAnyOrder())


def test_an_explicit_deck_must_be_followed() -> None:
    class ShufflesAgain(Peeper):
        def start(self, options: Any, seats: int, dealer: Dealer) -> tuple[State, list[Event]]:
            return super().start(options, seats, Dealer(dealer.key))

    check_deck(Peeper(), b"one key")
    with pytest.raises(Violation, match="explicit deck"):
        check_deck(ShufflesAgain(), b"one key")


def test_the_whole_suite_counts_its_matches() -> None:
    report = check_game(Peeper(), 2)
    assert report.matches == 2
    assert report.different_worlds > 0
