"""What must hold of everything that a world did; each check gives the violations it found."""

from __future__ import annotations

import hashlib
import math
from typing import Any, NamedTuple

import msgspec

from tests.simulation.oracle import Oracle, Seen
from tests.simulation.watching import Watch
from tests.simulation.witness import Line
from tests.simulation.world import World

STALL_MS = 50


class Found(NamedTuple):
    """wrong: the violations. digest: of all logs. entries: how many there are."""

    wrong: list[str]
    digest: str
    entries: int


def judge(world: World, watch: Watch) -> Found:
    """Check everything that is checked in the end."""
    watch.end()
    wrong = list(world.witness.notes)
    frames = [(line, msgspec.json.decode(line.payload)) for line in world.witness.lines]
    for table, oracle in watch.oracles.items():
        wrong += oracle.wrong
        wrong += [f"{table}: {one}" for one in _published(world, table, oracle)]
        wrong += [f"{table}: {one}" for one in _stalls(world, table, oracle)]
        wrong += [f"{table}: {one}" for one in _takeovers(world, table, oracle)]
        wrong += [f"{table}: {one}" for one in _stored(world, oracle)]
    wrong += Wire(world, watch, frames).check()
    wrong += _quiet(world)
    digest = hashlib.sha256()
    entries = 0
    for table in world.disk.tables():
        for entry in world.disk.full(table):
            digest.update(entry.data)
            entries += 1
    return Found(wrong, digest.hexdigest(), entries)


