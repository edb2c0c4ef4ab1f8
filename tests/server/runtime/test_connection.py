"""A connection: since when its peer takes nothing (what it answers is tested against the whole server)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.client import Identify
from server.runtime.connection import Connection
from server.runtime.hub import Hub
from server.settings import Settings


@pytest.fixture
async def made() -> tuple[Connection, Any]:
    """A connection opened at 1,000 ms, and its socket."""
    socket = SimpleNamespace(unsent=0, send=lambda message: None)
    hub = SimpleNamespace(
        wall=SimpleNamespace(steady=lambda: 1_000.0),
        settings=Settings(),
        hello=lambda: Identify(token=""),
    )
    return Connection(cast("Hub", hub), cast("Any", socket)), socket


@pytest.mark.parametrize(
    ("unsent", "since"),
    [
        ([0, 0, 0], 1_003),  # nothing waits
        ([9, 9, 9], 1_000),  # nothing is taken
        ([9, 90, 900], 1_000),  # nothing is taken, and more comes
        ([9, 8, 8], 1_002),  # something is taken, then nothing
        ([9, 0, 9], 1_002),  # all is taken, then nothing of what came since
        ([900, 800, 700], 1_003),  # slow, but it reads
    ],
)
def test_since_when_its_peer_takes_nothing(
    made: tuple[Connection, Any], unsent: list[int], since: int
) -> None:
    connection, socket = made
    for second, size in enumerate(unsent, 1):
        socket.unsent = size
        assert connection.look(1_000 + second) == size
    assert connection.stuck_since == since


@pytest.mark.parametrize(("is_open", "answered"), [(True, 3), (False, 0)])
async def test_what_waited_for_the_token_is_answered_unless_the_line_was_closed(
    is_open: bool, answered: int
) -> None:
    sent: list[Any] = []
    socket = SimpleNamespace(unsent=0, send=sent.append, is_open=True)
    looked_up = asyncio.Event()

    async def identify(connection: Connection, message: Identify) -> None:
        await looked_up.wait()  # and nobody has this token

    tasks: list[asyncio.Task[None]] = []
    hub = SimpleNamespace(
        wall=SimpleNamespace(steady=lambda: 0.0, at=int),
        settings=Settings(),
        hello=lambda: Identify(token=""),
        identify=identify,
        sentences=SimpleNamespace(refusal=lambda table, denied, locale: denied.code),
        spawn=lambda work: tasks.append(asyncio.create_task(work)),
    )
    connection = Connection(cast("Hub", hub), cast("Any", socket))
    connection._on_message(b'{"type":"identify","id":1,"token":"t"}', 0.0)
    for number in (2, 3, 4):
        connection._on_message(b'{"type":"list_games","id":%d}' % number, 0.0)
    await asyncio.sleep(0)
    sent.clear()
    socket.is_open = is_open
    looked_up.set()
    await asyncio.gather(*tasks)
    assert len(sent) == answered
