"""The arbiter of claim windows, one for all games: collects sealed claims and settles them.

The rules it keeps: a claim is in time if opening <= stamp < until; the closing is carried out at
`closing` and dated then; inside the sealed time the order of arrival never matters; rank goes first,
then turn order from the opener.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec


class Sealed(msgspec.Struct, tag="sealed"):
    """A claim that was accepted and is not yet published. after_ms: since the opening."""

    seat: int
    request: str
    action: Any
    stamp: int
    rank: int
    valid: bool
    after_ms: int


class Held(msgspec.Struct, tag="held"):
    """A turn submitted beside the window; it can be replaced or withdrawn until the close."""

    seat: int
    request: str
    action: Any
    stamp: int


class Window(msgspec.Struct, kw_only=True):
    """An open claim window. Times in ms.

    since: the opening; no stamp before it counts. opened: from which `after_ms` is counted, moved by
    what delayed the publication. until: end of the sealed time. closing: when it is settled. tail: it
    is settled, and the window stays open until the next turn action. late: what was stamped after the
    sealed time and read before the close, in order of arrival.
    """

    id: str
    kinds: tuple[str, ...]
    opener: int
    claim_ms: int
    grace_ms: int
    ends: Literal["deadline", "next_action"]
    wins: Literal["one", "all"]
    beside: bool
    since: int
    opened: int
    until: int
    closing: int
    tail: bool = False
    claims: list[Sealed] = []
    held: Held | None = None
    late: list[Sealed | Held] = []

    def turns(self) -> list[Held]:
        """The turns that wait for the close."""
        late = [one for one in self.late if isinstance(one, Held)]
        return late if self.held is None else [self.held, *late]

    def shift(self, ms: int, now: int) -> None:
        """Move the end by a stall; the opening too, if it is what was published late."""
        if self.opened == now:
            self.opened += ms
        self.until += ms
        self.closing += ms
        self._readmit()

    def restart(self, now: int) -> None:
        """Begin again at full length; what was sealed and held stands."""
        settle_ms = self.closing - self.until
        self.opened = now
        self.until = now + self.claim_ms + self.grace_ms
        self.closing = self.until + settle_ms
        self._readmit()

    def _readmit(self) -> None:
        """What was late is in time, now that the sealed time ends later."""
        late, self.late = self.late, []
        for one in late:
            if one.stamp >= self.until:
                self.late.append(one)
            elif isinstance(one, Sealed):
                self.claims.append(one)
            elif self.held is None:
                self.held = one

    def ranked(self, order: Sequence[int]) -> list[Sealed]:
        """All claims, the best first: valid ones before false ones, by rank, then by turn order.

        order: the other seats in turn order after the opener.
        """
        place = {seat: i for i, seat in enumerate(order)}
        return sorted(self.claims, key=lambda c: (not c.valid, c.rank, place[c.seat]))

    def winners(self, order: Sequence[int]) -> list[Sealed]:
        """The claims that the engine is given: the best one, or all in turn order where all win."""
        if self.wins == "one":
            return [c for c in self.ranked(order) if c.valid][:1]
        place = {seat: i for i, seat in enumerate(order)}
        return sorted(self.claims, key=lambda c: place[c.seat])
