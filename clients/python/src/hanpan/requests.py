"""A decision that a table asks of this client's seat."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hanpan._messages import Ok, RequestInfo

if TYPE_CHECKING:
    from hanpan.table import Table

Action = dict[str, Any]
"""An action as it stands in JSON: its `type` and the game's fields."""


PIECES = ("tiles", "cards", "tile", "card")
"""The fields of an action that name pieces."""


def pieces(action: Action) -> list[str]:
    """The pieces that an action names, in its own order."""
    found: list[str] = []
    for field in ("tiles", "cards"):
        found += action.get(field) or []
    found += [action[field] for field in ("tile", "card") if action.get(field) is not None]
    return found


class Request:
    """An open request. It answers for as long as it stands.

    kind: `turn` or `claim`. legal: the first legal actions, of a claim the public offer; more: there
    are others. can: of a claim, whether this seat holds one. default: what a time-out takes.
    """

    def __init__(self, table: Table, info: RequestInfo, now: float) -> None:
        self.table = table
        self.info = info
        self._at = now
        self.held: Action | None = info.held

    @property
    def id(self) -> str:
        """The request's id."""
        return self.info.request

    @property
    def kind(self) -> str:
        """`turn` or `claim`."""
        return self.info.kind

    @property
    def legal(self) -> list[Action]:
        """The first legal actions in the game's order."""
        return self.info.legal

    @property
    def more(self) -> bool:
        """Whether there are other legal actions; `options` finds them."""
        return self.info.more

    @property
    def default(self) -> Action:
        """The action that a time-out takes."""
        default: Action = self.info.default
        return default

    @property
    def can(self) -> bool:
        """Whether this seat holds what one of the claims needs; True for a turn."""
        return self.kind == "turn" or bool(self.info.can)

    @property
    def playable(self) -> list[Action]:
        """The legal actions whose pieces are in the hand, where the view shows a hand."""
        view = self.table.view
        hand = view.get("hand") if isinstance(view, dict) else None
        if not hand:
            return list(self.legal) if self.kind == "turn" else self._without_pieces()
        held: Counter[str] = Counter(hand)
        return [action for action in self.legal if not Counter(pieces(action)) - held]

    def left_ms(self, now: float) -> int | None:
        """Time left at `now` (the loop's time): turn time and bank, or of the window."""
        info = self.info
        if info.left_ms is None:
            return None
        gone = int((now - self._at) * 1000)
        return max(0, info.left_ms + (info.bank_ms or 0) - gone)

    async def act(self, action: Action) -> Ok:
        """Answer it. Raises a Refused: IllegalAction, StaleRequest, ..."""
        return await self.table.act(action, request=self.id)

    async def withdraw(self) -> Ok:
        """Take a held turn back."""
        return await self.table.withdraw(self.id)

    async def options(self, tiles: list[str]) -> list[Action]:
        """Every legal action with exactly these pieces. Raises IllegalAction naming the rule."""
        return await self.table.legal(tiles, request=self.id)

    def _without_pieces(self) -> list[Action]:
        return [action for action in self.legal if not pieces(action)]

    def __repr__(self) -> str:
        return f"<Request {self.id} {self.kind} {len(self.legal)} legal>"
