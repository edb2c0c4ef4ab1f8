"""The longest match, from its first to its last action: what an action costs in each tenth of it."""

from __future__ import annotations

import statistics

import msgspec

from loadtests import results
from loadtests.client import crowd_of
from loadtests.results import Target, progress
from loadtests.script import Script, record
from loadtests.server import Server

ROUNDS = 20
"""The most rounds that Peeper's rules allow."""
TABLES = 50
PARTS = 10
PASSES = 3


class Tenths(msgspec.Struct):
    """CPU µs an action in each part of the match, the median of several passes.

    So many tables play the match abreast.
    """

    tables: int
    rounds: int
    actions: int
    action_us: list[float] = []


def measure(
    rounds: int = ROUNDS, tables: int = TABLES, parts: int = PARTS, passes: int = PASSES
) -> Tenths:
    """All tables play the same match abreast, and wait for each other at the end of every part."""
    with Server() as server:
        (script,) = record(server, "peeper", 4, 1, "standard", rounds=rounds)
    values = [_pass(script, tables, parts) for _ in range(passes)]
    progress(f"a match of {script.actions} actions, {passes} times")
    middle = [statistics.median(part) for part in zip(*values, strict=True)]
    return Tenths(tables, rounds, script.actions, middle)


def _pass(script: Script, tables: int, parts: int) -> list[float]:
    """The whole match once, on a server of its own: CPU µs an action in each part."""
    found = []
    with Server() as server, crowd_of(1) as (client,):
        client.ask("sit", server.url, [script], tables, "instant")
        for part in range(1, parts + 1):
            client.ask("counted")
            cpu = server.cpu_s()
            client.ask("play_to", part / parts)
            spent = server.cpu_s() - cpu
            seen = client.ask("counted")
            if seen.errors:
                raise RuntimeError(seen.errors[0])
            found.append(spent / max(1, seen.actions) * 1e6)
    return found


def told(found: Tenths) -> str:
    """The tenths as Markdown."""
    head = ["part of the match", *(str(part + 1) for part in range(len(found.action_us)))]
    row = ["CPU µs an action", *(f"{value:.0f}" for value in found.action_us)]
    return (
        f"{found.tables} tables play one match of {found.rounds} rounds and {found.actions:,} actions"
        " abreast, the median of several passes:\n\n" + results.table(head, [row])
    )


def target(found: Tenths, most: float) -> Target:
    """Target 7, over the length of a match."""
    name = f"CPU an action over a match of {found.actions:,} actions, most to least"
    return Target(7, name, max(found.action_us) / min(found.action_us), most)
