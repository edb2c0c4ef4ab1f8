"""Tests of server/store/guests.py: every made-up name keeps the name rules."""

from __future__ import annotations

import pytest

from server.core.names import clean_name, skeleton
from server.store.guests import WORDS, name


@pytest.mark.parametrize("locale", sorted(WORDS))
def test_every_pair_of_words_is_a_clean_name_of_its_own(locale: str) -> None:
    likes, animals = WORDS[locale]
    gap = "" if locale == "ja" else " "
    names = [like + gap + animal for like in likes for animal in animals]
    assert [clean_name(each + " 1000001") for each in names] == [
        each + " 1000001" for each in names
    ]
    assert len({skeleton(each) for each in names}) == len(names) >= 200


@pytest.mark.parametrize("attempt", range(12))
def test_further_attempts_have_a_number(attempt: int) -> None:
    made = name("ko", attempt)
    assert made[-1].isdigit() == (attempt > 0)
    assert clean_name(made) == made


def test_an_unknown_language_is_english() -> None:
    likes, _ = WORDS["en"]
    assert name("fr").split()[0] in likes
