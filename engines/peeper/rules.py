"""What happens: deals, turns, claims that won, ends of rounds. Check first, change afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from engines.kit.contract import Action, Event, Refused
from engines.kit.dealer import Dealer
from engines.peeper import claims, scoring, starter
from engines.peeper.combinations import Reading
from engines.peeper.messages import (
    CountAnnounced,
    Last,
    Mine,
    Mined,
    Options,
    Pass,
    Passed,
    Play,
    Played,
    Return,
    Returned,
    RoundEnded,
    RoundStarted,
    StarterFound,
    Top,
    TrickWon,
)
from engines.peeper.reading import resolve
from engines.peeper.state import Chance, State, after
from engines.peeper.tiles import PIECES, Tile, ordered, total, without


def hand_size(seats: int) -> int:
    """Tiles a seat (rules/peeper: Deal)."""
    return 16 if seats <= 4 else 60 // seats


def start(options: Options, seats: int, dealer: Dealer) -> tuple[State, list[Event]]:
    """A new match with its first round dealt."""
    # The direction is drawn whether it is needed or not: a record names the direction as drawn, and
    # the lots after it must fall the same way when it is played again.
    way = dealer.draw(2)
    if options.direction == "random":
        drawn = "counterclockwise" if way else "clockwise"
        options = msgspec.structs.replace(options, direction=drawn)
    state = State(
        options=options,
        round=0,
        hands=[[] for _ in range(seats)],
        unused=[],
        starter=StarterFound(0, "lots"),
        turn=0,
        top=None,
        last=None,
        passed=[],
        chance=None,
        announced=[],
        scores=[0] * seats,
        sheet=[],
    )
    events: list[Event] = []
    _deal(state, dealer, events)
    return state, events


def _deal(state: State, dealer: Dealer, events: list[Event]) -> None:
    seats = len(state.hands)
    size = hand_size(seats)
    deck = cast("list[Tile]", dealer.deck(PIECES))
    state.round += 1
    state.hands = [ordered(deck[size * seat : size * (seat + 1)]) for seat in range(seats)]
    state.unused = deck[size * seats :]
    state.starter = starter.find(state.hands, state.unused, dealer)
    state.top = state.last = state.chance = None
    state.passed = []
    state.announced = [False] * seats
    way = state.options.direction
    events.append(
        RoundStarted(
            round=state.round,
            direction="clockwise" if way == "random" else way,
            counts=[size] * seats,
            unused=len(state.unused),
            hands=state.hands,
            secret=state.options.show_counts == "low",
        )
    )
    events.append(state.starter)
    _begin_turn(state, state.starter.seat, events)


def _begin_turn(state: State, seat: int, events: list[Event]) -> None:
    """Give the turn; a short hand is called (rules/peeper: Announcements)."""
    state.turn = seat
    left = len(state.hands[seat])
    if left <= state.options.announce_at:
        if not state.announced[seat]:
            state.announced = [known or one == seat for one, known in enumerate(state.announced)]
        events.append(CountAnnounced(seat, left))


# -- turns ---------------------------------------------------------------------------------------------
def check(state: State, seat: int, action: Action) -> Reading | None:
    """The reading of a play, None for a pass. Raises Refused."""
    if state.finished:
        raise Refused("match_over", code="match_over")
    if not isinstance(action, Play | Pass):
        raise Refused("no_turn_action")
    if seat != state.turn:
        raise Refused("not_your_turn", code="not_your_turn")
    if isinstance(action, Pass):
        if state.top is None:
            raise Refused("leader_passes")
        return None
    return resolve(state.hands[seat], action, state.top)


def apply(state: State, seat: int, action: Action, dealer: Dealer) -> list[Event]:
    """Take a turn action; it ends the chance that was open."""
    reading = check(state, seat, action)
    events: list[Event] = []
    state.chance = None
    if isinstance(action, Play) and reading is not None:
        _play(state, seat, ordered(action.tiles), reading, dealer, events)
    else:
        _pass(state, seat, events)
    return events


def _play(
    state: State,
    seat: int,
    tiles: list[Tile],
    reading: Reading,
    dealer: Dealer,
    events: list[Event],
) -> None:
    left, secret = _lay(state, seat, tiles)
    kind, low, _ = reading
    state.top = Top(seat, tiles, kind, low)
    state.last = Last(seat, "play", tiles, kind, low)
    state.passed = []
    events.append(Played(seat, tiles, kind, low, left, secret))
    if not left:
        _end_round(state, seat, dealer, events)
        return
    if kind == "single":
        state.chance = Chance("mine", low, seat)
    _begin_turn(state, after(state, seat), events)


def _pass(state: State, seat: int, events: list[Event]) -> None:
    top = state.top
    assert top is not None
    state.last = Last(seat, "pass")
    state.passed = [*state.passed, seat]
    events.append(Passed(seat))
    if len(state.passed) < len(state.hands) - 1:
        _begin_turn(state, after(state, seat), events)
        return
    events.append(TrickWon(top.seat))
    state.top = None
    state.passed = []
    _begin_turn(state, top.seat, events)


def _lay(state: State, seat: int, tiles: list[Tile]) -> tuple[int, bool]:
    """Take the tiles from the hand: how many are left, and whether others may not know it."""
    hand = without(state.hands[seat], tiles)
    left = len(hand)
    hands = state.hands.copy()
    hands[seat] = hand
    state.hands = hands
    if left <= state.options.announce_at and not state.announced[seat]:
        state.announced = [known or one == seat for one, known in enumerate(state.announced)]
    hidden = state.options.show_counts == "low" and left > 0
    return left, hidden and not state.announced[seat]


# -- claims --------------------------------------------------------------------------------------------
def settle(state: State, won: Sequence[tuple[int, Action]], dealer: Dealer) -> list[Event]:
    """End the open chance with the claim that won, or with none."""
    if state.chance is None:
        raise Refused("too_late", code="claim_closed")
    if not won:
        state.chance = None
        return []
    if len(won) > 1:
        raise ValueError("only one claim wins a Mine or a Return")
    ((seat, action),) = won
    claims.judge(state, seat, action)
    events: list[Event] = []
    if isinstance(action, Mine | Return):
        _take_lead(state, seat, action, dealer, events)
    return events


def _take_lead(
    state: State, seat: int, action: Mine | Return, dealer: Dealer, events: list[Event]
) -> None:
    chance = state.chance
    assert chance is not None
    tiles = ordered(action.tiles)
    left, secret = _lay(state, seat, tiles)
    state.top = state.chance = None
    state.passed = []
    if isinstance(action, Mine):
        state.last = Last(seat, "mine", tiles)
        events.append(Mined(seat, tiles, left, secret))
        if left:
            state.chance = Chance("return", chance.number, seat)
    else:
        state.last = Last(seat, "return", tiles)
        events.append(Returned(seat, tiles, left, secret))
    if not left:
        _end_round(state, seat, dealer, events)
        return
    # The claim's own call names what is left; the turn that it begins needs no second one.
    state.turn = seat


# -- the end of a round ----------------------------------------------------------------------------------
def _end_round(state: State, winner: int, dealer: Dealer, events: list[Event]) -> None:
    options = state.options
    left = [len(hand) for hand in state.hands]
    sums = [total(hand) for hand in state.hands]
    ranked = scoring.places(left, sums, options.rank_by, options.tie)
    points = scoring.points(ranked)
    state.scores = [score + won for score, won in zip(state.scores, points, strict=True)]
    state.sheet = [*state.sheet, points]
    by_sum = "sum" in (options.rank_by, options.tie)
    events.append(
        RoundEnded(
            round=state.round,
            winner=winner,
            places=ranked,
            points=points,
            left=left,
            scores=state.scores,
            sums=sums if by_sum else None,
        )
    )
    if state.round == options.rounds:
        state.finished = True
    else:
        _deal(state, dealer, events)
