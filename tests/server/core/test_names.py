"""Tests of server/core/names.py: which names are refused, which look the same, what chat loses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.names import (
    MAX_LENGTH,
    SENTENCES,
    NameRefused,
    clean_chat,
    clean_name,
    skeleton,
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("민지", "민지"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("田中さくら", "田中さくら"),
        ("ヤマダー 3", "ヤマダー 3"),
        ("金민지", "金민지"),
        ("Ｋｉｍ", "Kim"),
        ("ﾊﾝﾊﾟﾝ", "ハンパン"),
        ("Zoë!", "Zoë!"),
        ("Zoe\u0308", "Zoë"),
        ("Иван-2", "Иван-2"),
        ("محمد", "محمد"),
        ("สมชาย", "สมชาย"),
        ("ab🐢", "ab🐢"),
    ],
)
def test_a_fair_name_is_kept_in_its_normal_form(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "name_letters"),
        ("김", "name_letters"),
        ("12345", "name_letters"),
        ("a1!", "name_letters"),
        ("🐢🐢🐢", "name_letters"),
        ("a" * (MAX_LENGTH + 1), "name_length"),
        ("\ufdfa\ufdfa", "name_length"),  # two characters whose normal form has 36
        ("Ann\n", "name_character"),
        ("Ann\x00Lee", "name_character"),
        ("Ann\u202eeel", "name_character"),
        ("Ann\u2066Lee", "name_character"),
        ("Ann\u200dLee", "name_character"),
        ("Ann\u00adLee", "name_character"),
        ("Ann\ufe0f", "name_character"),
        ("민지\u3164", "name_character"),
        ("민지\uffa0", "name_character"),
        ("Ann\U000e0041", "name_character"),
        ("Ann\ue000", "name_character"),
        ("Ann\ud800", "name_character"),
        ("Ann\u2028", "name_character"),
        ("Аnn", "name_scripts"),  # a Cyrillic capital
        ("민지Kim", "name_scripts"),
        ("さくら민지", "name_scripts"),
        ("Z\u0335\u0321\u0327oe", "name_marks"),
        ("e\u0301\u0302\u0303e", "name_marks"),
    ],
)
def test_a_name_is_refused_by_its_rule(text: str, key: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_name(text)
    assert refused.value.key == key
    assert str(refused.value) == SENTENCES["en"][key]


@given(st.text(max_size=40))
def test_a_clean_name_keeps_the_rules_and_stays_as_it_is(text: str) -> None:
    try:
        name = clean_name(text)
    except NameRefused:
        return  # which rule refuses what is the table above
    assert clean_name(name) == name
    assert unicodedata.normalize("NFKC", name) == name
    assert len(name) <= MAX_LENGTH
    assert name == name.strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "раураl"),  # partly Cyrillic
        ("IAN", "lAN"),
        ("Bob1", "Bobl"),
        ("Anna", "ANNA"),
        ("corner", "comer"),
        ("OK0", "OKO"),
        ("Zoë", "Zoe\u0308"),
    ],
)
def test_names_that_look_alike_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Hanna"), ("민지", "민자"), ("さくら", "さくう"), ("Ann 2", "Ann 3")],
)
def test_names_that_differ_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_normal_forms_never_change_a_skeleton(text: str) -> None:
    assert skeleton(unicodedata.normalize("NFC", text)) == skeleton(text)
    assert skeleton(unicodedata.normalize("NFD", text)) == skeleton(text)


def test_every_language_has_every_sentence() -> None:
    assert set(SENTENCES) == {"en", "ko", "ja"}
    assert all(set(sentences) == set(SENTENCES["en"]) for sentences in SENTENCES.values())


@pytest.mark.parametrize(
    ("text", "chat"),
    [
        ("안녕하세요!", "안녕하세요!"),
        ("one\ntwo\tthree", "one two three"),
        ("a\u2028b\x85c", "a bc"),
        ("\x07bell\x00", "bell"),
        ("abc\u202edef\u2069", "abcdef"),
        ("👩\u200d👧", "👩\u200d👧"),
        (" \n ", ""),
    ],
)
def test_chat_loses_controls_and_direction(text: str, chat: str) -> None:
    assert clean_chat(text) == chat


@given(st.text(max_size=60))
def test_clean_chat_has_no_control_and_stays_as_it_is(text: str) -> None:
    chat = clean_chat(text)
    assert clean_chat(chat) == chat
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in chat)
    assert not any(
        unicodedata.bidirectional(char) in ("RLO", "LRO", "RLE", "LRE", "PDF") for char in chat
    )
