"""Dialling."""

from __future__ import annotations

import asyncio

import pytest

from hanpan import Disconnected
from hanpan.address import Address
from hanpan.sockets import LOST, SocketClosed, dial
from hanpan.testing import FakeServer
from tests.support.hanpan_server import HanpanServer


async def test_a_socket_carries_frames_and_tells_its_close_code() -> None:
    async with FakeServer(scripted=True) as server:
        socket = await dial(Address.of(server.url))
        peer = await server.accept()
        await socket.send(b'{"type":"ping"}')
        assert await peer.recv() == {"type": "ping"}
        peer.send({"a": 1})
        assert await socket.recv() == b'{"a":1}'
        peer.close(4005, "slowly")
        with pytest.raises(SocketClosed) as closed:
            await socket.recv()
        assert (closed.value.code, closed.value.reason) == (4005, "slowly")
        with pytest.raises(SocketClosed):
            await socket.send(b"{}")


async def test_a_dropped_connection_has_no_code() -> None:
    async with FakeServer(scripted=True) as server:
        socket = await dial(Address.of(server.url))
        (await server.accept()).close(0)
        with pytest.raises(SocketClosed) as closed:
            await socket.recv()
        assert closed.value.code == LOST


async def test_what_is_no_such_server_is_a_sentence(live: HanpanServer) -> None:
    with pytest.raises(Disconnected, match="answers with HTTP status 4"):
        await dial(Address.of(live.url + "/somewhere"))


async def test_a_server_that_says_nothing_is_a_sentence() -> None:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(Disconnected, match="no connection to"):
        await dial(Address.of(f"127.0.0.1:{port}"))
    server.close()
    await server.wait_closed()
