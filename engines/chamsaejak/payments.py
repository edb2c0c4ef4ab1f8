"""Who pays whom how much. Rules: chamsaejak, "A hand": Tsumo, Ron, Short of points, False win.

Every function changes `scores` in place and returns what each seat gained or lost. Nobody goes below
0: what is not there is waived.
"""

from __future__ import annotations

from typing import Final, Literal

FALSE_WIN: Final = 2
"""What a false win costs to each other player."""

Rounding = Literal["nearest", "ceil"]


def after(seat: int, seats: int) -> list[int]:
    """The other seats, counter-clockwise from this one."""
    return [(seat + i) % seats for i in range(1, seats)]


def share(points: int, payers: int, rounding: Rounding) -> int:
    """One payer's share of a tsumo: rounded to nearest, half up, or always up."""
    if rounding == "ceil":
        return -(-points // payers)
    return (2 * points + payers) // (2 * payers)


def _pay(scores: list[int], delta: list[int], payer: int, payee: int, due: int) -> None:
    amount = min(due, scores[payer])
    scores[payer] -= amount
    scores[payee] += amount
    delta[payer] -= amount
    delta[payee] += amount


def tsumo(scores: list[int], winner: int, payout: int, rounding: Rounding) -> list[int]:
    """All others pay their shares; the winner gets what is paid."""
    delta = [0] * len(scores)
    due = share(payout, len(scores) - 1, rounding)
    for payer in after(winner, len(scores)):
        _pay(scores, delta, payer, winner, due)
    return delta


def ron(scores: list[int], winner: int, discarder: int, payout: int) -> list[int]:
    """The discarder alone pays one winner; several winners are paid by several calls, the nearest
    first."""
    delta = [0] * len(scores)
    _pay(scores, delta, discarder, winner, payout)
    return delta


def false_win(scores: list[int], player: int) -> list[int]:
    """The player pays each other one, the next counter-clockwise first."""
    delta = [0] * len(scores)
    for payee in after(player, len(scores)):
        _pay(scores, delta, player, payee, FALSE_WIN)
    return delta
