"""What passes the schema, and how it looks on the wire."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.cockroach_duel import GAME
from engines.cockroach_duel.messages import Accept, Attack, Attacked, Block, Challenge, Pass
from engines.kit.contract import OptionError


@pytest.mark.parametrize(
    ("wire", "action"),
    [
        (
            '{"type":"attack","claim":"rat","cards":["fly","rat"]}',
            Attack("rat", ("fly", "rat")),
        ),
        ('{"type":"block","claim":"bat","cards":["toad"]}', Block("bat", ("toad",))),
        ('{"type":"pass"}', Pass()),
        ('{"type":"accept"}', Accept()),
        ('{"type":"challenge"}', Challenge()),
        ('{"type":"attack","claim":"black","cards":[]}', Attack("black", ())),
    ],
)
def test_actions_on_the_wire(wire: str, action: Any) -> None:
    assert msgspec.json.decode(wire, type=GAME.actions) == action
    assert msgspec.json.encode(action).decode() == wire


@pytest.mark.parametrize(
    "wire",
    [
        '{"type":"attack","claim":"spider","cards":["fly"]}',
        '{"type":"attack","claim":"fly","cards":["wasp"]}',
        '{"type":"attack","claim":"fly"}',
        '{"type":"pass","why":"tired"}',
        '{"type":"draw"}',
    ],
)
def test_what_the_schema_forbids(wire: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=GAME.actions)


def test_hidden_cards_leave_no_field() -> None:
    assert msgspec.json.encode(Attacked(0, "fly", 2)) == (
        b'{"type":"attacked","seat":0,"claim":"fly","number":2}'
    )


@pytest.mark.parametrize(
    "given",
    [
        {"target": 0},
        {"target": 6},
        {"next_starter": "winner"},
        {"limit_block": 1},
        {"specials": True},
    ],
)
def test_options_out_of_range_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(given))):
        GAME.options(given=given)


def test_default_options() -> None:
    assert msgspec.to_builtins(GAME.options()) == {
        "next_starter": "alternate",
        "limit_block": False,
        "reveal_black": True,
        "cap_claim": False,
        "target": 3,
    }
