from __future__ import annotations

import msgspec
import pytest

from engines.kit.dealer import Dealer, DeckError

KEY = b"k" * 32
PIECES = ("a", "a", "b", "c")


def test_explicit_decks_come_first_and_then_shuffles() -> None:
    dealer = Dealer(KEY, [["c", "b", "a", "a"]])
    assert dealer.deck(PIECES) == ["c", "b", "a", "a"]
    assert dealer.deck(PIECES) == [*_second_deck()]
    assert dealer.deals == 2


def _second_deck() -> list[str]:
    plain = Dealer(KEY)
    plain.deck(PIECES)
    return plain.deck(PIECES)


def test_a_deck_that_is_no_full_set_is_refused_by_name() -> None:
    dealer = Dealer(KEY, [["a", "b", "b", "c"]])
    with pytest.raises(DeckError, match=r"decks\[0\].*missing a; unknown or too many: b"):
        dealer.deck(PIECES)
    assert dealer.deals == 0


def test_first_wins_every_lot_that_it_takes_part_in() -> None:
    dealer = Dealer(KEY, first=2)
    assert [dealer.lot([0, 2, 3]) for _ in range(5)] == [2] * 5
    assert dealer.draws == 0
    assert dealer.lot([0, 1]) in (0, 1)
    assert dealer.draws == 1


def test_lots_fall_on_everybody() -> None:
    dealer = Dealer(KEY)
    assert {dealer.lot([1, 4]) for _ in range(40)} == {1, 4}


def test_a_decoded_dealer_goes_on_where_it_was() -> None:
    dealer = Dealer(KEY)
    dealer.deck(PIECES)
    dealer.draw(6)
    decoded = msgspec.json.decode(msgspec.json.encode(dealer), type=Dealer)
    assert decoded == dealer
    assert decoded.deck(PIECES) == dealer.deck(PIECES)
    assert [decoded.draw(100) for _ in range(5)] == [dealer.draw(100) for _ in range(5)]
