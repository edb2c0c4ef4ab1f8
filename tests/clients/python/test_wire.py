"""Lenient decoding."""

from __future__ import annotations

import json
import logging

import pytest

from hanpan._messages import Act, Identify, Snapshot
from hanpan.wire import decode, encode
from tests.clients.python.replay import lines
from tests.clients.python.test_transcripts import TRANSCRIPTS

INFO = {
    "table": "t", "game": "g", "ruleset": "r", "options": {}, "speed": "a speed of tomorrow",
    "seats": [{"seat": 0, "state": "a state of tomorrow"}], "phase": "p", "visibility": "v",
}  # fmt: skip


def test_defaults_are_not_written() -> None:
    assert json.loads(encode(Identify(token="t"))) == {"type": "identify", "token": "t"}
    act = encode(Act(id=3, table="t", request="r", action={"type": "trump", "suit": None}))
    assert json.loads(act)["action"] == {"type": "trump", "suit": None}


def test_unknown_types_fields_and_values_do_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert decode(b'{"type":"tomorrow"}') is None
        assert decode(b"nonsense") is None
    assert len(caplog.records) == 2
    message = {"type": "snapshot", "table": "t", "stream": "public", "epoch": "e", "seq": 1,
               "info": INFO, "seats": INFO["seats"], "new": 1}  # fmt: skip
    found = decode(json.dumps(message).encode())
    assert isinstance(found, Snapshot)
    assert found.seats[0].state == "a state of tomorrow"


def test_every_message_of_the_transcripts_is_read() -> None:
    for path in TRANSCRIPTS:
        for line in lines(path):
            if "s" in line and "tomorrow" not in line["s"]["type"]:
                assert decode(json.dumps(line["s"]).encode()) is not None
