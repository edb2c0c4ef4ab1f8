"""Links over a network that loses, doubles and shuffles."""

from __future__ import annotations

from typing import Any

import pytest

from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import Deliver, Gone
from server.transport.base import Message
from tests.server.runtime.cluster.fakes import Network


class End:
    """A link with all that it heard."""

    def __init__(self, network: Network, node: str) -> None:
        self.bus = network.bus()
        self.link = Link(self.bus, node)
        self.items: list[Any] = []
        self.losses: list[str | None] = []
        self.link.on_item = lambda sender, item: self.items.append(item)
        self.link.on_loss = self.losses.append
        self.link.start()

    @property
    def numbers(self) -> list[int]:
        return [item.connection for item in self.items if isinstance(item, Gone)]


@pytest.fixture
def network() -> Network:
    return Network()


async def test_items_arrive_once_in_order(network: Network) -> None:
    a, b = End(network, "a"), End(network, "b")
    for number in range(5):
        a.link.send("b", Gone(number))
    await network.run()
    a.link.send("b", Gone(5))
    await network.run()
    assert b.numbers == [0, 1, 2, 3, 4, 5]
    assert b.losses == []
    assert a.items == []


async def test_a_turns_items_go_in_one_packet(network: Network) -> None:
    a = End(network, "a")
    End(network, "b")
    a.link.send("b", Gone(1))
    a.link.send("b", Gone(2))
    a.link._flush()
    assert len(network.waiting) == 1


async def test_doubled_packets_are_taken_once(network: Network) -> None:
    a, b = End(network, "a"), End(network, "b")
    network.double = 1.0
    for number in range(4):
        a.link.send("b", Gone(number))
        await network.run()
    assert b.numbers == [0, 1, 2, 3]
    assert b.losses == []


@pytest.mark.parametrize("lost", range(4))
async def test_every_lost_packet_shows_the_first_and_the_last_too(
    network: Network, lost: int
) -> None:
    a, b = End(network, "a"), End(network, "b")
    for number in range(4):
        network.lose = float(number == lost)
        a.link.send("b", Gone(number))
        await network.run()
    network.lose = 0.0
    a.link.beat()
    await network.run()
    assert b.losses == ["a"]
    assert b.numbers == [number for number in range(4) if number != lost]


async def test_beats_end_when_nothing_more_is_sent(network: Network) -> None:
    a = End(network, "a")
    a.link.send("b", Gone(1))
    await network.run()
    for _ in range(5):
        a.link.beat()
    assert len(network.waiting) == 2


async def test_in_any_order_nothing_is_taken_twice_and_what_is_missing_shows() -> None:
    for seed in range(50):
        network = Network(seed)
        a, b = End(network, "a"), End(network, "b")
        network.shuffle, network.double, network.lose = True, 0.3, 0.2
        for number in range(10):
            a.link.send("b", Gone(number))
            a.link._flush()
        await network.run()
        network.lose = 0.0
        a.link.beat()
        await network.run()
        assert b.numbers == sorted(set(b.numbers))
        assert bool(b.losses) == (len(b.numbers) < 10)


async def test_who_was_taken_for_gone_hears_that_it_missed_something(network: Network) -> None:
    a, b = End(network, "a"), End(network, "b")
    for number in range(3):
        a.link.send("b", Gone(number))
        await network.run()
    a.link.forget("b")
    a.link.send("b", Gone(3))
    await network.run()
    assert b.numbers == [0, 1, 2, 3]
    assert b.losses == ["a"]
    a.link.restart("b")
    await network.run()
    assert b.losses == ["a", "a"]


async def test_the_same_message_crosses_once_for_all_its_sessions(network: Network) -> None:
    a, b = End(network, "a"), End(network, "b")
    shared, own = Message(b"shared"), Message(b"own")
    for number in (1, 2, 3):
        a.link.deliver("b", number, shared, Deliver([number], shared.payload))
    a.link.deliver("b", 2, own, Deliver([2], own.payload))
    await network.run()
    assert [(item.connections, item.payload) for item in b.items] == [
        ([1, 2, 3], b"shared"),
        ([2], b"own"),
    ]


async def test_what_goes_to_all_is_heard_by_all_and_not_numbered(network: Network) -> None:
    a, b, c = (End(network, node) for node in "abc")
    a.link.tell_all(Gone(1))
    await network.run()
    assert a.numbers == b.numbers == c.numbers == [1]
    a.link.send("b", Gone(2))
    await network.run()
    assert b.losses == []


async def test_a_reset_may_have_lost_anyones(network: Network) -> None:
    a = End(network, "a")
    for reset in a.bus.resets:
        reset()
    assert a.losses == [None]


async def test_what_is_no_packet_is_ignored(network: Network) -> None:
    a = End(network, "a")
    a.bus.publish("nodes", b"\xc1")
    await network.run()
    assert a.items == []


async def test_after_its_stop_a_link_hears_nothing(network: Network) -> None:
    a, b = End(network, "a"), End(network, "b")
    b.link.stop()
    a.link.send("b", Gone(1))
    a.link.tell_all(Gone(2))
    await network.run()
    assert b.items == []
