"""The owner's shell around one table core: commits first, shows afterwards, and keeps its time; long,
because what may happen between an input, its commit and its showing is one machine of states.

Everything that leaves a table (frames, answers, refusals) goes through one queue behind the commits, so
nothing shows what is not yet persisted, and in the order in which it happened.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import structlog

from server.core import play, seating
from server.core.frames import Frame
from server.core.inputs import Input, Start
from server.core.refusals import Denied, Taken
from server.core.state import MatchState
from server.core.table import Table
from server.journal.base import Batch, Entry, Fenced, Journal, JournalError, Own
from server.runtime import ids
from server.runtime.channel import Channel
from server.runtime.delayed import Delayed
from server.runtime.metrics import ACTIONS, COMMIT_SECONDS, ENGINE_FAULTS
from server.runtime.parts import SILENT, Encoder, Parts
from server.runtime.wall import Wall
from server.transport.turns import Turns

if TYPE_CHECKING:
    from protocol.client import Place
    from server.runtime.sentences import Sentences
    from server.runtime.session import Session

log = structlog.get_logger("hanpan.table")

CHAT_LINES = 50
LATE_S = 2.0
"""A commit that takes longer freezes the table until it is done; whoever asks meanwhile is told so."""
STALL_MS = 50
"""A commit that takes longer is handed to the core as `stalled`, before the next input."""
LONG_STALL_MS = 1_000
"""One that takes so long is told at once: people look at clocks that do not run."""
Reply = Callable[[Taken | Denied], None]


class Item:
    """What one input led to, waiting for its commit: frames, then the answer, then what follows.

    reply: told the answer, or a refusal if the commit failed. after: only once it is committed.
    """

    __slots__ = ("after", "answer", "numbers", "parts", "reply")

    def __init__(self, reply: Callable[[Any], None] | None = None, answer: Any = None) -> None:
        self.parts: list[Parts] = []
        self.numbers: list[int] | None = None
        self.reply = reply
        self.answer = answer
        self.after: list[Callable[[], None]] = []


class Group:
    """The items of one commit. numbers: of its entries; started: when it was handed on, in ms of the wall's steady clock."""

    __slots__ = ("items", "started")

    def __init__(self, items: list[Item], started: float) -> None:
        self.items = items
        self.started = started


