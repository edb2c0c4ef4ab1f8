"""Options, actions, events and view of Echo."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from engines.kit import contract
from engines.kit.contract import Action, Decline, Event

Card = Literal["1", "2", "3", "4"]
PIECES: Final = tuple(card for card in "1234" for _ in range(3))


class Options(contract.Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """cards: dealt to each player; claim_ms: how long a card can be echoed."""

    cards: Annotated[int, Meta(ge=2, le=3)] = 3
    claim_ms: Annotated[int, Meta(ge=100, le=5000)] = 1000


class Play(Action, frozen=True, tag="play"):
    """Lay a card."""

    card: Card


class EchoCard(Action, frozen=True, tag="echo"):
    """Lay the same card as the one just laid, out of turn."""

    card: Card


AnyAction = Play | EchoCard | Decline


class Dealt(Event, frozen=True, tag="dealt"):
    """The cards are dealt. hand: the viewer's own; hands: everybody's, for the arbiter."""

    hand: list[str]
    hands: list[list[str]]


class Played(Event, frozen=True, tag="played"):
    """A card was laid in turn and can be echoed."""

    seat: int
    card: str


class Echoed(Event, frozen=True, tag="echoed"):
    """A card was echoed, for a point."""

    seat: int
    card: str


class Turn(Event, frozen=True, tag="turn"):
    """The window is closed and this seat is to play."""

    seat: int


class Finished(Event, frozen=True, tag="finished"):
    """A hand is empty: the match is over."""

    places: list[int]


AnyEvent = Dealt | Played | Echoed | Turn | Finished


class View(contract.View, kw_only=True, omit_defaults=True):
    """opener, top: whose card can be echoed now, and which; places: of a finished match."""

    opener: int | None = None
    top: str | None = None
    places: list[int] | None = None
