"""Worked examples of Chamsae-jak, each run on the functions and the game that tables use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engines.chamsaejak import payments
from engines.chamsaejak.course import judge, wins
from engines.chamsaejak.game import Chamsaejak
from engines.chamsaejak.messages import DISCARDS, RON, TSUMO
from engines.chamsaejak.scoring import DEALER_BONUS, ENOUGH, YAKUMAN_POINTS, Parts, score, shape
from engines.chamsaejak.state import HAND_SIZE, START_POINTS, Match
from engines.chamsaejak.tiles import PIECES, in_order
from engines.kit.contract import Action, Refused
from engines.kit.dealer import Dealer
from engines.kit.examples import Check, subset

_GAME: Final = Chamsaejak()
_WINNING: Final = ("5", "5", "5", "7", "7", "7")
"""Five points, to be won by the last 7."""


def _dealer() -> Dealer:
    return Dealer(bytes(32))


def _match(
    scores: list[int], dealer: int = 0, options: Mapping[str, Any] | None = None, **changed: Any
) -> Match:
    """A match in its first hand with these points, hands empty unless they are given."""
    seats = len(scores)
    fields: dict[str, Any] = {
        "round": 1,
        "dora": "",
        "hands": [[] for _ in scores],
        "discards": [[] for _ in range(seats)],
        "stock": list(PIECES[:10]),
        "seat": dealer,
    }
    options_ = _GAME.options("standard", options)
    return Match(options=options_, scores=list(scores), dealer=dealer, **{**fields, **changed})


def _accepts(do: Callable[[], object]) -> bool:
    try:
        do()
    except Refused:
        return False
    return True


# -- checks of points and payments -------------------------------------------------------------------
def _score(vector: Any) -> tuple[Any, Any]:
    given, options = vector["given"], _GAME.options("standard", vector.get("options"))
    parts = score(given["hand"].split(), given.get("dora"), options.all_green_allows_red)
    expect = dict(vector["expect"])
    can_win = parts is not None and parts.points >= ENOUGH
    points = None if parts is None else parts.points
    bonus = DEALER_BONUS if given.get("dealer") else 0
    facts: dict[str, Any] = {
        "points": points,
        "can_win": can_win,
        "payout": points + bonus if can_win and points is not None else 0,
        "parts": _parts(parts),
    }
    if expect.get("parts"):
        expect["parts"], facts["parts"] = subset(expect["parts"], facts["parts"])
    return subset(expect, facts)


def _parts(parts: Parts | None) -> dict[str, Any]:
    if parts is None:
        return {}
    if parts.yakuman is not None:
        yakuman_points = YAKUMAN_POINTS[parts.yakuman]
        return {"base": parts.base, "yakuman": parts.yakuman, "yakuman_points": yakuman_points}
    names = ("base", "red", "dora", "tanyao", "chanta")
    return {name: getattr(parts, name) for name in names}


def _tsumo(vector: Any) -> tuple[Any, Any]:
    given, options = vector["given"], _GAME.options("standard", vector.get("options"))
    payout = given["points"] + (DEALER_BONUS if given.get("dealer_win") else 0)
    scores = list(given["sticks"])
    share = payments.share(payout, len(scores) - 1, options.tsumo_rounding)
    delta = payments.tsumo(scores, given["winner"], payout, options.tsumo_rounding)
    return subset(vector["expect"], {"share": share, "delta": delta, "sticks": scores})


def _ron(vector: Any) -> tuple[Any, Any]:
    given = vector["given"]
    scores, discarder = list(given["sticks"]), given["discarder"]
    payouts = {int(seat): payout for seat, payout in given["payouts"].items()}
    delta = [0] * len(scores)
    for seat in payments.after(discarder, len(scores)):
        if seat in payouts:
            paid = payments.ron(scores, seat, discarder, payouts[seat])
            delta = [a + b for a, b in zip(delta, paid, strict=True)]
    return subset(vector["expect"], {"delta": delta, "sticks": scores})


def _false_win(vector: Any) -> tuple[Any, Any]:
    """The player draws, declares a tsumo that is none, and is still to discard."""
    given = vector["given"]
    player, sticks = given["player"], list(given["sticks"])
    hands: list[list[str]] = [[] for _ in sticks]
    hands[player] = ["1", "2", "4", "5", "7", "8"]
    options = {**vector.get("options", {}), "false_win": "penalty"}
    state = _match(sticks, player, options, hands=hands, drawn="8")
    _GAME.apply(state, player, TSUMO, _dealer())
    delta = [now - was for now, was in zip(state.scores, sticks, strict=True)]
    only_discards = _GAME.legal(state, player).actions == [DISCARDS[t] for t in hands[player]]
    goes_on = _GAME.turn(state) == player and state.round == 1 and only_discards
    facts = {"delta": delta, "sticks": list(state.scores), "hand_resumes": goes_on}
    return subset(vector["expect"], facts)


# -- checks of what is allowed, and of the course of a match -----------------------------------------
def _legality(vector: Any) -> tuple[Any, Any]:
    """Seat 0 holds the hand and draws, or seat 1 discards before it."""
    given = vector["given"]
    discards = [given.get("my_discards", "").split(), []]
    fields: dict[str, Any] = {"dora": given.get("dora") or "", "discards": discards}
    if "stock" in given:
        fields["stock"] = list(PIECES[: given["stock"]])
    hand = given["hand"].split()
    facts: dict[str, Any] = {"ron": False, "tsumo": False}
    if "draw" in given:
        fields |= {"hands": [in_order([*hand, given["draw"]]), []], "drawn": given["draw"]}
        state = _match([START_POINTS] * 2, 0, vector.get("options"), **fields)
        accepted = _accepts(lambda: _GAME.check(state, 0, TSUMO))
        facts["tsumo"] = accepted and wins(state, 0, "tsumo")
        parts = judge(state, 0, "tsumo").parts
    else:
        discards[1].append(given["discard"])
        fields |= {"hands": [in_order(hand), []], "seat": 1}
        state = _match([START_POINTS] * 2, 0, vector.get("options"), **fields)
        facts["ron"] = _accepts(lambda: _GAME.claim(state, 0, RON)) and _GAME.can(state, 0)
        parts = judge(state, 0, "ron").parts
    facts["points"] = None if parts is None else parts.points
    return subset(vector["expect"], facts)


def _setup(vector: Any) -> tuple[Any, Any]:
    players = vector["given"]["players"]
    options = _GAME.options("standard", vector.get("options"))
    state, _ = _GAME.start(options, players, _dealer())
    facts = {
        # The dealer's first draw came with the deal.
        "stock": len(state.stock) + 1,
        "hands": state.hands_in_match,
        "sticks": sum(state.scores),
        "hand_size": HAND_SIZE,
        "tiles": len(PIECES),
    }
    return subset(vector["expect"], facts)


def _next_dealer(vector: Any) -> tuple[Any, Any]:
    """The hand ends as the result says, on the table."""
    given = vector["given"]
    dealer, players, result = given["dealer"], given["players"], given.get("result", "")
    winner = dealer
    if "dealer" not in result or "non" in result:
        winner = (dealer + 1) % players
    hands: list[list[str]] = [[] for _ in range(players)]
    scores = [START_POINTS] * players
    if "tsumo" in result:
        hands[winner] = list(_WINNING)
        state = _match(scores, dealer, seat=winner, hands=hands, drawn=_WINNING[-1])
        _GAME.apply(state, winner, TSUMO, _dealer())
    else:
        discarder = (winner + 1) % players
        discards: list[list[str]] = [[] for _ in range(players)]
        discards[discarder] = [_WINNING[-1]]
        hands[winner] = list(_WINNING[:-1])
        state = _match(scores, dealer, seat=discarder, hands=hands, discards=discards, stock=[])
        claims: list[tuple[int, Action]] = [(winner, RON)] if "ron" in result else []
        _GAME.settle(state, claims, _dealer())
    return subset(vector["expect"], {"next_dealer": state.dealer})


# -- tables ------------------------------------------------------------------------------------------
def _row(row: Any) -> tuple[Any, Any]:
    """A complete hand by face: the sets' points, tanyao, chanta, yakuman."""
    found = shape(row[0].split())
    if found is None:
        return row[1:], None
    return row[1:], [found.base, found.tanyao, found.chanta, found.yakuman]


CHECKS: Final[dict[str, Check]] = {
    "score": _score,
    "tsumo": _tsumo,
    "ron": _ron,
    "false_win": _false_win,
    "legality": _legality,
    "setup": _setup,
    "next_dealer": _next_dealer,
}
TABLES: Final[dict[str, Check]] = {"rows": _row}
