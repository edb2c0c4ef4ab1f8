"""How late a process's loop is, from its own metrics."""

from __future__ import annotations

from tests.support import wire
from tests.support.hanpan_server import HanpanServer

USUAL = 0.9
"""The part of all looks that tells of the process; the rest may tell of a busy machine."""


class Lag:
    """The looks at a process's loop from a moment on; several a second."""

    def __init__(self, node: HanpanServer, before: dict[float, float]) -> None:
        self._node = node
        self._before = before

    @classmethod
    async def since_now(cls, node: HanpanServer) -> Lag:
        """From now on."""
        return cls(node, await _looks(node))

    async def usual(self) -> float:
        """The bound, in s, that nearly all looks so far have kept."""
        return await self.within(USUAL)

    async def within(self, part: float) -> float:
        """The bound, in s, that this part of the looks so far has kept."""
        now = await _looks(self._node)
        counts = {bound: count - self._before.get(bound, 0) for bound, count in now.items()}
        enough = part * counts[float("inf")]
        return next(bound for bound, count in counts.items() if count >= enough)


async def _looks(node: HanpanServer) -> dict[float, float]:
    """How many looks found the loop at most so late, by bounds in s."""
    text = (await wire.get(f"{node.url}/metrics"))["text"]
    return {
        float(line.split('le="')[1].split('"')[0]): float(line.split()[-1])
        for line in text.splitlines()
        if line.startswith("hanpan_loop_lag_seconds_bucket")
    }
