"""The table core: synchronous and pure. `handle(input)` and `tick(now)` change it; what they lead to
lies in `out` until the shell takes it: entries to commit, then frames to show.

Time is an argument. Everything due at or before an input's time is settled first, each thing at its
own deadline, so that a late tick changes no result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engines.kit.contract import Action, Event, Legal, Offer
from engines.kit.registry import AnyGame
from server.core import play, presence, seating
from server.core.config import TableConfig
from server.core.frames import (
    ClockPart,
    Frame,
    RequestPart,
    SeatPart,
    Step,
    seat_part,
    stream_names,
)
from server.core.inputs import Input, encoder
from server.core.refusals import Taken
from server.core.state import Answered, MatchState, SeatState, TableState

CORE_VERSION = "1"
SNAPSHOT_EVERY = 200
Told = tuple[Any, int | None, bool]
"""An event, the seat that alone may see it, and whether it is the game's, to be redacted."""


class Entry(msgspec.Struct, frozen=True):
    """A log entry to commit. number: contiguous from 1."""

    number: int
    data: bytes
    snapshot: bool = False


class Saved(msgspec.Struct, kw_only=True):
    """A snapshot entry: a table's whole present, with the versions that wrote it."""

    snapshot: bool = True
    core: str
    engine: str
    table: TableState
    state: msgspec.Raw = msgspec.Raw(b"null")


class Out:
    """What waits for the shell. seats: whether who sits there, or the phase, is another."""

    __slots__ = ("entries", "frames", "seats")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.frames: list[Frame] = []
        self.seats = False


