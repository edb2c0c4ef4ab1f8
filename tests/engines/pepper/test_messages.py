"""What passes the schema, and how it looks on the wire."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.kit.contract import OptionError
from engines.pepper import GAME
from engines.pepper.messages import BidMade, Call, MakeBid, NameTrump, Pass, Play, TrumpNamed


@pytest.mark.parametrize(
    ("wire", "action"),
    [
        ('{"type":"bid","bid":3}', MakeBid(3)),
        ('{"type":"bid","bid":-2}', MakeBid(-2)),
        ('{"type":"bid","bid":99999999999999999999}', MakeBid(99999999999999999999)),
        ('{"type":"bid","bid":"small"}', MakeBid("small")),
        ('{"type":"bid","bid":"big"}', MakeBid("big")),
        ('{"type":"pass"}', Pass()),
        ('{"type":"trump","suit":"H"}', NameTrump("H")),
        ('{"type":"trump","suit":null}', NameTrump(None)),
        ('{"type":"play","card":"10S"}', Play("10S")),
    ],
)
def test_actions_on_the_wire(wire: str, action: Any) -> None:
    assert msgspec.json.decode(wire, type=GAME.actions) == action
    assert msgspec.json.encode(action).decode() == wire


@pytest.mark.parametrize(
    "wire",
    [
        '{"type":"trump"}',
        '{"type":"trump","suit":"none"}',
        '{"type":"trump","suit":"X"}',
        '{"type":"bid"}',
        '{"type":"bid","bid":null}',
        '{"type":"bid","bid":true}',
        '{"type":"bid","bid":2.5}',
        '{"type":"bid","bid":"medium"}',
        '{"type":"play","card":"8C"}',
        '{"type":"play","card":"H9"}',
        '{"type":"play","card":"9C","from":1}',
        '{"type":"decline"}',
    ],
)
def test_what_the_schema_forbids(wire: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=GAME.actions)


def test_events_write_what_they_must() -> None:
    assert msgspec.json.encode(TrumpNamed(2, None)) == (
        b'{"type":"trump_named","seat":2,"suit":null}'
    )
    assert msgspec.json.encode(BidMade(1, "big")) == b'{"type":"bid_made","seat":1,"bid":"big"}'
    assert msgspec.json.encode(Call(1)) == b'{"seat":1}'


@pytest.mark.parametrize(
    "given", [{"target": 0}, {"target": 101}, {"all_pass": "redeal"}, {"pass_locks_out": "no"}]
)
def test_options_out_of_range_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(given))):
        GAME.options(given=given)


def test_default_options() -> None:
    assert msgspec.to_builtins(GAME.options()) == {
        "target": 30,
        "all_pass": "next_dealer",
        "pass_locks_out": False,
    }