class Wire:
    """What crossed the lines, against the logs."""

    def __init__(self, world: World, watch: Watch, frames: list[tuple[Line, Any]]) -> None:
        self._world = world
        self._oracles = watch.oracles
        self._frames = frames
        self._wrong: list[str] = []
        self._acts: dict[tuple[int, Any], tuple[float, Any]] = {}
        self._at: dict[tuple[int, str, str], int] = {}
        self._delayed = world.plan.fields["spectate_delay_ms"]

    def check(self) -> list[str]:
        """Every frame in the order in which it was seen."""
        for line, message in self._frames:
            kind = message.get("type")
            if line.way == "read":
                self._read(line, message)
            elif line.way == "got":
                self._got(line, kind, message)
            elif kind == "update":
                self._update(line, message)
            elif kind == "snapshot":
                self._snapshot(line, message)
            elif kind in ("ok", "error"):
                self._answered(line, kind, message)
        return self._wrong

    def _fault(self, line: Line, what: str, **facts: Any) -> None:
        told = " ".join(f"{key}={value!r}" for key, value in facts.items())
        self._wrong.append(f"{line.at:.3f} {line.link.who}: {what} {told}".rstrip())

    # -- frames ------------------------------------------------------------------------------------------
    def _may_see(self, line: Line, oracle: Oracle, stream: str) -> bool:
        if not stream.startswith("seat:"):
            return True
        seat = int(stream[5:])
        return any(
            inp.join is not None and inp.seat == seat and inp.join.player == line.link.who
            for _, inp in oracle.inputs
        )

    def _expected(self, line: Line, message: Any) -> Seen | None:
        oracle = self._oracles.get(message["table"])
        if oracle is None:
            self._fault(line, "a frame of a table without a log")
            return None
        stream = message["stream"]
        if not self._may_see(line, oracle, stream):
            self._fault(line, "a frame of another seat's stream", stream=stream)
        name = "public" if stream == "public:delayed" else stream
        seen = oracle.frames.get((name, message["seq"]))
        if seen is None:
            if message["seq"]:
                self._fault(line, "a frame that no log leads to", stream=stream, seq=message["seq"])
            return None
        if self._world.disk.number_at(message["table"], line.at) < seen.number:
            self._fault(line, "shown before it was durable", stream=stream, seq=message["seq"])
        return seen

    def _update(self, line: Line, message: Any) -> None:
        seen = self._expected(line, message)
        if seen is None:
            return
        for part in ("events", "seats", "clock", "requests"):
            told = message.get(part, [] if part == "events" else None)
            if told != getattr(seen, part):
                self._fault(
                    line,
                    f"a frame's {part} are not the log's",
                    stream=message["stream"],
                    seq=message["seq"],
                    told=told,
                    log=getattr(seen, part),
                )
        if "view" in message and message["view"] != seen.view:
            self._fault(line, "a frame's view is not the viewer's", seq=message["seq"])

    def _snapshot(self, line: Line, message: Any) -> None:
        seen = self._expected(line, message)
        if seen is not None and message.get("view") != seen.view:
            self._fault(
                line, "a snapshot's view is not the present", seq=message["seq"],
                told=message.get("view"), log=seen.view,
            )  # fmt: skip

    def _got(self, line: Line, kind: str, message: Any) -> None:
        """On one connection the numbers of a stream have no gap and no double."""
        if kind not in ("update", "snapshot"):
            return
        key = (id(line.link), message["table"], message["stream"])
        seq = message["seq"]
        if kind == "update":
            before = self._at.get(key)
            if before is None:
                self._fault(line, "a stream begins with an update", stream=message["stream"])
            elif seq != before + 1:
                self._fault(line, "a stream is not contiguous", before=before, seq=seq)
        self._at[key] = seq

    # -- answers -----------------------------------------------------------------------------------------
    def _read(self, line: Line, message: Any) -> None:
        if message.get("type") == "identify":
            for place in message.get("at", ()):
                self._at[id(line.link), place["table"], place["stream"]] = place["seq"]
        elif message.get("type") in ("act", "standing", "withdraw"):
            self._acts[id(line.link), message["id"]] = (line.at, message)

    def _answered(self, line: Line, kind: str, message: Any) -> None:
        asked = self._acts.get((id(line.link), message.get("re")))
        if asked is None:
            return
        read, act = asked
        oracle = self._oracles.get(act["table"])
        if oracle is None:
            self._fault(line, "an answer of a table without a log")
        elif kind == "error":
            self._refused(line, oracle, read, act, message)
        elif act["type"] == "act":
            self._acted(line, oracle, act)
        else:
            self._ordered(line, oracle, act)

    def _ordered(self, line: Line, oracle: Oracle, act: Any) -> None:
        durable = self._world.disk.number_at(act["table"], line.at)
        found = [
            number
            for number, inp in oracle.inputs
            if (inp.withdraw if act["type"] == "withdraw" else inp.standing == act["orders"])
        ]
        if not any(number <= durable for number in found):
            self._fault(line, f"{act['type']} was acknowledged and is not logged")

    def _acted(self, line: Line, oracle: Oracle, act: Any) -> None:
        durable = self._world.disk.number_at(act["table"], line.at)
        mine = [
            number
            for number, inp in oracle.answers.get(act["request"], ())
            if _same(oracle, inp.action, act["action"])
        ]
        if not any(number <= durable for number in mine):
            self._fault(
                line, "an action was acknowledged and is not logged", request=act["request"]
            )

    def _refused(self, line: Line, oracle: Oracle, read: float, act: Any, message: Any) -> None:
        """Nobody who was in time hears that the window is closed."""
        if message["code"] not in ("claim_closed", "stale_request") or act["type"] != "act":
            return
        stamp = int(self._world.at_ms(read))
        for closed in oracle.windows.closed:
            seat = closed.requests.get(act["request"])
            if seat is None or act["request"] in closed.answered or closed.early or closed.tail:
                continue
            if closed.since <= stamp < closed.until and closed.closed_by > 0:
                self._fault(
                    line, "a claim in time was refused", stamp=stamp, until=closed.until,
                    code=message["code"],
                )  # fmt: skip


