"""Worked examples of Cockroach Duel: how each kind of check is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engines.cockroach_duel import rounds
from engines.cockroach_duel.match import book
from engines.cockroach_duel.messages import (
    Battle,
    Challenged,
    DuelAction,
    DuelOptions,
)
from engines.cockroach_duel.state import Round, start_health
from engines.kit.contract import Refused
from engines.kit.examples import Check, subset


def _options(vector: Mapping[str, Any]) -> DuelOptions:
    return msgspec.convert(vector.get("options", {}), DuelOptions)


def _round(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Actions one after the other, from given hands and pile; a round that has ended takes none."""
    given, options = vector["given"], _options(vector)
    attacker = given["attacker"]
    round = Round(
        attacker=attacker,
        hands=[list(hand) for hand in given["hands"]],
        pile=list(given["deck"]),
        health=list(given.get("hp", start_health(attacker))),
        spent=[[], []],
    )
    results: list[str] = []
    revealed: list[Any] = []
    for row in vector.get("actions", []):
        fields = {key: value for key, value in row.items() if key not in ("do", "player")}
        try:
            action = msgspec.convert({"type": row["do"], **fields}, DuelAction)
            events = rounds.play(round, options, row["player"], action)
        except (Refused, msgspec.ValidationError):
            results.append("illegal")
            continue
        results.append("ok")
        for event in events:
            if isinstance(event, Challenged):
                revealed = list(event.cards)
            elif isinstance(event, Battle) and event.black is not None:
                revealed.append([event.black, "black"])
    return subset(
        vector["expect"],
        {
            "results": results,
            "hp": round.health,
            "winner": round.winner,
            "reason": round.reason,
            "phase": round.phase,
            "attacker": round.attacker,
            "turn": round.turn,
            "passes": round.passes,
            "hands": round.hands,
            "hand_sizes": [len(hand) for hand in round.hands],
            "deck_left": len(round.pile),
            "revealed": revealed,
        },
    )


def _match(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """The score and the starters that follow from the rounds' winners."""
    given, options = vector["given"], _options(vector)
    starter: int | None = given.get("first_starter", 0)
    scores, starters, played = [0, 0], [starter], 0
    for winner in given.get("round_winners", []):
        if starter is None:
            break
        played += 1
        starter = book(options, scores, starter, winner)
        if starter is not None:
            starters.append(starter)
    facts = {
        "match_winner": None if starter is not None else scores.index(max(scores)),
        "score": scores,
        "rounds": played,
        "starters": starters,
        "sum": sum(start_health(0)),
    }
    return subset(vector["expect"], facts)


CHECKS: Mapping[str, Check] = {"round": _round, "match": _match}
