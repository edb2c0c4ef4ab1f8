"""Addresses that have to wait, told with plain numbers for time."""

from __future__ import annotations

import asyncio
import re

import pytest

from server.transport import codes
from server.transport.accept import Gate
from server.transport.address import parse_networks
from server.transport.base import TransportLimits, clock
from server.transport.faults import BURST, FAULTS, KEPT, MOST_WAIT_S, WAIT_S, Faults
from tests.server.transport.harness import FAST, Kind, serving
from tests.server.transport.raw import HANDSHAKE, connected, masked, opened, until

MOST = 3


class Scene:
    """Faults at a time that is set. A fault is allowed every 5 seconds, three at once."""

    def __init__(self, per_minute: int = MOST * BURST) -> None:
        self.now = 1_000.0
        self.faults = Faults(per_minute, lambda: self.now)

    def fault(self, times: int = 1, remote: str = "192.0.2.1") -> None:
        for _ in range(times):
            self.faults.note(remote, codes.TOO_FAST)


def test_one_fault_too_many_bars_an_address_for_a_while() -> None:
    scene = Scene()
    scene.fault(MOST)
    assert not scene.faults.wait_s("192.0.2.1")
    scene.fault()
    assert scene.faults.wait_s("192.0.2.1")
    assert not scene.faults.wait_s("192.0.2.2")
    scene.now += WAIT_S * 1000
    assert not scene.faults.wait_s("192.0.2.1")


def test_whoever_makes_a_fault_now_and_then_is_not_barred() -> None:
    scene = Scene()
    for _ in range(10):
        scene.fault()
        scene.now += 5_000
        assert not scene.faults.wait_s("192.0.2.1")


def test_whoever_goes_on_after_waiting_waits_twice_as_long() -> None:
    scene = Scene()
    scene.fault(MOST + 1)
    for wait in (2 * WAIT_S, 4 * WAIT_S, 8 * WAIT_S):
        scene.now += scene.faults.wait_s("192.0.2.1") * 1000
        scene.fault(MOST + 1)
        assert scene.faults.wait_s("192.0.2.1") == wait


def test_waiting_earns_no_new_faults() -> None:
    scene = Scene()
    scene.fault(MOST + 1)
    for wait in (2 * WAIT_S, 4 * WAIT_S, 8 * WAIT_S):
        scene.now += scene.faults.wait_s("192.0.2.1") * 1000
        scene.fault()
        assert scene.faults.wait_s("192.0.2.1") == wait


def test_after_waiting_a_fault_now_and_then_is_allowed_again() -> None:
    scene = Scene()
    scene.fault(MOST + 1)
    scene.now += scene.faults.wait_s("192.0.2.1") * 1000
    for _ in range(10):
        scene.now += 5_000
        scene.fault()
        assert not scene.faults.wait_s("192.0.2.1")


def test_no_wait_is_longer_than_the_longest_and_after_as_long_it_is_short_again() -> None:
    scene = Scene()
    for _ in range(12):
        scene.fault(MOST + 1)
        scene.now += scene.faults.wait_s("192.0.2.1") * 1000
    scene.fault(MOST + 1)
    assert scene.faults.wait_s("192.0.2.1") == MOST_WAIT_S
    scene.now += 2 * MOST_WAIT_S * 1000
    scene.fault(MOST + 1)
    assert scene.faults.wait_s("192.0.2.1") == WAIT_S


def test_what_comes_of_connections_from_before_makes_no_wait_longer() -> None:
    scene = Scene()
    scene.fault(10 * MOST)
    assert scene.faults.wait_s("192.0.2.1") == WAIT_S


def test_a_customer_with_a_network_is_one_address() -> None:
    scene = Scene()
    for number in range(MOST + 1):
        scene.fault(remote=f"2001:db8::{number}")
    assert scene.faults.wait_s("2001:db8::99")


@pytest.mark.parametrize(
    "code",
    [codes.NORMAL, codes.ABNORMAL, codes.NO_STATUS, codes.DRAINING, codes.INTERNAL, 4000, 4009],
)
def test_what_is_nobodys_fault_does_not_count(code: int) -> None:
    scene = Scene()
    for _ in range(10):
        scene.faults.note("192.0.2.1", code)
    assert not scene.faults.wait_s("192.0.2.1")


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_every_fault_counts(code: int) -> None:
    scene = Scene()
    for _ in range(MOST + 1):
        scene.faults.note("192.0.2.1", code)
    assert scene.faults.wait_s("192.0.2.1")


def test_no_number_means_any_number() -> None:
    scene = Scene(0)
    scene.fault(1_000)
    assert not scene.faults.wait_s("192.0.2.1")


def test_who_behaves_again_is_forgotten_and_who_has_to_wait_is_not() -> None:
    scene = Scene()
    for number in range(KEPT):
        scene.fault(remote=f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    scene.now += 60_000
    scene.fault(MOST + 1)
    scene.fault(remote="192.0.2.2")
    assert len(scene.faults._paces) == 2
    assert scene.faults.wait_s("192.0.2.1")


def test_of_a_proxy_nothing_is_known_before_it_speaks() -> None:
    gate = Gate(TransportLimits(faults_per_minute=1), trusted=parse_networks("10.0.0.0/8"))
    for remote in ("10.0.0.1", "192.0.2.1"):
        for _ in range(2):
            gate.addresses.enter(remote)
            gate.left(remote, codes.TOO_FAST)
    assert not gate.wait_s("10.0.0.1")
    assert gate.wait_s("192.0.2.1")


@pytest.mark.parametrize("kind", FAST)
async def test_a_barred_address_is_answered_late_and_others_play_on(kind: Kind) -> None:
    gate = Gate(TransportLimits(faults_per_minute=1, handshake_timeout=500))
    with serving(kind, gate) as running:
        async with connected(running.port) as player:
            for _ in range(2):
                async with connected(running.port) as raw:
                    raw.send(masked(2, b"binary"))
                    assert await raw.close_code() == codes.BAD_FRAME
            await until(lambda: gate.wait_s("127.0.0.1") > 0)
            async with opened(running.port) as raw:
                raw.send((HANDSHAKE + "\r\n").encode())
                begin = clock()
                answer = await asyncio.wait_for(raw.reader.read(), 5)
            assert clock() - begin >= 400
            assert answer.startswith(b"HTTP/1.1 429 ")
            assert re.search(rb"\r\nretry-after: (9|10)\r\n", answer)
            player.send(masked(1, b"x"))
            assert await player.frame() == (1, b"x")


async def test_a_barred_client_behind_a_proxy_is_answered_when_it_is_known() -> None:
    gate = Gate(TransportLimits(faults_per_minute=1), trusted=parse_networks("127.0.0.1"))
    bad, good = ("X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.2\r\n")
    with serving("fast-uvloop", gate) as running:
        for _ in range(2):
            async with connected(running.port, bad) as raw:
                raw.send(masked(2, b"binary"))
                assert await raw.close_code() == codes.BAD_FRAME
        await until(lambda: gate.faults.wait_s("192.0.2.1") > 0)
        async with opened(running.port) as raw:
            raw.send((HANDSHAKE + bad + "\r\n").encode())
            assert (await raw.reader.readline()).startswith(b"HTTP/1.1 429")
        async with connected(running.port, good) as raw:
            raw.send(masked(1, b"x"))
            assert await raw.frame() == (1, b"x")
