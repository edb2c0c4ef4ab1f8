"""Playing a game without a table: the calls that a core makes, one step after the other.

A step is either a turn action or the end of the open offer. Conformance tests, golden games and
benchmarks drive games through here; time plays no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from engines.kit.contract import Action, Ask, Decline, Event, Offer, Refused, Viewer
from engines.kit.dealer import Dealer
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream

T = TypeVar("T")
Claims = list[tuple[int, Action]]

MAX_STEPS = 50_000
"""More steps than the longest match of any game takes; a playout that gets here does not end."""


WILD_STEPS = 80
"""How long a playout takes any legal action; then the game's `random` bot chooses, because there are
games whose matches hardly ever end when all actions are equally likely (bids that cannot be kept)."""


class Step(msgspec.Struct, frozen=True):
    """One call on a game: the turn action of a seat, or, with action None, `settle` with the claims."""

    seat: int = -1
    action: Action | None = None
    claims: tuple[tuple[int, Action], ...] = ()


def copy(value: T) -> T:
    """An independent copy, by encoding and decoding."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value))


def take(game: AnyGame, state: Any, dealer: Dealer, step: Step) -> list[Event]:
    """Make the call on the state. Raises Refused."""
    if step.action is not None:
        return game.apply(state, step.seat, step.action, dealer)
    return game.settle(state, step.claims, dealer)


def viewers(game: AnyGame, state: Any) -> list[Viewer]:
    """Every seat, then the spectator."""
    return [*range(len(game.outcome(state).scores)), None]


def resolve(game: AnyGame, state: Any, offer: Offer, claims: Claims) -> Step:
    """The step that ends an offer after these accepted claims, by rank and turn order."""
    order = game.order(state, offer.opener)
    judged = [(game.claim(state, seat, action), seat, action) for seat, action in claims]
    if offer.wins == "one":
        judged = [one for one in judged if one[0].valid]
        judged.sort(key=lambda one: (one[0].rank, order.index(one[1])))
        del judged[1:]
    else:
        judged.sort(key=lambda one: order.index(one[1]))
    return Step(claims=tuple((seat, action) for _, seat, action in judged))


def accepted(game: AnyGame, state: Any, seat: int, offer: Offer) -> list[Action]:
    """The variants of the offer that the rules let this seat claim, false claims among them."""
    found = []
    for action in offer.legal:
        if not isinstance(action, Decline):
            try:
                game.claim(state, seat, action)
            except Refused:
                continue
            found.append(action)
    return found


def random_claims(game: AnyGame, state: Any, offer: Offer, stream: Stream) -> Claims:
    """Claims of seats that can (every second chance) and now and then a false one."""
    claims: Claims = []
    for seat in game.order(state, offer.opener):
        if stream.below(2 if game.can(state, seat) else 8) == 0:
            variants = accepted(game, state, seat, offer)
            if variants:
                claims.append((seat, stream.choice(variants)))
    return claims


def random_step(game: AnyGame, state: Any, stream: Stream, wild: bool = True) -> Step:
    """What happens next when everybody chooses at random; turns not wild are the `random` bot's."""
    offer = game.offer(state)
    if offer is not None:
        claims = random_claims(game, state, offer, stream)
        waits = offer.ends == "deadline" or game.turn(state) is None
        if claims or waits or stream.below(4) == 0:
            return resolve(game, state, offer, claims)
    seat = game.turn(state)
    if seat is None:
        raise RuntimeError("nobody is to act and no window is open, but the match goes on")
    legal = game.legal(state, seat)
    if wild:
        return Step(seat, stream.choice(legal.actions))
    ask = Ask("turn", legal.actions, game.default(state, seat), legal.more)
    return Step(seat, game.bots["random"](game.view(state, seat), ask, stream))


def random_steps(game: AnyGame, state: Any, dealer: Dealer, stream: Stream) -> Iterator[Step]:
    """Random steps until the match is over; the caller takes each of them on the state."""
    for number in range(MAX_STEPS):
        if game.outcome(state).finished:
            return
        yield random_step(game, state, stream, wild=number < WILD_STEPS)
    raise RuntimeError(f"{game.name}: no end after {MAX_STEPS} steps")


def playout(
    game: AnyGame, options: Any, seats: int, key: bytes, first: int | None = None
) -> tuple[Any, Sequence[Step]]:
    """A whole random match: its end state and the steps that led there."""
    dealer = Dealer(key, first=first)
    state, _ = game.start(options, seats, dealer)
    steps = []
    for step in random_steps(game, state, dealer, Stream(key, "playout")):
        take(game, state, dealer, step)
        steps.append(step)
    return state, steps
