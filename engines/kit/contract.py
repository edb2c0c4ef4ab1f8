"""The contract between the table core and a game.

A game is a stateless object of functions over a state that msgspec can serialise. It knows no time,
no users, no I/O and no chance of its own (`Dealer` deals). Whoever calls it may rely on this:

- `apply`, `settle` and `claim` check first and change afterwards: when they raise `Refused`, the state
  is untouched, to the byte.
- `view` and `redact` are the only ways out of a state, and they let nothing through that the rules hide.
- The same calls with the same dealer give the same states and events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from engines.kit.dealer import Dealer
from engines.kit.stream import Stream
from engines.kit.text import Text

Viewer = int | None
"""A seat number, or None for a spectator."""


class Action(
    msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all actions; a game's action type is a tagged union of subclasses."""


class Decline(Action, frozen=True, tag="decline"):
    """The answer to a claim window of a seat that claims nothing."""


class Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of all events; what has happened, as a viewer may know it."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of a game's options; ranges stand in the annotations (msgspec.Meta), defaults are the rules'."""


class View(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one viewer sees. Clients that know no game rely on these fields.

    seat: the viewer's own seat, None for a spectator. turn: the seat to act, None between turns or
    when a window alone is open. hand: own pieces in a fixed order, empty for a spectator.
    counts: pieces in each seat's hand, None where the rules hide it. scores: booked points a seat.
    round: the current deal or round, from 1.
    """

    seat: int | None = None
    turn: int | None = None
    hand: list[str] = []
    counts: list[int | None] = []
    scores: list[int] = []
    round: int = 1


class Refused(Exception):
    """An action that the rules forbid. Nothing was changed.

    rule: key of the sentence that names the rule, in the game's catalog under `refusal.<rule>`.
    params: what the sentence's template needs. code: the wire's error code.
    """

    def __init__(self, rule: str, code: str = "illegal_action", **params: Any) -> None:
        super().__init__(rule)
        self.rule = rule
        self.code = code
        self.params = params


class Offer(msgspec.Struct, frozen=True):
    """What may be claimed out of turn right now; the same for every seat, whatever it holds.

    kinds: claim action types, e.g. ("mine",). opener: the seat whose piece opened the window; it
    gets no claim request. legal: every variant of a claim that anybody could make, then `decline`.
    claim_ms: the window's length. ends: "deadline", or "next_action" where the claim stays possible
    until the next turn action. wins: whether the best claim wins alone or all valid ones do.
    beside: whether the next actor may already submit his turn (it is held).
    """

    kinds: tuple[str, ...]
    opener: int
    legal: tuple[Action, ...]
    claim_ms: int
    ends: Literal["deadline", "next_action"]
    wins: Literal["one", "all"]
    beside: bool


class Claim(msgspec.Struct, frozen=True):
    """A claim the rules accept: a lower rank goes first; valid False is a false claim that is shown."""

    rank: int = 0
    valid: bool = True


class Legal(msgspec.Struct, frozen=True):
    """The first legal actions in the game's documented order, and whether there are more."""

    actions: list[Action]
    more: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """Where the match stands: booked scores a seat, and places (1 is best; empty while unfinished)."""

    finished: bool
    scores: list[int]
    places: list[int]


class Ask(msgspec.Struct, frozen=True):
    """What a bot is asked: kind `turn` or `claim`, the legal actions as on the wire, the default."""

    kind: Literal["turn", "claim"]
    legal: list[Action]
    default: Action
    more: bool = False
    can: bool | None = None


class Ruleset(msgspec.Struct, frozen=True):
    """A named set of option defaults; `fixed` options cannot be changed under it."""

    options: Options
    fixed: frozenset[str] = frozenset()


class OptionError(ValueError):
    """Options that cannot be used; the message names the field and what it allows."""


OptionsT = TypeVar("OptionsT", bound=Options)
StateT = TypeVar("StateT", bound=msgspec.Struct)
ViewT = TypeVar("ViewT", bound=View)
Bot = Callable[[ViewT, Ask, Stream], Action]
"""Chooses an answer from its own seat's view and the request alone."""


class Game(ABC, Generic[OptionsT, StateT, ViewT]):
    """One game's rules. Seats are 0..n-1."""

    name: ClassVar[str]
    version: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    Options: type[OptionsT]
    State: type[StateT]
    View: type[ViewT]
    actions: ClassVar[Any]
    """Tagged union of the game's action types, `Decline` among them where there are windows."""
    events: ClassVar[Any]
    """Tagged union of the game's event types."""
    claims: ClassVar[tuple[str, ...]] = ()
    """The action types that answer a window, `decline` apart."""
    rulesets: ClassVar[Mapping[str, Ruleset]]
    bots: Mapping[str, Bot[ViewT]]
    """By level: `random`, `steady`, ..."""
    reveals: ClassVar[frozenset[str]] = frozenset()
    """Types of events by which the rules show a viewer what was hidden from him and no action
    names, e.g. a drawn tile or a turned card; noninterference tests let two worlds part only there."""
    text: Text

    # -- a match ---------------------------------------------------------------------------------
    @abstractmethod
    def pieces(self, options: OptionsT) -> tuple[str, ...]:
        """Every piece of the game, in the order that lists show them; a deck holds exactly these."""

    @abstractmethod
    def start(self, options: OptionsT, seats: int, dealer: Dealer) -> tuple[StateT, list[Event]]:
        """A new match with its first round dealt. Options and seats were validated before."""

    @abstractmethod
    def turn(self, state: StateT) -> int | None:
        """The seat whose turn action is due, None when none is (match over, or only a window open)."""

    @abstractmethod
    def legal(self, state: StateT, seat: int, limit: int = 64) -> Legal:
        """The first `limit` turn actions of the seat to act. For another seat: its actions as if no
        window stood before its turn, or an empty list."""

    @abstractmethod
    def default(self, state: StateT, seat: int) -> Action:
        """The turn action that a time-out takes. Always legal."""

    @abstractmethod
    def check(self, state: StateT, seat: int, action: Action) -> None:
        """Raise Refused unless the seat may take this turn action now."""

    @abstractmethod
    def apply(self, state: StateT, seat: int, action: Action, dealer: Dealer) -> list[Event]:
        """Take a turn action: change the state in place, return the full events. Raises Refused.

        When it ends a round of a match that goes on, the next round is dealt in the same call.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome:
        """Scores and places; see the game's rules for what is booked when."""

    @abstractmethod
    def hands(self, state: StateT) -> list[list[str]]:
        """All hands, for the arbiter's view in replays; of a finished match as its last round ended."""

    def round(self, state: StateT) -> int:
        """The current deal or round, from 1; state structs have a field of this name."""
        return int(getattr(state, "round", 1))

    # -- claims ----------------------------------------------------------------------------------
    def offer(self, state: StateT) -> Offer | None:
        """The window that stands open by public rule, or None. It stands until a turn action or
        `settle`."""
        return None

    def can(self, state: StateT, seat: int) -> bool:
        """Whether the seat holds a claim that would be valid now."""
        return False

    def claim(self, state: StateT, seat: int, action: Action) -> Claim:
        """Judge a claim for the open offer without changing anything. Raises Refused."""
        raise Refused("no_window")

    def settle(
        self, state: StateT, claims: Sequence[tuple[int, Action]], dealer: Dealer
    ) -> list[Event]:
        """End the open offer: with the claim that won, with all claims (false ones too) where all
        win, nearest to the opener in turn order first, or with none. Changes the state in place."""
        raise Refused("no_window")

    def sides(self, seats: int) -> list[int]:
        """The side of each seat; partners have the same one. Everybody alone where there are none."""
        return list(range(seats))

    def order(self, state: StateT, seat: int) -> list[int]:
        """All other seats in turn order after this one."""
        seats = len(self.outcome(state).scores)
        return [(seat + i) % seats for i in range(1, seats)]

    def standing(self, state: StateT, seat: int, orders: Mapping[str, Any]) -> Action | None:
        """The claim that a seat's standing orders make in the window that has just opened, if any."""
        return None

    def check_orders(self, orders: Mapping[str, Any]) -> None:
        """Raise Refused unless these standing orders are ones that the game knows."""
        if orders:
            raise Refused("no_orders")

    # -- what viewers see ------------------------------------------------------------------------
    @abstractmethod
    def view(self, state: StateT, viewer: Viewer) -> ViewT:
        """What the viewer may know of the state."""

    @abstractmethod
    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """The event as the viewer may know it; None where he may not know of it at all."""

    @abstractmethod
    def fold(self, view: ViewT, event: Event) -> ViewT:
        """The view after a redacted event: equal to the fresh view of the same viewer once all the
        events of one call are folded."""

    @abstractmethod
    def other_world(self, state: StateT, viewer: Viewer, stream: Stream) -> StateT:
        """Another reachable state that this viewer cannot tell from this one (same view); for
        noninterference tests. What the viewer does not know is redistributed at random."""

    def explain(self, state: StateT, seat: int, pieces: Sequence[str]) -> Legal:
        """Every legal turn action of the seat with exactly these pieces. Raises Refused with the
        rule that forbids them."""
        wanted = sorted(pieces)
        found = [
            a for a in self.legal(state, seat, 100_000).actions if sorted(pieces_of(a)) == wanted
        ]
        if not found:
            raise Refused("no_action", pieces=" ".join(pieces))
        return Legal(found)

    # -- what is the same for every game ----------------------------------------------------------
    def options(
        self, ruleset: str = "standard", given: Mapping[str, Any] | None = None
    ) -> OptionsT:
        """The options of a ruleset with some changed. Raises OptionError naming field and range."""
        if ruleset not in self.rulesets:
            known = ", ".join(self.rulesets)
            raise OptionError(f"{self.name} has no ruleset {ruleset!r}; it has: {known}")
        base = self.rulesets[ruleset]
        values = msgspec.to_builtins(base.options)
        for field, value in (given or {}).items():
            if value is None and field in values:
                continue  # null and absent are the same
            if field in base.fixed and value != values[field]:
                raise OptionError(
                    f"{field} is fixed to {values[field]!r} in ruleset {ruleset}; leave it out"
                )
            values[field] = value
        try:
            return msgspec.convert(values, self.Options)
        except msgspec.ValidationError as error:
            raise OptionError(f"options of {self.name}: {error}") from None

    def check_seats(self, seats: int) -> None:
        """Raise OptionError unless the game can be played by so many."""
        if not self.min_seats <= seats <= self.max_seats:
            raise OptionError(
                f"{self.name} is for {self.min_seats} to {self.max_seats} players, not {seats}"
            )


def pieces_of(action: Action) -> list[str]:
    """The pieces that an action names, in its own order (fields `tiles`, `cards`, `tile`, `card`)."""
    found: list[str] = []
    for field in ("tiles", "cards"):
        found += getattr(action, field, ())
    for field in ("tile", "card"):
        value = getattr(action, field, None)
        if value is not None:
            found.append(value)
    return found


def places(scores: Sequence[int]) -> list[int]:
    """1 for the highest score; equal scores share the better place (1, 2, 2, 4)."""
    return [1 + sum(other > score for other in scores) for score in scores]
