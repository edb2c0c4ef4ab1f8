"""Mine and Return: what is offered, who can, and what a claim is worth (rules/peeper: Mine and Return)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from engines.kit.contract import Action, Claim, Decline, Offer, Refused
from engines.peeper.messages import Mine, Return
from engines.peeper.state import Chance, State
from engines.peeper.tiles import NAMES, NUMBER, RED, WILD, Tile, X, lacks


def _naturals(number: int) -> list[Tile]:
    """The tiles of a number: of 1 there are two sorts."""
    return [RED, "1"] if number == 1 else [NAMES[number]]


@lru_cache(maxsize=64)
def variants(kind: Literal["mine", "return"], number: int, wild: bool) -> tuple[Action, ...]:
    """Every claim that anybody could make on this number, the one with an X last, then `decline`."""
    tiles = _naturals(number)
    if kind == "return":
        return (*(Return([tile]) for tile in tiles), Decline())
    claims = [Mine(["1", "1"]), Mine([RED, "1"])] if number == 1 else [Mine(tiles * 2)]
    if wild and number != X:
        claims += [Mine([tile, WILD]) for tile in tiles]
    return (*claims, Decline())


def offer(state: State) -> Offer | None:
    """The open window; the same whatever anybody holds."""
    chance = state.chance
    if chance is None:
        return None
    return Offer(
        kinds=(chance.kind,),
        opener=chance.opener,
        legal=variants(chance.kind, chance.number, state.options.wild_mine),
        claim_ms=state.options.claim_ms,
        ends="next_action",
        wins="one",
        beside=True,
    )


def _holds(hand: list[Tile], number: int) -> int:
    return sum(hand.count(tile) for tile in _naturals(number))


def can(state: State, seat: int) -> bool:
    """Whether the seat holds a valid claim on the open chance."""
    chance = state.chance
    if chance is None or seat == chance.opener:
        return False
    hand = state.hands[seat]
    held = _holds(hand, chance.number)
    if chance.kind == "return":
        return held >= 1
    wild = state.options.wild_mine and chance.number != X and held and WILD in hand
    return held >= 2 or bool(wild)


def judge(state: State, seat: int, action: Action) -> Claim:
    """The claim's rank: 0 with natural tiles, 1 with an X. Raises Refused; changes nothing."""
    chance = state.chance
    if state.finished:
        raise Refused("match_over", code="match_over")
    if not isinstance(action, Mine | Return):
        raise Refused("no_claim")
    if chance is None:
        raise Refused("too_late", code="claim_closed")
    if isinstance(action, Mine) != (chance.kind == "mine"):
        raise Refused("mine_on_mine" if chance.kind == "return" else "nothing_to_return")
    if seat == chance.opener:
        raise Refused("own_single" if chance.kind == "mine" else "own_mine")
    missing = lacks(state.hands[seat], action.tiles)
    if missing is not None:
        raise Refused("not_held", tile=missing)
    numbers = [NUMBER[tile] for tile in action.tiles]
    if isinstance(action, Return):
        return _return(numbers, chance)
    return _mine(numbers, chance, state.options.wild_mine)


def _return(numbers: list[int], chance: Chance) -> Claim:
    if len(numbers) != 1:
        raise Refused("return_one")
    if numbers[0] != chance.number:
        raise Refused("return_number", tile=NAMES[chance.number])
    return Claim()


def _mine(numbers: list[int], chance: Chance, wild_mine: bool) -> Claim:
    if len(numbers) != 2:
        raise Refused("mine_two")
    if numbers == [chance.number, chance.number]:
        return Claim()
    if sorted(numbers) == [chance.number, X]:
        if wild_mine:
            return Claim(rank=1)
        raise Refused("mine_wild")
    raise Refused("mine_number", tile=NAMES[chance.number])


# -- standing orders -----------------------------------------------------------------------------------
_NUMBERS = frozenset(NAMES)


def check_orders(orders: Mapping[str, Any]) -> None:
    """Orders are {"mine": numbers, "return": numbers, "decline": ["mine", "return"]}, each optional or None.

    numbers: "all", or a list of "1".."15" and "X". Raises Refused.
    """
    for order, value in orders.items():
        if value is None:
            continue
        if order == "decline":
            known: frozenset[str] = frozenset(("mine", "return"))
        elif order in ("mine", "return"):
            if value == "all":
                continue
            known = _NUMBERS
        else:
            raise Refused("unknown_order", order=str(order)[:40])
        listed = isinstance(value, list | tuple)
        if not listed or not all(isinstance(one, str) and one in known for one in value):
            raise Refused("decline_order" if order == "decline" else "number_order", order=order)


def standing(state: State, seat: int, orders: Mapping[str, Any]) -> Action | None:
    """What these orders answer to the open chance: the claim, `decline`, or nothing.

    An order to mine lays natural tiles only, never an X for a number.
    """
    chance = state.chance
    if chance is None or seat == chance.opener:
        return None
    wanted = orders.get(chance.kind) or ()
    if wanted == "all" or NAMES[chance.number] in wanted:
        hand = state.hands[seat]
        for action in variants(chance.kind, chance.number, False)[:-1]:
            if isinstance(action, Mine | Return) and lacks(hand, action.tiles) is None:
                return action
    return Decline() if chance.kind in (orders.get("decline") or ()) else None
