"""Worked examples of Peeper: how each check and each table of such a file is run.

Players are A, B, C, .. for the seats 0, 1, 2, ..; tiles are 1..15 or "X". Time is not part of them: a
claim is made inside its window, a turn action after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engines.kit.contract import Action, Decline, Refused
from engines.kit.dealer import Dealer
from engines.kit.examples import subset
from engines.kit.playout import resolve, take
from engines.peeper import scoring, starter
from engines.peeper.combinations import Reading, beats, readings
from engines.peeper.game import Peeper
from engines.peeper.messages import Mine, Options, Pass, Play, Return, StarterFound
from engines.peeper.rules import hand_size
from engines.peeper.state import State
from engines.peeper.tiles import NUMBER, PIECES, RED, Tile, ordered

_GAME = Peeper()
_TILES = {str(tile): tile for tile in PIECES}


def _tiles(given: Any) -> list[Tile]:
    """Tiles as examples write them; a bare one stands for a list of one."""
    listed = given if isinstance(given, list) else [given]
    return [_TILES[str(tile).upper() if str(tile) in "xX" else str(tile)] for tile in listed]


def _name(seat: int | None) -> str | None:
    return None if seat is None else chr(ord("A") + seat)


def _seat(player: str) -> int:
    return ord(player) - ord("A")


def _named(found: Sequence[Reading]) -> list[dict[str, Any]]:
    named = [{"kind": kind, "rank": low, "tiles": size} for kind, low, size in found]
    return sorted(named, key=_by_kind_and_rank)


def _by_kind_and_rank(one: Mapping[str, Any]) -> tuple[str, int]:
    return one["kind"], one["rank"]


def _reading(given: Mapping[str, Any]) -> Reading:
    return Reading(given["kind"], given["rank"], given["tiles"])


# -- combinations ----------------------------------------------------------------------------------------
def classify(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Every reading of the tiles."""
    found = readings(_tiles(vector["given"]["tiles"]))
    return sorted(vector["expect"], key=_by_kind_and_rank), _named(found)