def _same(oracle: Oracle, logged: Any, sent: Any) -> bool:
    if logged is None:
        return False
    raw = msgspec.to_builtins(logged)
    if raw == sent:
        return True
    try:
        typed = msgspec.convert(raw, oracle.game.actions)
        return bool(typed == msgspec.convert(sent, oracle.game.actions))
    except msgspec.ValidationError:
        return False


# -- time --------------------------------------------------------------------------------------------------
def _published(world: World, table: str, oracle: Oracle) -> list[str]:
    """A window is open for its whole length from when it could be seen."""
    shown: dict[int, tuple[float, float]] = {}
    for commit in world.disk.commits:
        if commit.table == table:
            began, answered = world.at_ms(commit.began), world.at_ms(commit.answered)
            for number in range(commit.first, commit.last + 1):
                shown.setdefault(number, (began, answered))
    # An owner that is cut off may hear of its commit after the next one has shown what it led to.
    seen = math.inf
    for number in sorted(shown, reverse=True):
        began, answered = shown[number]
        seen = min(seen, answered)
        shown[number] = (began, seen)
    ticks = {number for number, inp in oracle.inputs if inp.tick}
    wrong = []
    for closed in oracle.windows.closed:
        if closed.early or closed.opened_by not in shown:
            continue
        began, seen = shown[closed.opened_by]
        # What follows from a late tick is dated at its deadline: the grace is for that.
        late = max(0.0, began - closed.since) if closed.opened_by in ticks else 0.0
        if closed.closing - seen < closed.whole - STALL_MS - 2 - late:
            wrong.append(
                f"window {closed.window} was open {closed.closing - seen:.0f} ms of {closed.whole} after"
                " it was published"
            )
    return wrong


def _stalls(world: World, table: str, oracle: Oracle) -> list[str]:
    """What a bot does comes after what it answers is durable."""
    times = world.disk.durable_at.get(table, [])
    wrong = []
    for number, inp in oracle.inputs:
        owner = oracle.owners.get(inp.request or "")
        if owner is None or inp.stamp is not None:
            continue
        _, opened = owner
        if opened < number and inp.at + 1 < world.at_ms(times[opened - 1]):
            wrong.append(f"entry {number} answers entry {opened} before it was durable")
    return wrong


def _takeovers(world: World, table: str, oracle: Oracle) -> list[str]:
    """A running table is told of an outage before anything else."""
    wrong = []
    for name, number in world.disk.took:
        if name != table or not number:
            continue
        running = _running_at(oracle, number)
        later = next((inp for n, inp in oracle.inputs if n > number), None)
        told = later is None or later.tick or later.stalled is not None or later.resumed is not None
        if running and not told:
            wrong.append(f"after entry {number} the table goes on without `resumed`")
    return wrong


def _running_at(oracle: Oracle, number: int) -> bool:
    started = [n for n, inp in oracle.inputs if inp.start is not None and n <= number]
    match = oracle.table.state.match
    if not started or match is None:
        return False
    return match.last_entry is None or match.last_entry > number


def _stored(world: World, oracle: Oracle) -> list[str]:
    """An ended match is stored once, with its result."""
    match = oracle.table.state.match
    if match is None or match.ended is None:
        return []
    stored = [found for found, _ in world.store.finished if found.id == match.id]
    if len(stored) != 1:
        return [f"match {match.id} is stored {len(stored)} times"]
    scores = [seat.score for seat in stored[0].seats]
    if not match.voided and scores != match.scores:
        return [f"match {match.id} is stored with {scores}, not {match.scores}"]
    return [f"match {match.id} was voided"] if match.voided else []


def _quiet(world: World) -> list[str]:
    """Once the faults have stopped, nothing waits."""
    wrong = []
    for host in world.hosts():
        if host.frozen or host.down is not None:
            wrong.append(f"{host.id} stands still in the end")
        elif not host.idle:
            wrong.append(f"{host.id} has something to commit in the end")
        elif host.table.state.phase == "running" and world.plan.calm_s is None:
            wrong.append(f"{host.id} has not ended")
    return wrong
