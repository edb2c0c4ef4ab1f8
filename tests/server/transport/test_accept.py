"""The way in, where no wire is needed (the rest is in test_behaviour)."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import pytest

from server.transport.accept import SUBPROTOCOL, Gate, accept, negotiate
from server.transport.base import TransportLimits

Event = MutableMapping[str, Any]


@pytest.mark.parametrize(
    ("offered", "answer"),
    [
        ([], (None, True)),
        ([SUBPROTOCOL], (SUBPROTOCOL, True)),
        (["other", SUBPROTOCOL], (SUBPROTOCOL, True)),
        (["other", "third"], ("other", False)),
        (["no token"], (None, False)),
        ([""], (None, False)),
    ],
)
def test_negotiate(offered: list[str], answer: tuple[str | None, bool]) -> None:
    assert negotiate(offered) == answer


def test_origins() -> None:
    anyone = Gate(TransportLimits())
    assert anyone.admits_origin([(b"origin", b"https://anywhere.example")])
    narrow = Gate(TransportLimits(), origins=["https://Hanpan.example"])
    assert narrow.admits_origin([])
    assert narrow.admits_origin([(b"origin", b"https://hanpan.example")])
    assert not narrow.admits_origin([(b"origin", b"https://hanpan.example:444")])
    assert not narrow.admits_origin([(b"origin", b"null")])
    nobody = Gate(TransportLimits(), origins=[])
    assert not nobody.admits_origin([(b"origin", b"https://hanpan.example")])


class Handshake:
    """One handshake of a server; `fails` is one whose peer has gone."""

    def __init__(self, extensions: list[str], first: str = "websocket.connect") -> None:
        self.scope: Event = {
            "type": "websocket",
            "headers": [],
            "client": ("203.0.113.7", 1),
            "extensions": {name: {} for name in extensions},
        }
        self.first = first
        self.sent: list[Event] = []
        self.fails = False

    async def receive(self) -> Event:
        return {"type": self.first}

    async def send(self, event: Event) -> None:
        if self.fails:
            raise OSError("gone")
        self.sent.append(event)


async def test_too_many_are_told_429_where_the_server_can() -> None:
    gate = Gate(TransportLimits(per_address=0))
    able, plain = Handshake(["websocket.http.response"]), Handshake([])
    for handshake in (able, plain):
        assert await accept(handshake.scope, handshake.receive, handshake.send, gate) is None
    assert able.sent[0]["status"] == 429
    assert [event["type"] for event in able.sent][1] == "websocket.http.response.body"
    assert plain.sent == [{"type": "websocket.close"}]


async def test_a_peer_that_went_during_the_handshake_is_not_counted() -> None:
    gate = Gate(TransportLimits())
    handshake = Handshake([])
    handshake.fails = True
    assert await accept(handshake.scope, handshake.receive, handshake.send, gate) is None
    assert len(gate.addresses) == 0


async def test_a_handshake_that_is_none_is_left_alone() -> None:
    gate = Gate(TransportLimits())
    handshake = Handshake([], "websocket.disconnect")
    assert await accept(handshake.scope, handshake.receive, handshake.send, gate) is None
    assert handshake.sent == []
