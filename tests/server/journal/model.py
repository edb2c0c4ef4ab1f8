"""The simplest journal: a dictionary. Random histories on a real one must agree with it."""

from __future__ import annotations

import random

from server.journal.base import Batch, Conflict, Entry, Exists, Fenced, Journal, JournalError, Own
from tests.server.journal.contract import append

TABLES = ("t_a", "t_b", "t_c")
HOLDERS = ("n1", "n2", "n3")


class Model:
    """What must be there, and what each call must answer."""

    def __init__(self) -> None:
        self.own: dict[str, Own] = {}
        self.log: dict[str, list[Entry]] = {}

    def append(self, batch: Batch) -> type[JournalError] | None:
        own = self.own.get(batch.table)
        if own is None or own.fence != batch.fence:
            return Fenced
        log = self.log[batch.table]
        first, last = batch.entries[0].number, batch.entries[-1].number
        if first == len(log) + 1:
            log += batch.entries
            self.own[batch.table] = Own(own.holder, own.fence, last)
            return None
        return None if log[first - 1 : last] == batch.entries else Conflict

    def create(self, table: str, holder: str) -> Own | type[Exists]:
        if table in self.own:
            return Exists
        self.own[table], self.log[table] = Own(holder, 1, 0), []
        return self.own[table]

    def take(self, table: str, holder: str, expected: Own) -> Own | None:
        own = self.own.get(table)
        if own is None or (own.holder, own.fence) != (expected.holder, expected.fence):
            return None
        self.own[table] = Own(holder, own.fence + 1, own.number)
        return self.own[table]

    def release(self, table: str, fence: int) -> type[Fenced] | None:
        own = self.own.get(table)
        if own is None or own.fence != fence:
            return Fenced
        self.own[table] = Own("", fence + 1, own.number)
        return None

    def drop(self, table: str) -> None:
        self.own.pop(table, None)
        self.log.pop(table, None)

    def tail(self, table: str) -> list[Entry]:
        log = self.log.get(table, [])
        snapshots = [entry.number for entry in log if entry.snapshot]
        return log[snapshots[-1] - 1 :] if snapshots else log


async def play(journal: Journal, seed: int, steps: int = 60) -> None:
    """A random history, mostly of calls that can succeed, each compared with the model."""
    chance = random.Random(seed)
    model = Model()
    past: list[Batch] = []
    for step in range(steps):
        table, holder = chance.choice(TABLES), chance.choice(HOLDERS)
        own = model.own.get(table, Own(holder, 1, 0))
        kind = chance.choice(["append"] * 6 + ["create"] * 2 + ["take", "take", "release", "drop"])
        if kind == "append":
            await compare_appends(journal, model, chance, past)
        elif kind == "create":
            try:
                answer: object = await journal.create(table, holder)
            except Exists:
                answer = Exists
            assert answer == model.create(table, holder), (seed, step)
        elif kind == "take":
            # A stale fence never names the new holder as well: who repeats its own take is answered.
            stale = chance.random() < 0.3 and own.holder != holder
            expected = Own(own.holder, own.fence - stale, own.number)
            assert await journal.take(table, holder, expected) == model.take(
                table, holder, expected
            ), (seed, step)
        elif kind == "release":
            fence = own.fence + chance.choice([0, 0, 1])
            error: type[JournalError] | None = None
            try:
                await journal.release(table, fence)
            except Fenced:
                error = Fenced
            assert error is model.release(table, fence), (seed, step)
        elif chance.random() < 0.3:
            await journal.drop(table)
            model.drop(table)
        assert await journal.tables() == sorted(model.own.items()), (seed, step)
        assert await journal.entries(table) == model.log.get(table, []), (seed, step)
        assert await journal.tail(table) == model.tail(table), (seed, step)


async def compare_appends(
    journal: Journal, model: Model, chance: random.Random, past: list[Batch]
) -> None:
    """Some batches in one turn: following ones, repeats, stale fences, wrong numbers."""
    group: list[Batch] = []
    for _ in range(chance.randint(1, 4)):
        table = chance.choice(TABLES)
        own = model.own.get(table, Own("", 1, 0))
        if past and chance.random() < 0.25:
            group.append(chance.choice(past))
            continue
        fence = own.fence - (chance.random() < 0.1)
        first = max(own.number + 1 + chance.choice([0] * 8 + [-1, 1]), 1)
        entries = [
            Entry(first + index, chance.randbytes(chance.randint(0, 40)), chance.random() < 0.1)
            for index in range(chance.randint(1, 3))
        ]
        group.append(Batch(table, fence, entries))
        past.append(group[-1])
    expected = [model.append(each) for each in group]
    answers = await append(journal, *group)
    # One table's answers come in order, and here all are of one group.
    assert [None if answer is None else type(answer) for answer in answers] == expected
