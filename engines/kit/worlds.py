"""Noninterference: two worlds that a viewer cannot tell apart stay so, but for what the rules show."""

from __future__ import annotations

from typing import Any

import msgspec

from engines.kit.contract import Event, Refused, Viewer
from engines.kit.dealer import Dealer
from engines.kit.playout import Step, accepted, copy, take, viewers
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from engines.kit.violations import Report, as_json, need, tag


def check_worlds(
    game: AnyGame,
    was: Any,
    now: Any,
    dealer: Dealer,
    step: Step,
    events: list[Event],
    stream: Stream,
    report: Report,
) -> None:
    """For every viewer: another world than `was` looks the same and, after the same step, still does.

    now: the real state after the step; dealer: as it was before; events: the step's full events.
    """
    for viewer in viewers(game, was):
        before = msgspec.msgpack.encode(was)
        other = game.other_world(was, viewer, stream)
        need(msgspec.msgpack.encode(was) == before, "other_world changed the state")
        report.worlds += 1
        report.different_worlds += msgspec.msgpack.encode(other) != before
        check_alike(game, was, other, viewer)
        try:
            elsewhere = take(game, other, copy(dealer), step)
        except Refused as error:
            own = step.action is not None and step.seat == viewer
            need(not own, "an own action is legal in one world only", viewer, step, error)
            continue
        if same_events(game, viewer, events, elsewhere):
            here, there = game.view(now, viewer), game.view(other, viewer)
            same = as_json(here) == as_json(there)
            need(same, "views part after equal events", viewer, as_json(here), as_json(there))


def check_deal(
    game: AnyGame, options: Any, seats: int, key: bytes, stream: Stream, swaps: int = 6
) -> None:
    """Two deals that leave a viewer's view the same are told to him in the same events."""
    deck = list(game.pieces(options))
    stream.shuffle(deck)
    state, events = game.start(options, seats, Dealer(key, [deck], first=0))
    for _ in range(swaps):
        changed = deck.copy()
        one, two = stream.below(len(deck)), stream.below(len(deck))
        changed[one], changed[two] = changed[two], changed[one]
        other, told = game.start(options, seats, Dealer(key, [changed], first=0))
        for viewer in viewers(game, state):
            if as_json(game.view(state, viewer)) == as_json(game.view(other, viewer)):
                same_events(game, viewer, events, told)


def check_alike(game: AnyGame, state: Any, other: Any, viewer: Viewer) -> None:
    """The viewer sees and may do the same in both worlds."""
    here, there = as_json(game.view(state, viewer)), as_json(game.view(other, viewer))
    need(here == there, "views of two worlds", viewer, here, there)
    need(game.turn(state) == game.turn(other), "turns of two worlds")
    offer = game.offer(state)
    need(offer == game.offer(other), "offers of two worlds", viewer)
    if viewer is None:
        return
    need(game.can(state, viewer) == game.can(other, viewer), "`can` of two worlds", viewer)
    if game.turn(state) == viewer:
        legal = game.legal(state, viewer) == game.legal(other, viewer)
        default = game.default(state, viewer) == game.default(other, viewer)
        need(legal and default, "own legal actions of two worlds", viewer)
    if offer is not None and viewer != offer.opener:
        same = accepted(game, state, viewer, offer) == accepted(game, other, viewer, offer)
        need(same, "own claims of two worlds", viewer)


def same_events(game: AnyGame, viewer: Viewer, here: list[Event], there: list[Event]) -> bool:
    """Whether the redacted events are equal; raises Violation where they part without a reveal."""
    ours = [one for one in (game.redact(event, viewer) for event in here) if one is not None]
    theirs = [one for one in (game.redact(event, viewer) for event in there) if one is not None]
    for one, two in zip(ours, theirs, strict=False):
        if as_json(one) != as_json(two):
            known = {tag(one), tag(two)} <= game.reveals
            need(known, "an event tells of what is hidden", viewer, as_json(one), as_json(two))
            return False
    rest = ours[len(theirs) :] + theirs[len(ours) :]
    if rest:
        known = tag(rest[0]) in game.reveals
        need(known, "an event tells of what is hidden", viewer, as_json(rest))
    return not rest
