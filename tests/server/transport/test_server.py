"""Starting and stopping, with real processes and signals."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator

import pytest

from server.transport.server import CannotListen, listen
from tests.server.transport.harness import serving
from tests.server.transport.raw import Raw, connected, masked, opened

SOCKETS = 2_000 if os.environ.get("HANPAN_VERIFY") else 500
"""The promise is two thousand; `HANPAN_VERIFY=1` measures it."""


class Process:
    """A running example and the port it took."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port

    async def line(self) -> str:
        assert self.process.stdout is not None
        return (await asyncio.wait_for(self.process.stdout.readline(), 15)).decode().strip()

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Seconds from the signal to the end."""
        begin = time.monotonic()
        self.process.send_signal(number)
        await asyncio.wait_for(self.process.wait(), 15)
        return time.monotonic() - begin


@contextlib.asynccontextmanager
async def example(*arguments: object) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server.transport.example",
        *map(str, arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    running = Process(process, 0)
    try:
        words = (await running.line()).split()
        if words:
            running.port = int(words[1])
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_then_ends_with_0(number: signal.Signals) -> None:
    async with example(0) as running, connected(running.port) as raw:
        raw.send(masked(1, b"hi"))
        assert await raw.frame() == (1, b"hi")
        stopping = asyncio.create_task(running.stop(number))
        assert await raw.close_code() == 4001
        assert await stopping < 5
        assert running.process.returncode == 0
        lines = [await running.line() for _ in range(3)]
    assert lines == ["draining 1", "drained", "lifespan shutdown"]


async def test_all_sockets_are_told_to_resume_within_ten_seconds() -> None:
    async with example(0) as running, contextlib.AsyncExitStack() as stack:
        raws: list[Raw] = []
        for _ in range(SOCKETS // 100):
            batch = [stack.enter_async_context(connected(running.port)) for _ in range(100)]
            raws += await asyncio.gather(*batch)
        stopping = asyncio.create_task(running.stop())
        codes = await asyncio.gather(*[raw.close_code() for raw in raws])
        assert codes == [4001] * SOCKETS
        assert await stopping < 10
        assert running.process.returncode == 0


@pytest.mark.parametrize("mode", ["stuck", "fails"])
async def test_a_drain_that_does_not_end_well_is_no_reason_to_stay(mode: str) -> None:
    async with example(0, mode) as running, connected(running.port) as deaf:
        deaf.stop_reading()
        stopping = asyncio.create_task(running.stop())
        assert await running.line() == "draining 1"
        if mode == "stuck":
            # The second signal says: at once.
            running.process.send_signal(signal.SIGTERM)
        assert await stopping < 10
        assert running.process.returncode == 0


async def test_nobody_new_is_let_in_while_draining() -> None:
    async with example(0, "stuck") as running:
        stopping = asyncio.create_task(running.stop())
        assert await running.line() == "draining 0"
        with pytest.raises(ConnectionRefusedError):
            async with opened(running.port):
                pass
        running.process.send_signal(signal.SIGTERM)
        await stopping


async def test_a_lifespan_that_fails_ends_with_a_sentence_and_3() -> None:
    async with example(0, "broken") as running:
        assert await asyncio.wait_for(running.process.wait(), 10) == 3
        _, errors = await running.process.communicate()
    assert "Traceback" not in errors.decode()
    assert errors.decode().endswith("The server could not start; its log says why.\n")


async def test_a_taken_port_is_one_sentence_and_2() -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        async with example(port) as running:
            assert await asyncio.wait_for(running.process.wait(), 10) == 2
            _, errors = await running.process.communicate()
    assert errors.decode() == (
        f"Another program already listens on 127.0.0.1, port {port}; stop it or choose another port.\n"
    )


def test_a_free_port_is_found_and_can_be_shared() -> None:
    (first,) = listen("127.0.0.1", 0, reuse_port=True)
    (second,) = listen("127.0.0.1", first.getsockname()[1], reuse_port=True)
    assert first.getsockname() == second.getsockname()
    with pytest.raises(CannotListen, match="already listens"):
        listen("127.0.0.1", first.getsockname()[1])
    first.close()
    second.close()


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("no.such.host.invalid", 0, "There is no address"),
        ("127.0.0.1", 70_000, "70000 is not a port"),
        ("203.0.113.7", 0, "is not an address of this machine"),
    ],
)
def test_an_address_that_cannot_be_had_is_a_sentence(host: str, port: int, sentence: str) -> None:
    with pytest.raises(CannotListen, match=sentence):
        listen(host, port)


def test_every_address_of_a_name_is_bound() -> None:
    sockets = listen("", 0)
    assert len(sockets) == 1
    port = sockets[0].getsockname()[1]
    sockets[0].close()
    bound = listen("", port)
    assert socket.AF_INET in {each.family for each in bound}
    for each in bound:
        each.close()


async def test_what_is_left_after_the_time_out_is_cut() -> None:
    begin = time.monotonic()
    with serving("fast-uvloop") as running:
        async with opened(running.port) as silent, connected(running.port) as deaf:
            deaf.stop_reading()
            running.server.should_exit = True
            await silent.end()
            await asyncio.sleep(0.5)
            assert running.endpoint.sockets
    assert time.monotonic() - begin < 8
    assert running.endpoint.sockets == []
    assert not running.server.server_state.connections
