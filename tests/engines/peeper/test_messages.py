"""Actions, events and views as they stand on the wire."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.peeper.messages import (
    Actions,
    Events,
    Last,
    Mine,
    Pass,
    Play,
    Played,
    Return,
    Top,
    View,
)


@pytest.mark.parametrize(
    ("wire", "action"),
    [
        (
            b'{"type":"play","tiles":["5","5"],"as":"pair","low":5}',
            Play(["5", "5"], kind="pair", low=5),
        ),
        (b'{"type":"play","tiles":["6"]}', Play(["6"])),
        (b'{"type":"pass"}', Pass()),
        (b'{"type":"mine","tiles":["5","5"]}', Mine(["5", "5"])),
        (b'{"type":"return","tiles":["1r"]}', Return(["1r"])),
    ],
)
def test_actions(wire: bytes, action: Any) -> None:
    assert msgspec.json.decode(wire, type=Actions) == action
    assert msgspec.json.encode(action) == wire


def test_null_is_as_good_as_absent() -> None:
    wire = b'{"type":"play","tiles":["6"],"as":null,"low":null}'
    assert msgspec.json.decode(wire, type=Play) == Play(["6"])


@pytest.mark.parametrize(
    "wire",
    [
        b'{"type":"play","tiles":["16"]}',
        b'{"type":"play","tiles":[5]}',
        b'{"type":"play","tiles":["5"],"as":"triple"}',
        b'{"type":"play","tiles":["5"],"low":"5"}',
        b'{"type":"play","tiles":["5"],"low":99999999999999999999}',
        b'{"type":"play","tiles":["5"],"colour":"red"}',
        b'{"type":"play"}',
        b'{"type":"fly"}',
    ],
)
def test_what_the_schema_forbids(wire: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=Actions)


def test_a_played_event() -> None:
    event = Played(1, ["5"], "single", 5, 4)
    wire = b'{"type":"played","seat":1,"tiles":["5"],"as":"single","low":5,"left":4}'
    assert msgspec.json.encode(event) == wire
    assert msgspec.json.decode(wire, type=Events) == event


def test_a_view() -> None:
    view = View(
        seat=1,
        turn=0,
        hand=["5"],
        counts=[2, None],
        scores=[0, 0],
        top=Top(1, ["5"], "single", 5),
        last=Last(0, "pass"),
    )
    wire = msgspec.json.encode(view)
    assert msgspec.json.decode(wire) == {
        "seat": 1,
        "turn": 0,
        "hand": ["5"],
        "counts": [2, None],
        "scores": [0, 0],
        "top": {"seat": 1, "tiles": ["5"], "as": "single", "low": 5},
        "last": {"seat": 0, "did": "pass"},
    }
    assert msgspec.json.decode(wire, type=View) == view
