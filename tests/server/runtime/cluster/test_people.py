"""One limit for a player's sockets in all processes."""

from __future__ import annotations

from typing import Any, cast

from protocol.codes import Close
from server.runtime.cluster.link import Link
from server.runtime.cluster.packets import People
from server.runtime.cluster.people import Sockets
from server.runtime.connection import Connection
from server.runtime.hub import Hub
from tests.server.runtime.cluster.fakes import Network, connection, fake_hub


class Process:
    """One process's part of it."""

    def __init__(self, network: Network, node: str) -> None:
        self.hub: Hub = fake_hub(network, node, connections=2)
        self.link = Link(self.hub.bus, node)
        self.sockets = Sockets(self.hub, self.link)
        self.link.on_item = self._item
        self.link.start()

    def _item(self, sender: str, item: Any) -> None:
        if sender != self.hub.node:
            self.sockets.heard(sender, item)

    def came(self, at: int, player: str = "p_1") -> Connection:
        cast("Any", self.hub.wall).ms = at
        made = connection(self.hub, player)
        self.sockets.came(made)
        self.sockets.flush()
        return made


def code(connection: Connection) -> int | None:
    found: int | None = cast("Any", connection.socket).code
    return found


async def test_the_oldest_of_all_processes_is_closed() -> None:
    network = Network()
    a, b = Process(network, "a"), Process(network, "b")
    first, second = a.came(1), b.came(2)
    await network.run()
    third = b.came(3)
    other = b.came(4, player="p_2")
    await network.run()
    assert code(first) == Close.CONNECTIONS
    assert [code(c) for c in (second, third, other)] == [None] * 3


async def test_who_went_does_not_count() -> None:
    network = Network()
    a, b = Process(network, "a"), Process(network, "b")
    first, second = a.came(1), b.came(2)
    await network.run()
    a.sockets.went(first)
    a.sockets.flush()
    await network.run()
    third = b.came(3)
    await network.run()
    assert [code(c) for c in (first, second, third)] == [None] * 3


async def test_what_was_lost_is_mended_by_the_full_list() -> None:
    network = Network()
    a, b = Process(network, "a"), Process(network, "b")
    network.lose = 1.0
    first = a.came(1)
    b.came(2)
    b.came(3)
    await network.run()
    assert code(first) is None
    network.lose = 0.0
    b.sockets.tell_everything()
    await network.run()
    assert code(first) == Close.CONNECTIONS


async def test_a_process_that_is_gone_has_no_sockets() -> None:
    network = Network()
    a, b = Process(network, "a"), Process(network, "b")
    b.came(2)
    b.came(3)
    await network.run()
    assert a.sockets.nodes == {"b"}
    a.sockets.lost("b")
    first = a.came(1)
    await network.run()
    assert a.sockets.nodes == set()
    assert code(first) is None


async def test_nothing_is_told_when_nothing_happened() -> None:
    network = Network()
    a = Process(network, "a")
    a.sockets.flush()
    assert network.waiting == []
    a.sockets.heard("x", People([], [("p_1", 1, 1)]))
    assert a.sockets.nodes == {"x"}