def respond(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """The readings of the tiles that beat the table."""
    table = _reading(vector["given"]["table"])
    found = [one for one in readings(_tiles(vector["given"]["tiles"])) if beats(one, table)]
    return sorted(vector["expect"], key=_by_kind_and_rank), _named(found)


def classify_row(row: Sequence[Any]) -> tuple[Any, Any]:
    """A row [tiles, readings]."""
    tiles, expect = row
    return sorted(map(tuple, expect)), sorted(map(tuple, readings(_tiles(tiles))))


def response_row(row: Sequence[Any]) -> tuple[Any, Any]:
    """A row [reading on the table, tiles, readings that beat it]."""
    table, tiles, expect = row
    lying = Reading(*table)
    found = [tuple(one) for one in readings(_tiles(tiles)) if beats(one, lying)]
    return sorted(map(tuple, expect)), sorted(found)


# -- sequences --------------------------------------------------------------------------------------------
def _state(given: Mapping[str, Any], options: Options) -> State:
    """A round in progress: the leader is about to lead."""
    hands = [ordered(_tiles(tiles)) for _, tiles in sorted(given["hands"].items())]
    leader = _seat(given.get("leader", "A"))
    return State(
        options=options,
        round=1,
        hands=hands,
        unused=[],
        starter=StarterFound(leader, "lots"),
        turn=leader,
        top=None,
        last=None,
        passed=[],
        chance=None,
        announced=[False] * len(hands),
        scores=[0] * len(hands),
        sheet=[],
    )


def _action(given: Mapping[str, Any]) -> Action:
    do = given["do"]
    if do == "pass":
        return Pass()
    if do == "decline":
        return Decline()
    if do == "mine":
        return Mine(_tiles(given["tiles"]))
    if do == "return":
        return Return(_tiles(given["tiles"]))
    kind, low = given.get("as", given.get("kind")), given.get("low", given.get("rank"))
    return Play(_tiles(given["tiles"]), kind=kind, low=low)


class _Table:
    """Takes the actions of a sequence one after the other, claims inside their window.

    Two can claim at once with `wild_mine` only: then claims wait for the window's end.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.dealer = Dealer(b"examples", first=state.turn)
        self.claims: list[tuple[int, Action]] = []

    def close(self) -> None:
        """Let the window end with the best of the claims made in it."""
        offer = _GAME.offer(self.state)
        if offer is not None and self.claims:
            claims, self.claims = self.claims, []
            take(_GAME, self.state, self.dealer, resolve(_GAME, self.state, offer, claims))

    def act(self, seat: int, action: Action) -> bool:
        """Whether the rules allow it."""
        try:
            if isinstance(action, Mine | Return):
                self.claim(seat, action)
            elif isinstance(action, Decline):
                return self.state.chance is not None and seat != self.state.chance.opener
            else:
                self.close()
                _GAME.apply(self.state, seat, action, self.dealer)
        except Refused:
            return False
        return True

    def claim(self, seat: int, action: Mine | Return) -> None:
        chance = self.state.chance
        other_kind = chance is not None and (chance.kind == "mine") != isinstance(action, Mine)
        if other_kind:
            self.close()
        _GAME.claim(self.state, seat, action)
        self.claims = [claim for claim in self.claims if claim[0] != seat] + [(seat, action)]
        if not self.state.options.wild_mine:
            self.close()


def sequence(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Actions in order from given hands, and the facts of the position that they lead to."""
    given = vector["given"]
    options = msgspec.convert(vector.get("options") or given.get("options") or {}, Options)
    table = _Table(_state(given, options))
    actions = given.get("actions") or vector["actions"]
    allowed = [table.act(_seat(one["player"]), _action(one)) for one in actions]
    table.close()
    facts = _facts(table.state)
    facts["results"] = ["ok" if ok else "illegal" for ok in allowed]
    return subset(vector["expect"], facts)


def _facts(state: State) -> dict[str, Any]:
    players = [_name(seat) for seat in range(len(state.hands))]
    top = state.top
    winner = next((seat for seat, hand in enumerate(state.hands) if not hand), None)
    return {
        "turn": None if state.finished else _name(state.turn),
        "leading": not state.finished and top is None,
        "winner": _name(winner),
        "counts": dict(zip(players, map(len, state.hands), strict=True)),
        "hands": {
            player: [tile if tile == "X" else NUMBER[tile] for tile in hand]
            for player, hand in zip(players, state.hands, strict=True)
        },
        "table": None
        if top is None
        else {"kind": top.kind, "rank": top.low, "tiles": len(top.tiles)},
        "finished": state.finished,
        "points": state.sheet[-1] if state.sheet else None,
        "scores": dict(zip(players, state.scores, strict=True)),
    }


# -- deal, starter, ranking --------------------------------------------------------------------------------
def find_starter(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Who starts: one player, or lots among some."""
    given = vector["given"]
    hands = [_tiles(tiles) for _, tiles in sorted(given["hands"].items())]
    holder = given.get("red1_holder")
    if holder is not None:
        hand = hands[_seat(holder)]
        hand[hand.index("1")] = RED
    flips = given.get("flips") or {}
    unused = _tiles([flips[player] for player in sorted(flips)])
    unused += ["2"] * (given.get("unused", 0) - len(unused))
    found = starter.search(hands, unused)
    if found.lots:
        return vector["expect"], {
            "result": "random",
            "players": [_name(seat) for seat in found.lots],
        }
    return vector["expect"], {"result": "player", "players": _name(found.seat)}


def rank(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Places and points of what is left."""
    given = vector["given"]
    options = msgspec.convert(vector.get("options", {}), Options)
    ranked = scoring.places(given["counts"], given["sums"], options.rank_by, options.tie)
    return subset(vector["expect"], {"places": ranked, "points": scoring.points(ranked)})


def deal(vector: Mapping[str, Any]) -> tuple[Any, Any]:
    """Tiles a player, and unused ones."""
    players = vector["given"]["players"]
    each = hand_size(players)
    return subset(vector["expect"], {"each": each, "unused": len(PIECES) - each * players})


CHECKS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "classify": classify,
    "respond": respond,
    "sequence": sequence,
    "starter": find_starter,
    "rank": rank,
    "deal": deal,
}
TABLES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "classify": classify_row,
    "responses": response_row,
}
