from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import inspect

from engines.kit.fuzz import random_action, random_options, random_value
from engines.kit.stream import Stream
from engines.kit.violations import tag
from engines.peeper import GAME


def test_random_actions_are_of_every_type_and_well_formed() -> None:
    stream = Stream(b"k", "fuzz")
    pieces = tuple(dict.fromkeys(GAME.pieces(GAME.options())))
    drawn = [random_action(GAME, pieces, stream) for _ in range(200)]
    actions = [action for action in drawn if action is not None]
    assert {tag(action) for action in actions} == {"play", "pass", "mine", "return", "decline"}
    for action in actions:
        encoded = msgspec.json.encode(action)
        assert msgspec.json.decode(encoded, type=GAME.actions) == action


def test_random_options_keep_what_a_ruleset_fixes() -> None:
    stream = Stream(b"k", "fuzz")
    seen = [random_options(GAME, stream) for _ in range(200)]
    assert {ruleset for ruleset, _ in seen} == {"standard", "ibc"}
    assert {options.rounds for _, options in seen} > {1, 5}
    assert not any(options.wild_mine for ruleset, options in seen if ruleset == "ibc")


@pytest.mark.parametrize(
    "kind", [int, bool, str, list[str], tuple[int, str], tuple[int, ...], int | None]
)
def test_random_values_have_their_type(kind: Any) -> None:
    stream = Stream(b"k", "fuzz")
    for _ in range(20):
        value = random_value(inspect.type_info(kind), ("a", "b"), stream)
        assert msgspec.convert(value, kind) is not None or value is None


def test_a_type_that_no_action_has_is_an_error() -> None:
    with pytest.raises(TypeError):
        random_value(inspect.type_info(bytes), (), Stream(b"k", "fuzz"))
