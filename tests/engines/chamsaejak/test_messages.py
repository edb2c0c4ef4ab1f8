"""Options and actions as they come from outside."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.chamsaejak import GAME
from engines.chamsaejak.messages import DISCARDS, RON, TSUMO
from engines.kit.contract import Decline, OptionError


def test_defaults_are_the_rules() -> None:
    assert msgspec.to_builtins(GAME.options()) == {
        "rounds": 4,
        "tsumo_rounding": "nearest",
        "all_green_allows_red": False,
        "false_win": "refuse",
        "claim_ms": 2000,
    }


@pytest.mark.parametrize(
    "given",
    [
        {"rounds": 0},
        {"rounds": 5},
        {"rounds": "4"},
        {"tsumo_rounding": "down"},
        {"all_green_allows_red": 1},
        {"false_win": "ignore"},
        {"claim_ms": 499},
        {"claim_ms": 15_001},
        {"riichi": True},
    ],
)
def test_options_out_of_range_are_named(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(given))):
        GAME.options("standard", given)


@pytest.mark.parametrize("given", [{"rounds": 1}, {"claim_ms": 500}, {"claim_ms": 15_000}])
def test_options_at_their_limits(given: dict[str, Any]) -> None:
    assert msgspec.to_builtins(GAME.options("standard", given)).items() >= given.items()


def test_two_to_five_play() -> None:
    for seats in (2, 5):
        GAME.check_seats(seats)
    for seats in (1, 6):
        with pytest.raises(OptionError):
            GAME.check_seats(seats)


def test_actions_on_the_wire() -> None:
    def decode(text: str) -> Any:
        return msgspec.json.decode(text, type=GAME.actions)

    assert decode('{"type":"discard","tile":"3r"}') == DISCARDS["3r"]
    assert decode('{"type":"tsumo"}') == TSUMO
    assert decode('{"type":"ron"}') == RON
    assert decode('{"type":"decline"}') == Decline()


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"discard"}',
        '{"type":"discard","tile":"Fr"}',
        '{"type":"discard","tile":"0"}',
        '{"type":"discard","tile":5}',
        '{"type":"discard","tile":"5","to":1}',
        '{"type":"tsumo","tile":"5"}',
        '{"type":"pass"}',
    ],
)
def test_malformed_actions_are_refused_by_the_schema(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=GAME.actions)