class Host:
    """One table and everyone who listens to it.

    shown: the top number of each stream that is committed. controllers: the connection of each seat
    that has one. admitted: players who have shown the invite. returning: who came back to a stream while
    the table stood still or was let go, and is to go on there. on_end: called with a match once its
    end is committed. stored: the matches in the table's state whose results are stored. on_fault: called
    when the table cannot be carried on from memory: `journal` (reload it), `fenced` (another process owns
    it) or `engine` (void it). frozen: since such a fault and until a
    commit succeeds again; then `when_thawed` is called. faults: how many there were since it last went
    on. turns: where its bots wait for their turn, all those of a process in one.
    """

    def __init__(
        self, table: Table, own: Own, journal: Journal, wall: Wall, sentences: Sentences
    ) -> None:
        self.table = table
        self.id = table.state.config.table
        self.own = own
        self.on_end: Callable[[Host, MatchState], None] = lambda host, match: None
        self.stored: set[str] = set()
        self.on_change: Callable[[Host], None] = lambda host: None
        self.on_fault: Callable[[Host, str], None] = lambda host, why: None
        self.on_late: Callable[[Host], None] = lambda host: None
        self.look: Callable[[], None] = lambda: None
        self.down: str | None = None
        self.frozen = False
        self.faults = 0
        self.when_thawed: list[Callable[[], None]] = []
        self.turns = Turns()
        self._journal = journal
        self._wall = wall
        self._sentences = sentences
        self._loop = asyncio.get_running_loop()
        self.shown = list(table.state.numbers)
        self.controllers: dict[int, Session] = {}
        self.admitted: set[str] = set()
        self.returning: dict[Session, Place] = {}
        self.audience = 0
        self.chat: deque[Any] = deque(maxlen=CHAT_LINES)
        self.channels = [Channel(name) for name in table.streams]
        self.public = len(self.channels) - 1
        delay = table.state.config.spectate_delay_ms
        self.delayed = Delayed(self.id, delay) if delay else None
        if self.delayed is not None:
            self.channels.append(self.delayed.channel)
            self.channels[self.public].keeps_on = True
        self._open: list[Item] = []
        self._entries: list[Entry] = []
        self._flying: deque[Group] = deque()
        self._waiting: deque[Callable[[], None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_due = 0
        self._soon: asyncio.Handle | None = None
        self._bot_waits = False
        self._flush_planned = False
        self._late: asyncio.TimerHandle | None = None
        self._owed = 0
        self._told = 0.0  # until when slow commits are counted, on the steady clock
        self._life = 0
        self.set_wanted()
        self._plan()  # a table read back may have something due, and nothing else to wake it

    # -- inputs ---------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Commit how a new table was made; what is asked of it after this waits until that is done."""
        self._queue(self._gather())

    def submit(self, inp: Input, reply: Reply | None = None) -> None:
        """Hand the core an input; the reply comes when what it led to is committed.

        Refusals come as Denied through the same reply, in their turn.
        """
        self.look()
        self._pay()
        if self.frozen:
            if reply is not None:
                reply(Denied("unavailable"))
            return
        if self._stalled():
            self._waiting.append(lambda: self._submit_late(inp, reply))
            return
        what_stood_still = inp.stalled is not None or inp.resumed is not None
        if self._wall.now() - inp.at > STALL_MS and not what_stood_still:
            self._bring_up(inp)  # it was long on its way from another process
        self._run(lambda: self._handle(inp), reply)

    def _submit_late(self, inp: Input, reply: Reply | None) -> None:
        """Submit what waited for a slow commit."""
        self._pay()
        self._bring_up(inp)
        self.submit(inp, reply)

    def _bring_up(self, inp: Input) -> None:
        """Let an old input take effect now, so that what it opens is not open since before it can be seen;
        its stamp stays what counts. Nothing that is due comes before it."""
        now, due = self._wall.now(), self.table.deadline
        if inp.at < now and (due is None or due > now):
            if inp.stamp is None:
                inp.stamp = inp.at
            inp.at = now

    def query(self, look: Callable[[Table], Any], reply: Callable[[Any], None]) -> None:
        """Look at the table as it is now, and reply when all that led to this is committed."""
        if self.frozen or self.down is not None:
            reply(Denied(self.down or "unavailable"))
            return
        if self._stalled():
            self._waiting.append(lambda: self.query(look, reply))
            return
        self._queue(Item(reply, look(self.table)))

    def _stalled(self) -> bool:
        """Whether a commit takes so long that the core must hear of it before anything else."""
        if not self._flying:
            return False
        return self._wall.steady() - self._flying[0].started > STALL_MS

    def _handle(self, inp: Input) -> Taken:
        taken = self.table.handle(inp)
        if inp.action is not None:
            ACTIONS.inc()
        # Whoever comes back may be the last that the others waited for.
        came = inp.join or inp.ready or inp.rematch or inp.back
        if came and seating.can_start(self.table):
            self._start(inp.at)
        return taken

    def _start(self, at: int) -> None:
        self.table.handle(Input(at=at, start=self._next_match()))

    def start_now(self, at: int, reply: Reply) -> None:
        """Start a full table without waiting for everyone to be ready."""
        self.submit(Input(at=at, start=self._next_match()), reply)

    def _next_match(self) -> Start:
        state = self.table.state
        self.stored &= {match.id for match in (*state.unstored, state.match) if match is not None}
        return Start(ids.new_id("m"), ids.seed(), stored=tuple(sorted(self.stored)))

    def _run(self, work: Callable[[], Taken | None], reply: Reply | None = None) -> None:
        """Let the core work, and queue what it led to."""
        if self.down is not None:
            if reply is not None:
                reply(Denied(self.down))
            return
        ended = self.table.state.phase == "ended"
        answer: Taken | Denied | None
        try:
            answer = work()
        except Denied as denied:
            answer = denied
        except Exception:
            ENGINE_FAULTS.inc()
            log.exception("table_fault", table=self.id, game=self.table.state.config.game)
            if reply is not None:
                reply(Denied("internal"))
            self._fault("engine")
            return
        item = self._gather()
        item.reply, item.answer = reply, answer
        if not ended and self.table.state.phase == "ended":
            # By the time this is committed the next match may run.
            match = self.table.match
            item.after.append(lambda: self.on_end(self, match))
        self._queue(item)

    def _gather(self) -> Item:
        """Encode what the core has for the viewers now, before it changes again."""
        out = self.table.take_out()
        self._entries += [Entry(e.number, e.data, e.snapshot) for e in out.entries]
        item = Item()
        if not out.frames:
            return item
        item.numbers = list(self.table.state.numbers)
        once = Encoder()
        for frame in out.frames:
            if frame.rendered:
                item.parts.append(self._render(item, frame, once))
        if out.seats:
            item.after.append(lambda: self.on_change(self))
        return item

    def _render(self, item: Item, frame: Frame, once: Encoder) -> Parts:
        channel = self.channels[frame.index]
        delayed = self.delayed if frame.index == self.public else None
        say = SILENT
        if channel.languages or delayed is not None:
            sayer = self._sentences.of(self.table, frame.index)
            say = {language: sayer(frame, language) for language in channel.languages}
            if delayed is not None:
                item.after.append(lambda: delayed.later(frame, sayer))
        parts = Parts(self.id, frame, say, once)
        if channel.keeps_on or channel.listeners:
            channel.keep(parts)
        return parts

    # -- commits --------------------------------------------------------------------------------------
    def _queue(self, item: Item) -> None:
        if not self._entries and not self._open and not self._flying:
            self._deliver(item)
            self._plan()
            return
        self._open.append(item)
        if not self._flush_planned:
            self._flush_planned = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Commit what gathered in this turn of the loop."""
        self._flush_planned = False
        if self.down is not None or not self._open:
            return
        items, self._open = self._open, []
        entries, self._entries = self._entries, []
        group = Group(items, self._wall.steady())
        if not entries:
            # Answers without a trace in the log wait behind the commits before them.
            if self._flying:
                self._flying[-1].items += items
            else:
                self._show(items)
            return
        self._flying.append(group)
        if self._late is None:
            self._late = self._loop.call_later(LATE_S, self._is_late)
        life = self._life
        batch = Batch(self.id, self.own.fence, entries)
        self._journal.append(batch, lambda error: self._committed(error, life))

    def _is_late(self) -> None:
        """Look whether the oldest commit is still under way; then the table stands still."""
        self._late = None
        if not self._flying or self.frozen:
            return
        left = LATE_S - (self._wall.steady() - self._flying[0].started) / 1000
        if left > 0:
            self._late = self._loop.call_later(left, self._is_late)
            return
        self.stand_still()

    def stand_still(self) -> None:
        """Nothing can be committed for now: say so, and refuse what comes."""
        if self.frozen or self.down is not None:
            return
        self.frozen = True
        self.on_late(self)
        waiting, self._waiting = self._waiting, deque()
        for again in waiting:
            again()

    def move_again(self) -> None:
        """The journal is back; a table with a commit under way goes on when that is done."""
        if self.frozen and self.faults == 0 and self.down is None and not self._flying:
            self._thaw(Taken())

    def _committed(self, error: JournalError | None, life: int) -> None:
        if life != self._life:
            return  # of a commit before a fault: whoever waited has been told
        if error is not None:
            log.error("commit_failed", table=self.id, error=str(error))
            self._fault("fenced" if isinstance(error, Fenced) else "journal")
            return
        self.look()  # while the commit is under way: its own time covers a standstill
        group = self._flying.popleft()
        now = self._wall.steady()
        COMMIT_SECONDS.observe((now - group.started) / 1000)
        stood = now - max(group.started, self._told)
        if stood > STALL_MS:
            # With an entry of its own a slow journal would get ever more to write.
            self._owed += int(stood)
            self._told = now
        if stood > LONG_STALL_MS:
            self._pay()
        self._show(group.items)
        self.move_again()
        if not self._flying:
            waiting, self._waiting = self._waiting, deque()
            for again in waiting:
                again()

    def _show(self, items: list[Item]) -> None:
        for item in items:
            self._deliver(item)
        self._plan()

    def _deliver(self, item: Item) -> None:
        """Write the frames, the table's seats first, then what waited for them."""
        last = self.public
        if item.numbers is not None:
            self.shown = item.numbers
        for parts in item.parts:
            if parts.index != last:
                self.channels[parts.index].deliver(parts, bulk=False)
        for parts in item.parts:
            if parts.index == last:
                self.channels[last].deliver(parts, bulk=True)
        if item.reply is not None:
            item.reply(item.answer)
        for action in item.after:
            action()

    def fence_off(self) -> None:
        """Another process owns the table: stop."""
        self._fault("fenced")

    def _fault(self, why: str) -> None:
        """Stop: what is not committed never happened, and whoever waits is told so."""
        # Who was told that a fenced table stands still is still to be told otherwise, by its new owner.
        self.frozen = self.frozen or why != "fenced"
        self.faults += 1
        self.stop({"engine": "internal", "fenced": "moving"}.get(why, "unavailable"))
        self.on_fault(self, why)

    def stop(self, code: str) -> None:
        """Do nothing more until `go_on`; everything that waits and comes is refused with this code."""
        self.down = code
        self._owed = 0  # whoever goes on from the log finds how long nothing happened
        self._life += 1
        self._cancel()
        items = [item for group in self._flying for item in group.items] + self._open
        waiting = self._waiting
        self._flying, self._open, self._entries = deque(), [], []
        self._waiting = deque()
        for item in items:
            if item.reply is not None:
                item.reply(Denied(code))
        for again in waiting:
            again()

    def go_on(self, table: Table, own: Own, inputs: list[Input]) -> None:
        """Carry on with a table read back from its log, under this ownership.

        inputs: what the table is told first; it stays frozen until that is committed.
        """
        self.table, self.own, self.down = table, own, None
        self.shown = list(table.state.numbers)
        for index, channel in enumerate(self.channels[: self.public + 1]):
            channel.forget_after(self.shown[index])
            for subscription in channel.listeners.values():
                # Whoever began to listen at a number that was never committed hears it when it is.
                subscription.after = min(subscription.after, self.shown[index])
        self.set_wanted()
        for inp in inputs[:-1]:
            self._run(lambda inp=inp: self.table.handle(inp))  # type: ignore[misc]  # bound now
        if inputs:
            self._run(lambda: self.table.handle(inputs[-1]), self._thaw)
        else:
            self._thaw(Taken())

    def _thaw(self, answer: Taken | Denied) -> None:
        if isinstance(answer, Denied):
            return
        self.frozen, self.faults = False, 0
        waiting, self.when_thawed = self.when_thawed, []
        for again in waiting:
            again()
        self._plan()

    # -- time -----------------------------------------------------------------------------------------
    def _plan(self) -> None:
        """Have `_due` called when something falls due; after a commit in flight this is called again.

        A timer for an earlier time stands: that is cheaper than another one for every input.
        """
        if self.down is not None or self._flying:
            return
        due = self.table.deadline
        bot = None if self._bot_waits else self.table.bot_due
        if bot is not None and (due is None or bot < due):
            due = bot
        if due is None:
            return
        wait = due - self._wall.now()
        if wait <= 0:
            if self._soon is None:
                self._soon = self._loop.call_soon(self._due)
        elif self._timer is None or due < self._timer_due:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_later(wait / 1000, self._due)
            self._timer_due = due

    def stood_still(self, ms: int) -> None:
        """Move every running time: for so long nothing could be seen or answered.

        A commit under way tells it by itself when it is done, for it has taken that long too.
        """
        if not self._flying:
            self._stood_still(ms)

    def _stood_still(self, ms: int) -> None:
        if self.table.deadline is None or self.down is not None:
            return
        at = self.table.state.now
        self._run(lambda: self.table.handle(Input(at=at, stalled=ms)))

    def _pay(self) -> None:
        """Tell the core of the last slow commit before anything that depends on the time."""
        owed, self._owed = self._owed, 0
        if owed:
            self._stood_still(owed)

    def _caught_up(self) -> bool:
        """Whether what is due may be done now; if not, it is planned anew once what came before is shown."""
        self.look()
        self._pay()
        return self.down is None and not self._flying and not self._open

    def _due(self) -> None:
        self._cancel()
        if not self._caught_up():
            return
        now = self._wall.now()
        deadline, bot = self.table.deadline, self.table.bot_due
        if deadline is not None and deadline <= now:
            self._run(lambda: self.table.tick(now))
        else:
            if bot is not None and bot <= now and not self._bot_waits:
                # A person waits for an answer, a bot for nothing.
                self._bot_waits = True
                self.turns.add(self._bots_turn)
            self._plan()

    def _bots_turn(self) -> None:
        """Let a bot act that fell due, unless something comes first by now."""
        self._bot_waits = False
        if not self._caught_up():
            return
        now = self._wall.now()
        deadline, bot = self.table.deadline, self.table.bot_due
        if bot is None or bot > now or (deadline is not None and deadline <= now):
            self._plan()
        else:
            self._run(lambda: self._bot(now))

    def _bot(self, now: int) -> None:
        inp = play.bot_input(self.table, now)
        if inp is None:
            self.table.tick(
                now
            )  # a bot that is too late is due no more once the table knows the time
            return
        try:
            self.table.handle(inp)
        except Denied as denied:
            log.error("bot_refused", table=self.id, code=denied.code, rule=denied.rule)
            fallback = play.bot_input(self.table, now, default=True)
            if fallback is not None:
                self.table.handle(fallback)
        ACTIONS.inc()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None

    @property
    def idle(self) -> bool:
        """Whether everything is committed and shown."""
        return not (self._flying or self._open or self._entries)

    # -- listeners ------------------------------------------------------------------------------------
    def set_wanted(self) -> None:
        """Tell the core which streams anybody listens to."""
        self.table.wanted = [channel.wanted() for channel in self.channels][: self.public + 1]

    def index(self, stream: str) -> int:
        """The place of a stream's channel. Raises KeyError."""
        for place, channel in enumerate(self.channels):
            if channel.name == stream:
                return place
        raise KeyError(stream)

    def place_of(self, seat: int | None) -> int:
        """The channel of a seat, or of spectators."""
        if seat is not None:
            return seat
        return self.public if self.delayed is None else self.public + 1

    def number(self, index: int) -> int:
        """A stream's number as the core has it now."""
        if self.delayed is not None and index > self.public:
            return self.delayed.number
        return self.table.state.numbers[index]

    def shown_number(self, index: int) -> int:
        """A stream's top number that is committed."""
        if self.delayed is not None and index > self.public:
            return self.delayed.number
        return self.shown[index]
