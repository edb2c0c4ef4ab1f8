"""Tests of server/text/catalog.py and the catalogs: complete, natural where it can be checked."""

from __future__ import annotations

import ast
import inspect
import re
from types import ModuleType

import pytest

from engines.chamsaejak import GAME as CHAMSAEJAK
from engines.kit.conformance import placeholders
from engines.kit.text import LOCALES
from protocol.codes import ERRORS
from server.core import inputs, play, presence, requests, seating
from server.text.catalog import CATALOG, kind_name, kind_names, span


def rules_of(module: ModuleType) -> set[str]:
    """The sentence keys of every `Denied(code, rule)` that a module raises with constants."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Denied":
            words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            if words:
                found.add(str(words[1] if len(words) > 1 else words[0]))
    return found


def test_every_language_has_every_sentence_with_the_same_parameters() -> None:
    languages = CATALOG.languages
    assert set(languages) == set(LOCALES)
    for locale, catalog in languages.items():
        assert list(catalog) == list(languages["en"]), locale
        for key, template in catalog.items():
            assert template.strip(), (locale, key)
            assert placeholders(template) == placeholders(languages["en"][key]), (locale, key)


@pytest.mark.parametrize("module", [play, presence, seating, requests, inputs])
def test_every_refusal_of_the_core_has_a_sentence(module: ModuleType) -> None:
    rules = rules_of(module)
    assert rules
    for rule in rules:
        assert CATALOG.has(f"refusal.{rule}"), rule


def test_every_error_code_of_the_wire_has_a_sentence() -> None:
    for code in ERRORS:
        assert CATALOG.has(f"refusal.{code}"), code


def test_no_korean_particle_follows_a_name_or_a_word_that_is_filled_in() -> None:
    particle = re.compile(r"\{\w+\}(은|는|이|가|을|를|과|와|으로|로|아|야|이나|나)(?![가-힣])")
    for key, template in CATALOG.languages["ko"].items():
        assert not particle.search(template), key


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, ("0 seconds", "0초", "0秒")),
        (830, ("0.8 seconds", "0.8초", "0.8秒")),
        (1000, ("1 second", "1초", "1秒")),
        (3000, ("3 seconds", "3초", "3秒")),
        (9960, ("10 seconds", "10초", "10秒")),
        (20_400, ("20 seconds", "20초", "20秒")),
        (59_600, ("60 seconds", "60초", "60秒")),
        (60_000, ("1 min 0 s", "1분 0초", "1分0秒")),
        (305_000, ("5 min 5 s", "5분 5초", "5分5秒")),
    ],
)
def test_a_span_is_spoken_as_people_say_it(ms: int, said: tuple[str, str, str]) -> None:
    assert tuple(span(ms, locale) for locale in ("en", "ko", "ja")) == said


def test_a_claim_is_called_by_the_players_own_word() -> None:
    assert [kind_name("ron", CHAMSAEJAK, locale) for locale in ("en", "ko", "ja")] == [
        "ron",
        "론",
        "ロン",
    ]
    assert kind_name("ron", None, "ko") == "ron"
    assert kind_name("unheard", CHAMSAEJAK, "ko") == "unheard"
    assert kind_names(("ron", "decline"), CHAMSAEJAK, "ko") == "론, 넘기기"
