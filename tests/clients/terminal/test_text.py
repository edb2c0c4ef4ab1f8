"""The terminal's own sentences and words."""

from __future__ import annotations

import string

import pytest

from hanpan_terminal.text import COMMANDS, LOCALES, TEXTS, Phrases, system_locale


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_has_every_sentence_with_the_same_fields(locale: str) -> None:
    assert TEXTS[locale].keys() == TEXTS["en"].keys()
    for key, text in TEXTS[locale].items():
        assert fields(text) == fields(TEXTS["en"][key]), key


@pytest.mark.parametrize("locale", LOCALES)
def test_every_command_has_a_word_in_every_language(locale: str) -> None:
    assert set(COMMANDS[locale].values()) == set(COMMANDS["en"].values())


def test_english_words_hold_in_every_language() -> None:
    assert Phrases("ko").command("QUIT") == "quit"
    assert Phrases("ko").command("나가기") == "quit"
    assert Phrases("en").command("나가기") is None
    assert Phrases("fr")("bye") == "Bye."


def test_no_particle_follows_a_name() -> None:
    for key, text in TEXTS["ko"].items():
        for name, rest in after_fields(text):
            assert not rest[:1] or not "가" <= rest[0] <= "힣" or name in ("seats", "taken"), key


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "ko_KR.UTF-8"}, "ja"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], locale: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_locale() == locale


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def after_fields(text: str) -> list[tuple[str, str]]:
    parts = list(string.Formatter().parse(text))
    return [(name or "", parts[i + 1][0] if i + 1 < len(parts) else "")
            for i, (_, name, _, _) in enumerate(parts)]  # fmt: skip
