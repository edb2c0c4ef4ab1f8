"""What a seed stands for: the game, who plays and watches it, and what goes wrong."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

FAULTS = (
    "kill",
    "kill_at_commit",
    "pause",
    "pause_past_lease",
    "cut_up",
    "cut_down",
    "cut_both",
    "redis_stopped",
    "redis_killed",
    "reply_lost",
    "wires_cut",
    "subscribers_cut",
    "loss",
    "slow_redis",
    "drain",
    "drop_people",
    "slow_people",
    "cancel",
)

OWNERSHIP = ("kill", "pause_past_lease", "cut_down", "cut_both", "drain")

_GAMES: tuple[tuple[str, str, tuple[int, ...], dict[str, Any], int], ...] = (
    ("peeper", "standard", (2, 3), {"claim_ms": 900}, 9),
    ("chamsaejak", "standard", (2, 2, 3), {"rounds": 1, "claim_ms": 700}, 5),
    ("pepper", "standard", (2,), {}, 2),
)
"""Game, ruleset, seats, options, and how often it is drawn."""


class Plan(NamedTuple):
    """A world. trouble_s: how long faults come, one every `every_s` on the average."""

    game: str
    seats: int
    people: int
    watchers: int
    tables: int
    fields: dict[str, Any]
    faults: tuple[str, ...]
    trouble_s: float
    every_s: float
    patience: float


def plan(seed: int) -> Plan:
    """The world of a seed."""
    chance = random.Random(f"nodes:{seed}")
    game, ruleset, seats, options, _ = chance.choices(_GAMES, [g[4] for g in _GAMES])[0]
    number = chance.choice(seats)
    people = number if chance.random() < 0.6 else chance.randint(1, number)
    fields: dict[str, Any] = {
        "ruleset": ruleset,
        "options": dict(options),
        "speed": chance.choice(["blitz", "blitz", "instant"]),
        "bots": number - people,
        "level": chance.choice(["random", "steady"]),
        "away_policy": chance.choice(["bot", "bot", "forfeit"]),
        "away_ms": chance.choice([3_000, 8_000]),
        "visibility": chance.choice(["public", "private"]),
        "early_close": chance.choice([None, None, True, False]),
        "spectate_delay_ms": 0,
    }
    tables = chance.choice([1, 1, 2])
    kinds = tuple(f for f in FAULTS if chance.random() < 0.35)
    kinds += (chance.choice(OWNERSHIP),)  # what a table's owner may not survive
    return Plan(
        game=game,
        seats=number,
        people=people,
        watchers=1 if tables > 1 else chance.choice([1, 2]),
        tables=tables,
        fields=fields,
        faults=kinds,
        trouble_s=chance.choice([10.0, 30.0, 45.0]),
        every_s=chance.choice([0.7, 2.0, 5.0]),
        patience=chance.choice([0.15, 0.5]),
    )
