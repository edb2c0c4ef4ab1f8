"""What must hold of everything that three processes did: as of one, and that nobody wrote out of turn."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

import msgspec

from tests.simulation import invariants as one
from tests.simulation.invariants import Found
from tests.simulation.nodes.watching import NodesWatch
from tests.simulation.nodes.world import LEASE_MS, NodesWorld
from tests.simulation.oracle import Oracle
from tests.simulation.witness import Line


def judge(world: NodesWorld, watch: NodesWatch) -> Found:
    """Check everything that is checked in the end."""
    watch.end()
    wrong = list(world.witness.notes)
    frames = [(line, msgspec.json.decode(line.payload)) for line in world.witness.lines]
    for table, oracle in watch.oracles.items():
        wrong += oracle.wrong
        wrong += [f"{table}: {found}" for found in one._published(world, table, oracle)]
        wrong += [f"{table}: {found}" for found in one._stalls(world, table, oracle)]
        wrong += [f"{table}: {found}" for found in one._takeovers(world, table, oracle)]
        wrong += [f"{table}: {found}" for found in one._stored(world, oracle)]
        wrong += [f"{table}: {found}" for found in _charged(oracle)]
    wrong += NodesWire(world, watch, frames).check()
    wrong += _quiet(world)
    digest = hashlib.sha256()
    entries = 0
    for table in world.disk.tables():
        for entry in world.disk.full(table):
            digest.update(entry.data)
            entries += 1
    return Found(wrong, digest.hexdigest(), entries)


class NodesWire(one.Wire):
    """What crossed the lines, where a frame may take a while from its socket's process to the owner's."""

    def _refused(self, line: Line, oracle: Oracle, read: float, act: Any, message: Any) -> None:
        """Nobody who was in time hears that the window is closed. The way to the owner counts, for which
        the window's grace is; it took no longer than the answer. A window that began again afterwards was
        over then."""
        for closed in oracle.windows.closed:
            if act.get("request") in closed.requests:
                times = self._world.disk.durable_at[act["table"]]
                for number, inp in oracle.inputs:
                    moves = inp.stalled is not None or inp.resumed is not None
                    inside = closed.opened_by < number <= closed.closed_by
                    if moves and inside and times[number - 1] > line.at:
                        return
        super()._refused(line, oracle, line.at, act, message)


def _charged(oracle: Oracle) -> list[str]:
    """An outage is told in its whole length before the table goes on: nobody pays for it."""
    wrong = []
    for (number, before), (_, after) in pairwise(oracle.inputs):
        if before.stalled is not None and after.resumed is not None:
            stood = after.at - before.at
            if before.stalled < stood - 1:
                wrong.append(f"entry {number} tells of {before.stalled} ms, and {stood} passed")
    return wrong


def _quiet(world: NodesWorld) -> list[str]:
    """Once all is over nothing runs, every table is let go, and no lease is left."""
    if not world.last:
        return []  # something was seen before the end
    wrong = list(world.leftovers)
    wrong += [f"{node.name} does not end" for node in world.alive()]
    wrong += [f"{t} is not let go" for t, own in world.disk.own.items() if own.holder != ""]
    now = world.loop.time()
    wrong += [
        f"{key} is held beyond a process's end"
        for key, (_, until) in world.redis.leases.items()
        if until > now and until - now > LEASE_MS / 1000 - 1
    ]
    return wrong
