"""What a seed stands for: the game, who plays it, and what goes wrong."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

FAULTS = (
    "kill",
    "kill_at_commit",
    "stop",
    "cut",
    "half_open",
    "away",
    "delay",
    "slow_commit",
    "failing",
    "mute",
    "lag",
    "store",
    "cancel",
)

_GAMES: tuple[tuple[str, str, tuple[int, ...], dict[str, Any], int], ...] = (
    ("peeper", "standard", (2, 3, 4), {"claim_ms": 900}, 9),
    ("peeper", "ibc", (3,), {"rounds": 2}, 1),
    ("chamsaejak", "standard", (2, 2, 3), {"rounds": 1, "claim_ms": 700}, 5),
    ("pepper", "standard", (2,), {"target": 4}, 2),
    ("cockroach_duel", "standard", (2,), {}, 2),
)
"""Game, ruleset, seats, options, and how often it is drawn."""

_CALM_S: dict[str, tuple[float | None, ...]] = {
    "peeper": (None, 3.0, 6.0),
    "chamsaejak": (None, 2.0, 2.0, 3.0, 4.0, 6.0),
    "pepper": (None, 3.0, 6.0),
    "cockroach_duel": (None,),
}
"""How long a match is watched after the faults; those that take long are seldom played to their end."""


class Plan(NamedTuple):
    """A world. trouble_s: how long faults come, one every `every_s` on the average, while people play.
    calm_s: how long the match must go on after them; None: to its end."""

    game: str
    seats: int
    people: int
    fields: dict[str, Any]
    faults: tuple[str, ...]
    trouble_s: float
    every_s: float
    calm_s: float | None
    patience: float


def plan(seed: int) -> Plan:
    """The world of a seed."""
    chance = random.Random(f"plan:{seed}")
    game, ruleset, seats, options, _ = chance.choices(_GAMES, [g[4] for g in _GAMES])[0]
    number = chance.choice(seats)
    people = number if chance.random() < 0.5 else chance.randint(1, number)
    options = dict(options)
    if game == "chamsaejak" and chance.random() < 0.4:
        options["false_win"] = "penalty"
    fields: dict[str, Any] = {
        "ruleset": ruleset,
        "options": options,
        "speed": chance.choice(["blitz", "blitz", "instant", "standard"]),
        "bots": number - people,
        "level": chance.choice(["random", "steady"]),
        "away_policy": chance.choice(["bot", "bot", "forfeit"]),
        "away_ms": chance.choice([3_000, 8_000]),
        "visibility": chance.choice(["public", "private"]),
        "early_close": chance.choice([None, None, True, False]),
        "open_record": chance.random() < 0.3,
        "spectate_delay_ms": chance.choice([0, 0, 0, 1_500]),
    }
    kinds = tuple(f for f in FAULTS if chance.random() < 0.5) or ("kill",)
    return Plan(
        game=game,
        seats=number,
        people=people,
        fields=fields,
        faults=kinds,
        trouble_s=chance.choice([5.0, 10.0, 24.0]),
        every_s=chance.choice([0.4, 1.2, 3.0]),
        calm_s=chance.choice(_CALM_S[game]),
        patience=chance.choice([0.15, 0.5, 1.5]),
    )
