"""What claim windows must lead to, worked out from the log alone by the rules of the arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engines.kit.contract import Decline, Refused
from server.core import events as ev
from server.core.frames import Step
from server.core.inputs import Input
from server.core.state import Request

if TYPE_CHECKING:
    from tests.simulation.oracle import Oracle


class Claim(NamedTuple):
    """A claim that stands."""

    seat: int
    action: Any
    rank: int
    valid: bool
    stamp: int


class Turn(NamedTuple):
    """A turn that was read after the sealed time, while other processes were waited for."""

    request: str
    action: Any
    stamp: int


class Open:
    """An open window as the rules see it."""

    def __init__(self, told: ev.WindowOpened, now: int, oracle: Oracle) -> None:
        table = oracle.table
        offer = oracle.game.offer(table.engine)
        assert offer is not None
        self.told = told
        self.since = now
        self.whole = told.claim_ms + told.grace_ms
        self.settle_ms = table.state.config.clock.settle_ms
        self.until = now + self.whole
        self.wins = offer.wins
        self.order = list(oracle.game.order(table.engine, told.opener))
        self.requests: dict[str, int] = {}
        self.answered: set[str] = set()
        self.claims: list[Claim] = []
        self.late: list[Claim | Turn] = []
        self.held: tuple[str, Any] | None = None
        self.tail = False
        self.number = 0

    @property
    def closing(self) -> int:
        """When it is settled."""
        return self.until + self.settle_ms

    def published(self) -> list[tuple[int, str, str]]:
        """Seat, action and outcome of every claim, in turn order from the opener."""
        order, claims = self.order, self.claims
        waits = self.late and self.held is None and not any(c.valid for c in claims)
        if waits and isinstance(self.late[0], Claim):
            claims = [*claims, self.late[0]]  # nothing in time took effect: the first late one does
        best = sorted(claims, key=lambda c: (not c.valid, c.rank, order.index(c.seat)))
        won = {c.seat for c in claims if c.valid}
        if self.wins == "one":
            won = {c.seat for c in best[:1] if c.valid}
        return [
            (
                c.seat,
                str(c.action.__struct_config__.tag),
                "false" if not c.valid else "won" if c.seat in won else "lost",
            )
            for c in sorted(claims, key=lambda c: order.index(c.seat))
        ]

    def end_later(self, until: int) -> None:
        """The sealed time ends then: what was late may be in time."""
        self.until = until
        late, self.late = self.late, []
        for one in late:
            if one.stamp >= until:
                self.late.append(one)
            elif isinstance(one, Claim):
                self.claims.append(one)
            elif self.held is None:
                self.held = (one.request, one.action)


class Closed(NamedTuple):
    """A window that is over. opened_by, closed_by: numbers of entries; early: before its time."""

    window: str
    match: int
    since: int
    until: int
    closing: int
    at: int
    opened_by: int
    closed_by: int
    early: bool
    tail: bool
    whole: int
    requests: dict[str, int]
    answered: set[str]


class Windows:
    """Follows the windows of one table; violations go to the oracle."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.open: Open | None = None
        self.closed: list[Closed] = []
        self._effective: set[str] = set()

    # -- inputs ------------------------------------------------------------------------------------------
    def before(self, inp: Input) -> None:
        """An entry is about to be played."""
        window = self.open
        asked = None
        if inp.action is not None:
            asked = self._answered(inp, window)
        if window is None:
            return
        if asked is not None:
            self._answer(window, inp, asked)
        elif inp.withdraw:
            window.held = None
        elif inp.stalled is not None and not window.tail:
            window.end_later(window.until + inp.stalled)
        elif inp.resumed is not None and not window.tail:
            window.end_later(inp.at + window.whole)

    def _answered(self, inp: Input, window: Open | None) -> Request | None:
        """The request that an entry answers; it must be open, and take effect once."""
        state = self._oracle.table.state
        asked = state.requests.get(inp.request or "")
        if asked is None:
            self._oracle.fault("an entry answers no open request", request=inp.request)
            return None
        holds = asked.kind == "turn" and window is not None and not window.tail
        if not holds:
            if asked.id in self._effective:
                self._oracle.fault("a request is answered twice", request=asked.id)
            self._effective.add(asked.id)
        return asked

    def _answer(self, window: Open, inp: Input, asked: Request) -> None:
        oracle = self._oracle
        stamp = inp.at if inp.stamp is None else inp.stamp
        action = _typed(oracle, inp)
        if asked.kind == "turn":
            if not window.tail and stamp < window.until:
                window.held = (asked.id, action)
            elif not window.tail:
                window.late.append(Turn(asked.id, action, stamp))
                mine = {one for one, seat in window.requests.items() if seat == asked.seat}
                window.answered |= mine
            return
        seat = window.requests.get(asked.id)
        if seat != inp.seat:
            oracle.fault("a claim answers another seat's request", request=asked.id)
        window.answered.add(asked.id)
        if not window.tail and not window.since <= stamp < window.until:
            late_is_kept = window.told.ends == "next_action" and stamp >= window.until
            if not late_is_kept:
                oracle.fault("a claim outside of its window", stamp=stamp, until=window.until)
        if isinstance(action, Decline):
            return
        try:
            judged = oracle.game.claim(oracle.table.engine, asked.seat, action)
        except Refused:
            oracle.fault("a claim that the rules refuse was taken")
            return
        claim = Claim(asked.seat, action, judged.rank, judged.valid, stamp)
        (window.claims if window.tail or stamp < window.until else window.late).append(claim)

    def after(self, inp: Input) -> None:
        """An entry has been played."""
        window, table = self.open, self._oracle.table
        if window is None:
            return
        mine = table.state.window
        if mine is None or mine.id != window.told.window:
            # A match that all have given up ends with its window; nobody's claim can win any more.
            if table.state.phase != "ended" or not all(s.forfeited for s in table.state.seats):
                self._oracle.fault("a window was closed without a word", window=window.told.window)
            self.open = None
        elif mine.tail and not window.tail:
            window.tail = True
            if any(claim.valid for claim in window.claims) or window.held is not None:
                self._oracle.fault("a window with a claim went on", window=window.told.window)
            if table.state.now < window.closing:
                self._oracle.fault("a window's sealed time ended early", now=table.state.now)
        elif not mine.tail and table.state.now >= window.closing:
            self._oracle.fault("a window was not settled at its time", now=table.state.now)

    # -- what the table did -----------------------------------------------------------------------------
    def step(self, step: Step) -> None:
        """A step's events, before they are shown."""
        for event, only in step.events:
            if isinstance(event, ev.WindowClosed):
                self._close(event, step)
            elif isinstance(event, ev.WindowOpened):
                self._opened(event)
            elif isinstance(event, ev.TurnDropped) and only is None:
                self._oracle.fault("a dropped turn is told to everyone")

    def _opened(self, told: ev.WindowOpened) -> None:
        oracle = self._oracle
        table = oracle.table
        window = self.open = Open(told, table.state.now, oracle)
        window.number = oracle.number
        for request in table.state.requests.values():
            if request.window == told.window:
                window.requests[request.id] = request.seat
        for seat, who in enumerate(table.state.seats):
            if seat == told.opener or not who.orders:
                continue
            action = oracle.game.standing(table.engine, seat, who.orders)
            if action is None:
                continue
            if not isinstance(action, Decline):
                judged = oracle.game.claim(table.engine, seat, action)
                window.claims.append(
                    Claim(seat, action, judged.rank, judged.valid, table.state.now)
                )

    def _close(self, told: ev.WindowClosed, step: Step) -> None:
        oracle, window = self._oracle, self.open
        self.open = None
        if window is None or window.told.window != told.window:
            oracle.fault("another window was closed", window=told.window)
            return
        now = oracle.table.state.now
        published = [(c.seat, c.action, c.outcome) for c in told.claims]
        if published != window.published():
            oracle.fault("a window's result", told=published, rule=window.published())
        early = not window.tail and now < window.closing
        if early and not self._all_answered(window):
            oracle.fault("a window closed before its time", now=now, closing=window.closing)
        if not window.tail and now > window.closing:
            oracle.fault("a window closed late", now=now, closing=window.closing)
        self._check_held(window, step)
        self.closed.append(
            Closed(
                told.window,
                oracle.table.match.number,
                window.since,
                window.until,
                window.closing,
                now,
                window.number,
                oracle.number,
                early,
                window.tail,
                window.whole,
                window.requests,
                window.answered,
            )
        )

    def _all_answered(self, window: Open) -> bool:
        table = self._oracle.table
        if not table.match.early_close:
            return False
        asked = {
            seat
            for request, seat in window.requests.items()
            if request not in window.answered
            and table.state.seats[seat].state != "left"
            and not table.state.seats[seat].forfeited
        }
        if window.held is not None:
            asked -= {seat for seat in asked if self._holds(window, seat)}
        return not asked

    def _holds(self, window: Open, seat: int) -> bool:
        assert window.held is not None
        owner = self._oracle.owners.get(window.held[0])
        return owner is not None and owner[0] == seat

    def _check_held(self, window: Open, step: Step) -> None:
        """A held turn is dropped when a claim won, and taken when none did."""
        if window.held is None or window.tail:
            return
        request, action = window.held
        won = any(outcome == "won" for _, _, outcome in window.published())
        dropped = [
            (event.request, only)
            for event, only in step.events
            if isinstance(event, ev.TurnDropped)
        ]
        owner = self._oracle.owners.get(request)
        seat = owner[0] if owner is not None else None
        if seat is not None and self._oracle.table.state.seats[seat].forfeited:
            return
        if won and dropped != [(request, seat)]:
            self._oracle.fault("a held turn was not dropped", request=request, dropped=dropped)
        if not won and seat is not None:
            kept = self._oracle.table.state.answered[seat]
            if not any(old.request == request and old.action == action for old in kept):
                self._oracle.fault("a held turn was not taken", request=request)


def _typed(oracle: Oracle, inp: Input) -> Any:
    import msgspec

    if isinstance(inp.action, dict):
        return msgspec.convert(inp.action, oracle.game.actions)
    return inp.action
