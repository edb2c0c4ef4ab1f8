"""Every state of a golden game as the table would send it to each viewer: a snapshot with what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engines.kit.contract import Refused
from engines.kit.dealer import Dealer
from engines.kit.golden import Script
from engines.kit.playout import Step, take
from engines.kit.registry import AnyGame
from tests.web.fake import FakeLine


class State(msgspec.Struct):
    """One viewer's state: the snapshot, whose turn it is, the action types that he is asked for."""

    snapshot: dict[str, Any]
    turn: int | None
    seat: int | None
    kinds: list[str]
    window: list[str]


def states(game: AnyGame, script: Script) -> Iterator[State]:
    """The states after the start and after each call that is not refused."""
    dealer = Dealer(bytes.fromhex(script.key), script.decks, script.first)
    options = game.options(script.ruleset, script.options)
    state, _ = game.start(options, script.seats, dealer)
    yield from position(game, state, script, 0)
    for number, call in enumerate(script.calls, 1):
        word, _, rest = call.partition(" ")
        if word == "claim":
            continue
        try:
            if word == "settle":
                pairs = msgspec.json.decode(rest, type=list[tuple[int, msgspec.Raw]])
                step = Step(claims=tuple((s, _action(game, raw)) for s, raw in pairs))
            else:
                step = Step(int(word), _action(game, rest))
            take(game, state, dealer, step)
        except Refused:
            continue
        yield from position(game, state, script, number)


def _action(game: AnyGame, raw: str | msgspec.Raw) -> Any:
    return msgspec.json.decode(raw, type=game.actions)


def position(game: AnyGame, state: Any, script: Script, number: int) -> Iterator[State]:
    """What those who are asked for something are shown now, and one of the others in turn."""
    offer = game.offer(state)
    turn = game.turn(state)
    everyone = [*range(script.seats), None]
    bystander = everyone[number % len(everyone)]
    for seat in everyone:
        claims = offer is not None and seat is not None and game.can(state, seat)
        if seat not in (turn, bystander) and not claims:
            continue
        requests: list[dict[str, Any]] = []
        kinds: list[str] = []
        if turn is not None and seat == turn:
            legal = game.legal(state, seat)
            requests.append(
                {
                    "request": "r1",
                    "kind": "turn",
                    "legal": msgspec.to_builtins(legal.actions),
                    "default": msgspec.to_builtins(game.default(state, seat)),
                    "more": legal.more,
                }
            )
            kinds += _kinds(requests[-1])
        if offer is not None and seat is not None and seat != offer.opener:
            requests.append(
                {
                    "request": "r2",
                    "kind": "claim",
                    "window": "w1",
                    "legal": msgspec.to_builtins(offer.legal),
                    "default": {"type": "decline"},
                    "can": int(game.can(state, seat)),
                }
            )
            kinds += _kinds(requests[-1]) if game.can(state, seat) else ["decline"]
        line = FakeLine(script.game, script.seats, seat)
        snapshot: dict[str, Any] = {
            "type": "snapshot",
            "table": line.table,
            "stream": line.stream,
            "epoch": "e1",
            "seq": 1,
            "info": {**line.info, "ruleset": script.ruleset},
            "seats": line.seats,
            "view": msgspec.to_builtins(game.view(state, seat)),
            "requests": requests,
        }
        if offer is not None:
            snapshot["window"] = {
                "window": "w1",
                "kinds": list(offer.kinds),
                "opener": offer.opener,
                "claim_ms": 3000,
                "grace_ms": 300,
                "ends": offer.ends,
                "left_ms": 2000,
            }
        yield State(snapshot, turn, seat, kinds, list(offer.kinds) if offer is not None else [])


def _kinds(request: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(action["type"] for action in request["legal"]))
