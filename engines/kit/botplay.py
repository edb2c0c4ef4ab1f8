"""Matches that bots play, as a table would ask them."""

from __future__ import annotations

from typing import Any

from engines.kit.contract import Ask
from engines.kit.dealer import Dealer
from engines.kit.playout import MAX_STEPS, Step, resolve, take
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from engines.kit.violations import Violation, need, tag


def check_bots(game: AnyGame, level: str, key: bytes) -> Any:
    """A match of one level's bots with the default options; returns its end state.

    Each gets its own view, the request and a stream of its own; each answer must be legal.
    """
    bot = game.bots[level]
    seats = game.min_seats + Stream(key, "seats").below(game.max_seats - game.min_seats + 1)
    streams = [Stream(key, f"bot:{seat}") for seat in range(seats)]
    dealer = Dealer(key)
    state, _ = game.start(game.options(), seats, dealer)
    for _ in range(MAX_STEPS):
        if game.outcome(state).finished:
            return state
        step = bot_step(game, state, [bot] * seats, streams)
        take(game, state, dealer, step)
    raise Violation(f"{game.name}: {level} bots do not finish a match, key={key.hex()}")


def bot_step(game: AnyGame, state: Any, bots: list[Any], streams: list[Stream]) -> Step:
    """What bots do next: claims first, then the turn. Raises Violation for an illegal answer."""
    offer = game.offer(state)
    if offer is not None:
        claims = []
        decline = offer.legal[-1]
        for seat in game.order(state, offer.opener):
            ask = Ask("claim", list(offer.legal), decline, can=game.can(state, seat))
            answer = bots[seat](game.view(state, seat), ask, streams[seat])
            if tag(answer) != "decline":
                need(bool(ask.can), f"{game.name}: a bot claims what it cannot", answer)
                game.claim(state, seat, answer)
                claims.append((seat, answer))
        if claims or offer.ends == "deadline" or game.turn(state) is None:
            return resolve(game, state, offer, claims)
    actor = game.turn(state)
    if actor is None:
        raise Violation(f"{game.name}: nobody is to act, but the match goes on")
    legal = game.legal(state, actor)
    ask = Ask("turn", legal.actions, game.default(state, actor), legal.more)
    answer = bots[actor](game.view(state, actor), ask, streams[actor])
    game.check(state, actor, answer)
    return Step(actor, answer)
