"""Engines alone, in this process: random playouts with the views of all viewers.

    python -m loadtests.engines [--games peeper …] [--seconds 2] [--windows 5] [--write]

`applied`: recorded random playouts are applied again, with a view for every seat and the spectators
after each action. `whole`: listing what is legal and choosing are in it too. Then the slowest listing of
64 legal actions and the slowest reading of chosen pieces, each the best of three tries a position, over
positions of playouts and, for Peeper, over hands with four X.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engines.kit.contract import Refused, pieces_of
from engines.kit.dealer import Dealer
from engines.kit.playout import copy, playout, random_steps, take, viewers
from engines.kit.registry import AnyGame, load
from engines.kit.stream import Stream
from loadtests import results
from loadtests.figures import spread
from loadtests.results import Report, Target, parser, progress

ACTIONS_S = 20_000
READING_MS, LISTING_MS = 1, 3
ABOUT = (
    "Recorded random playouts at every number of seats in turn are applied again in one process, with the"
    " views of all seats and of the spectators after each action; then with listing what is legal and"
    " choosing. Listings and readings are the slowest over many positions (for Peeper also over hands"
    " with four X), each the best of three tries."
)
POSITIONS = 400
"""Positions a game whose legal actions are timed."""
CHOSEN = 3
"""Legal actions a position whose pieces are read again."""


class Match(msgspec.Struct):
    """A playout to be applied again."""

    seats: int
    key: bytes
    steps: list[Any]


def matches(game: AnyGame, count: int) -> list[Match]:
    """So many random playouts at as many seats as the game allows, one number after the other."""
    made = []
    for number in range(count):
        seats = game.min_seats + number % (game.max_seats - game.min_seats + 1)
        key = number.to_bytes(32, "big")
        _, steps = playout(game, game.options(), seats, key)
        made.append(Match(seats, key, list(steps)))
    return made


def applied(game: AnyGame, match: Match) -> int:
    """Apply a playout's steps again with all views; how many there were."""
    dealer = Dealer(match.key)
    state, _ = game.start(game.options(), match.seats, dealer)
    everyone = viewers(game, state)
    view = game.view
    for step in match.steps:
        take(game, state, dealer, step)
        for viewer in everyone:
            view(state, viewer)
    return len(match.steps)


def whole(game: AnyGame, match: Match) -> int:
    """Play the playout anew, choosing included; how many steps there were."""
    dealer = Dealer(match.key)
    state, _ = game.start(game.options(), match.seats, dealer)
    everyone = viewers(game, state)
    count = 0
    for step in random_steps(game, state, dealer, Stream(match.key, "playout")):
        take(game, state, dealer, step)
        for viewer in everyone:
            game.view(state, viewer)
        count += 1
    return count


def rate(
    work: Callable[[AnyGame, Match], int],
    game: AnyGame,
    made: list[Match],
    seconds: float,
    windows: int,
) -> list[float]:
    """Actions a second of CPU, one value a window."""
    rates = []
    at = 0
    for _ in range(windows):
        count, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            count += work(game, made[at % len(made)])
            at += 1
        rates.append(count / spent)
    return rates


def slowest(game: AnyGame, made: list[Match]) -> tuple[float, float]:
    """The slowest listing and the slowest reading, in ms."""
    listing = reading = 0.0
    positions = hard_hands(game) if game.name == "peeper" else iter(())
    for state, seat in (*positions, *_positions(game, made)):
        legal = game.legal(state, seat).actions
        listing = max(listing, _best(game.legal, state, seat))
        for action in legal[:: max(1, len(legal) // CHOSEN)]:
            pieces = pieces_of(action)
            reading = max(
                reading,
                _best(_explain, game, state, seat, pieces),
                _best(game.check, state, seat, action),
            )
    return listing, reading


def _explain(game: AnyGame, state: Any, seat: int, pieces: list[str]) -> None:
    try:
        game.explain(state, seat, pieces)
    except Refused:
        return  # a pass, say, has no pieces to be read


def _positions(game: AnyGame, made: list[Match]) -> Iterator[tuple[Any, int]]:
    found = 0
    for match in made:
        dealer = Dealer(match.key)
        state, _ = game.start(game.options(), match.seats, dealer)
        for step in match.steps:
            seat = game.turn(state)
            if seat is not None and found < POSITIONS:
                found += 1
                yield copy(state), seat
            take(game, state, dealer, step)


def hard_hands(game: AnyGame) -> Iterator[tuple[Any, int]]:
    """Leads of Peeper hands with all four X, whose readings are the most."""
    pieces = list(game.pieces(game.options()))
    others = [piece for piece in pieces if piece != "X"]
    for number in range(50):
        stream = Stream(number.to_bytes(32, "big"), "hard hands")
        stream.shuffle(others)
        deck = [*others[:12], "X", "X", "X", "X", *others[12:]]
        for first in range(4):
            state, _ = game.start(game.options(), 4, Dealer(bytes(32), [deck], first=first))
            if game.turn(state) == 0:
                yield state, 0
                break


def _best(work: Callable[..., Any], *args: Any) -> float:
    times = []
    for _ in range(3):
        began = time.perf_counter()
        work(*args)
        times.append(time.perf_counter() - began)
    return min(times) * 1e3


HEAD = (
    "game", "seats", "applied with all views, actions a second", "choosing included",
    "slowest listing of 64, ms", "slowest reading, ms",
)  # fmt: skip


def main() -> None:
    """The command."""
    options = parser("engines")
    options.add_argument("--games", nargs="+", default=None)
    options.add_argument("--seconds", type=float, default=2.0, help="CPU seconds a window")
    options.add_argument("--windows", type=int, default=5)
    options.add_argument("--matches", type=int, default=10, help="recorded playouts a game")
    args = options.parse_args()
    report = Report("Engines", ABOUT)
    rows, found = [], []
    for name, game in load().items():
        if args.games is not None and name not in args.games:
            continue
        made = matches(game, args.matches)
        again = rate(applied, game, made, args.seconds, args.windows)
        anew = rate(whole, game, made, args.seconds, args.windows)
        listing, reading = slowest(game, made)
        seats = f"{game.min_seats}-{game.max_seats}"
        rows.append([name, seats, spread(again), spread(anew), f"{listing:.2f}", f"{reading:.2f}"])
        progress(" | ".join(rows[-1]))
        reached = 1e6 / statistics.median(again)
        found.append(Target(6, f"{name}, µs an applied action", reached, 1e6 / ACTIONS_S))
        found.append(Target(6, f"{name}, first 64 legal actions, ms", listing, LISTING_MS))
        found.append(Target(6, f"{name}, legality and readings, ms", reading, READING_MS))
    report.add(results.table(HEAD, rows), results.targets(found))
    report.conclude(args.write)


if __name__ == "__main__":
    main()