class Table:
    """One table. `wanted` says a stream what is rendered: 0 nothing, 1 all but views, 2 all."""

    def __init__(self, game: AnyGame, state: TableState, engine: Any = None) -> None:
        self.game = game
        self.state = state
        self.engine = engine
        self.options = game.options(state.config.ruleset, state.config.options)
        self.action_decoder = msgspec.json.Decoder(game.actions)
        self.streams = stream_names(state.config.seats)
        self.wanted = [2] * len(self.streams)
        self.step = Step()
        self.out = Out()
        self.answered: Answered | None = None
        self._offer: tuple[str, Offer | None] = ("", None)
        self._turn: tuple[str, Legal, Action] | None = None
        self._round_began = False

    @classmethod
    def create(cls, game: AnyGame, config: TableConfig, at: int) -> Table:
        """A new, empty table; its first entry is its making."""
        state = TableState(
            config=config,
            seats=[SeatState() for _ in range(config.seats)],
            answered=[[] for _ in range(config.seats)],
            numbers=[0] * (config.seats + 1),
            now=at,
        )
        table = cls(game, state)
        table.log(Input(at=at, create=config))
        return table

    # -- what the shell calls ---------------------------------------------------------------------
    def handle(self, inp: Input) -> Taken:
        """Take one input at its time. Raises Denied; then nothing but what was due has changed."""
        state = self.state
        if inp.at < state.now:
            if inp.stamp is None:
                inp.stamp = inp.at
            inp.at = state.now
        self.tick(inp.at)
        taken = self._dispatch(inp)
        answered, self.answered = self.answered, None
        self.finish_step()
        if inp.seat is not None and not (taken.seq or taken.held or taken.sealed):
            taken = msgspec.structs.replace(taken, seq=state.numbers[inp.seat])
            if answered is not None:
                answered.answer = taken
        play.close_early(self)
        self._snapshot_if_due()
        return taken

    def tick(self, now: int) -> None:
        """Settle everything due at or before `now`, each at its own deadline."""
        state = self.state
        while (due := self.deadline) is not None and due <= now:
            state.now = max(state.now, due)
            self.log(Input(at=state.now, tick=True))
            if not play.settle_due(self, due):
                presence.settle_due(self, due)
            self.finish_step()
            play.close_early(self)
            self._snapshot_if_due()
        state.now = max(state.now, now)

    @property
    def deadline(self) -> int | None:
        """When the next thing falls due; None while nothing does."""
        due, absent = play.deadline(self), presence.deadline(self)
        return absent if due is None or (absent is not None and absent < due) else due

    @property
    def bot_due(self) -> int | None:
        """When the next bot answers a request; the shell calls `play.bot_input` then."""
        return play.bot_due(self)

    def take_out(self) -> Out:
        """What has gathered since the last call."""
        out, self.out = self.out, Out()
        return out

    def save(self) -> bytes:
        """The whole table as a snapshot."""
        engine = msgspec.Raw(encoder.encode(self.engine))
        return encoder.encode(
            Saved(core=CORE_VERSION, engine=self.game.version, table=self.state, state=engine)
        )

    # -- what the parts of the core call ------------------------------------------------------------
    @property
    def offer(self) -> Offer | None:
        """The engine's open offer; worked out once a window, since every seat is shown the same."""
        window = self.state.window
        if window is None:
            return None
        if self._offer[0] != window.id:
            self._offer = (window.id, self.game.offer(self.engine))
        return self._offer[1]

    def turn_actions(self, request: str, seat: int) -> tuple[Legal, Action]:
        """The legal actions and the default of an open turn request; worked out once, since a turn
        request stands only as long as what it asks stays the same."""
        if self._turn is None or self._turn[0] != request:
            legal = self.game.legal(self.engine, seat)
            self._turn = (request, legal, self.game.default(self.engine, seat))
        return self._turn[1], self._turn[2]

    def keep_offer(self, window: str, offer: Offer) -> None:
        """Remember the offer of a window that opens."""
        self._offer = (window, offer)

    @property
    def match(self) -> MatchState:
        """The match that runs or ran last."""
        assert self.state.match is not None
        return self.state.match

    def log(self, inp: Input) -> None:
        """Add an entry for an input that is taken."""
        self.state.entries += 1
        self.state.since_snapshot += 1
        self.out.entries.append(Entry(self.state.entries, encoder.encode(inp)))

    def tell(self, *events: Any, only: int | None = None) -> None:
        """Show events, to everyone or to one seat alone."""
        self.step.events += [(event, only) for event in events]

    def tell_engine(self, events: Sequence[Event]) -> None:
        """Show what the engine did; views are new with it."""
        self.step.events += [(event, None) for event in events]
        self.step.moved = True

    def new_round(self) -> bool:
        """Whether the engine has begun another round than the last time."""
        now_round = self.game.round(self.engine)
        if now_round == self.match.round:
            return False
        self.match.round = now_round
        self._round_began = True
        return True

    def finish_step(self) -> None:
        """Number and make the frames of the step."""
        step = self.step
        if step.empty:
            return
        self.step = Step()
        state = self.state
        seats = self.seat_parts() if step.seats else None
        clock = self.clock_part() if step.clock else self._stopped(step.stopped)
        last = len(self.streams) - 1
        # The public stream and other seats first: a request's legal actions may take a while.
        order = sorted(range(last + 1), key=step.requests.__contains__)
        shown = [(event, only, isinstance(event, Event)) for event, only in step.events]
        self.out.seats |= step.seats
        for index in order:
            viewer = None if index == last else index
            events = self._visible(shown, viewer)
            asked = index in step.requests
            if not (events or asked or clock or seats):
                continue
            state.numbers[index] += 1
            frame = Frame(index, self.streams[index], state.numbers[index], state.now)
            self.out.frames.append(frame)
            if not self.wanted[index]:
                continue
            frame.rendered = True
            frame.events, frame.clock, frame.seats = events, clock, seats
            if step.moved and self.wanted[index] > 1:
                frame.view = self.game.view(self.engine, viewer)
            if asked and viewer is not None:
                frame.requests = self.request_parts(viewer)

    def _visible(self, events: Sequence[Told], viewer: int | None) -> list[Any]:
        redact = self.game.redact
        shown = []
        for event, only, of_game in events:
            if only is not None:
                if only == viewer:
                    shown.append(event)
            elif not of_game:
                shown.append(event)
            elif (redacted := redact(event, viewer)) is not None:
                shown.append(redacted)
        return shown

    def seat_parts(self) -> list[SeatPart]:
        """All seats as every viewer may see them."""
        state = self.state
        policy = self.away_policy
        return [seat_part(i, seat, policy, state.now) for i, seat in enumerate(state.seats)]

    @property
    def away_policy(self) -> str:
        """What happens to a seat that stays away: `bot` or `forfeit` in a match, `stand` else."""
        return self.state.config.away_policy if self.state.phase == "running" else "stand"

    def clock_part(self) -> ClockPart | None:
        """The clock as every viewer may see it; None at a table without turn time."""
        state = self.state
        clock, rules = state.clock, state.config.clock
        if clock is None or rules.turn_ms is None:
            return None
        bank = state.seats[clock.seat].bank_ms
        if clock.started is None or clock.deadline is None:
            return ClockPart(clock.seat, rules.turn_ms, bank, running=False)
        left = max(0, clock.deadline - state.now)
        bank_left = min(left, bank)
        return ClockPart(clock.seat, left - bank_left, bank_left)

    def _stopped(self, seat: int | None) -> ClockPart | None:
        """The clock of a seat whose time no longer runs, where nobody else's does."""
        state = self.state
        turn_ms = state.config.clock.turn_ms
        if seat is None or turn_ms is None or state.clock is not None:
            return None
        return ClockPart(seat, turn_ms, state.seats[seat].bank_ms, running=False)

    def request_parts(self, seat: int) -> list[RequestPart]:
        """The open requests of a seat as it sees them."""
        return play.request_parts(self, seat)

    def redacted(self, events: Sequence[Any], viewer: int | None) -> list[Any]:
        """Events as a viewer may know them."""
        return self._visible([(e, None, isinstance(e, Event)) for e in events], viewer)

    # -- own ------------------------------------------------------------------------------------------
    def _dispatch(self, inp: Input) -> Taken:
        state = self.state
        if inp.stalled is not None or inp.resumed is not None:
            return presence.delay(self, inp)
        if inp.void is not None:
            return seating.void(self, inp)
        if inp.epoch is not None:
            return self._begin_epoch(inp, inp.epoch)
        if inp.action is not None:
            return play.act(self, inp)
        if inp.withdraw:
            return play.withdraw(self, inp)
        if inp.standing is not None:
            return play.standing(self, inp)
        if inp.away or inp.back or inp.left or (inp.bot is not None and state.phase == "running"):
            return presence.change(self, inp)
        if inp.tick:
            return Taken()
        return seating.change(self, inp)

    def _begin_epoch(self, inp: Input, epoch: str) -> Taken:
        """From here on the numbers do not follow from what was shown: every viewer gets a snapshot."""
        self.log(inp)
        self.state.config = msgspec.structs.replace(self.state.config, epoch=epoch)
        self._round_began = True
        return Taken()

    def _snapshot_if_due(self) -> None:
        state = self.state
        if not self._round_began and state.since_snapshot < SNAPSHOT_EVERY:
            return
        self._round_began = False
        state.entries += 1
        state.since_snapshot = 0
        self.out.entries.append(Entry(state.entries, self.save(), snapshot=True))
