"""A server process in a network of its own, whose way to Redis can be cut silently, one way or both.

Two virtual cables lead there: one for Redis, one for clients. A way is cut by giving the sending end a
wrong hardware address of the other: what it sends arrives nowhere, and nobody is told. Needs root.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.hanpan_server import HanpanServer
from tests.support.needs import not_run

NOWHERE = "02:00:00:00:00:99"
_count = itertools.count()
REDIS_HERE, REDIS_THERE = "10.213.7.1", "10.213.7.2"
CLIENTS_HERE, CLIENTS_THERE = "10.213.8.1", "10.213.8.2"


class Apart:
    """The network. name: of the namespace; its cables are called after it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def up(self) -> None:
        """Make it; NOT RUN without root or `ip`."""
        if os.geteuid() != 0:
            not_run("network namespaces need root")
        try:
            self._ip("netns", "add", self.name)
        except (OSError, subprocess.CalledProcessError) as error:
            not_run(f"network namespaces cannot be made here: {error}")
        self._cable("r", REDIS_HERE, REDIS_THERE)
        self._cable("c", CLIENTS_HERE, CLIENTS_THERE)
        self._ip("-n", self.name, "link", "set", "lo", "up")

    def _cable(self, kind: str, here: str, there: str) -> None:
        a, b = self.name + kind, self.name + kind + "x"
        self._ip("link", "add", a, "type", "veth", "peer", "name", b)
        self._ip("link", "set", b, "netns", self.name)
        self._ip("addr", "add", f"{here}/30", "dev", a)
        self._ip("link", "set", a, "up")
        self._ip("-n", self.name, "addr", "add", f"{there}/30", "dev", b)
        self._ip("-n", self.name, "link", "set", b, "up")

    def cut(self, to_redis: bool, from_redis: bool) -> None:
        """Lose what goes these ways, silently."""
        if to_redis:
            self._wrong(["-n", self.name], REDIS_HERE, self.name + "rx")
        if from_redis:
            self._wrong([], REDIS_THERE, self.name + "r")

    def _wrong(self, where: list[str], address: str, device: str) -> None:
        neighbour = ["neigh", "replace", address, "lladdr", NOWHERE, "dev", device]
        self._ip(*where, *neighbour, "nud", "permanent")

    def mend(self) -> None:
        """All ways are open again."""
        for where, address, device in (
            (["-n", self.name], REDIS_HERE, self.name + "rx"),
            ([], REDIS_THERE, self.name + "r"),
        ):
            done = ["ip", *where, "neigh", "del", address, "dev", device]
            subprocess.run(done, check=False, capture_output=True)

    def down(self) -> None:
        """Take it away with its cables; those first, since a namespace goes when it likes."""
        for kind in "rc":
            cable = ["ip", "link", "del", self.name + kind]
            subprocess.run(cable, check=False, capture_output=True)
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)

    @staticmethod
    def _ip(*arguments: str) -> None:
        subprocess.run(["ip", *arguments], check=True, capture_output=True)


class ServerApart(HanpanServer):
    """`hanpan serve` in there."""

    def __init__(self, apart: Apart, data: Path, **settings: Any) -> None:
        super().__init__(data, **settings)
        self._apart = apart

    @property
    def url(self) -> str:
        """Where clients of this network find it."""
        return f"http://{CLIENTS_THERE}:{self.port}"

    def launch(self) -> None:
        """As every server, but in its own network."""
        assert self._process is None, "it runs already"
        flags = self._flags()
        flags[flags.index("--host") + 1] = CLIENTS_THERE
        inside = ["ip", "netns", "exec", self._apart.name]
        with self._out.open("wb") as out_file, self._err.open("ab") as err_file:
            self._process = subprocess.Popen(
                [*inside, sys.executable, "-m", "server.cli.main", "serve", *flags],
                stdout=out_file,
                stderr=err_file,
                start_new_session=True,
            )


@contextmanager
def apart() -> Iterator[Apart]:
    """Such a network for the length of the block."""
    made = Apart(f"hp{os.getpid() % 10_000_000}{next(_count) % 100}")
    try:
        made.up()
        yield made
    finally:
        made.down()
