"""What any journal must do; each kind's suite runs it on a journal of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from server.journal.base import (
    Batch,
    Conflict,
    Entry,
    Exists,
    Fenced,
    Journal,
    JournalError,
    Own,
    Publish,
)

Answers = list[tuple[str, JournalError | None]]


def batch(
    table: str, fence: int, first: int, *data: bytes, publishes: Sequence[Publish] = ()
) -> Batch:
    """A batch of plain entries from number `first` on."""
    entries = [Entry(first + index, each) for index, each in enumerate(data)]
    return Batch(table, fence, entries, list(publishes))


async def append(journal: Journal, *batches: Batch) -> list[JournalError | None]:
    """Append all in one turn of the loop and wait for every answer, in the order of the answers."""
    answers: list[JournalError | None] = []
    ready = asyncio.Event()

    def done(error: JournalError | None) -> None:
        answers.append(error)
        if len(answers) == len(batches):
            ready.set()

    for each in batches:
        journal.append(each, done)
    assert not answers, "an append answers in a later step"
    await asyncio.wait_for(ready.wait(), 20)
    return answers


class JournalContract:
    """Mixed into a test class with the fixture `journal` (started) and `published` (what left it)."""

    async def test_a_new_table_is_empty_and_owned(self, journal: Journal) -> None:
        assert await journal.create("t_a", "n1") == Own("n1", 1, 0)
        assert await journal.tables() == [("t_a", Own("n1", 1, 0))]
        assert await journal.entries("t_a") == []
        assert await journal.tail("t_a") == []

    async def test_a_name_is_given_once(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, b"one"))
        with pytest.raises(Exists):
            await journal.create("t_a", "n2")
        assert await journal.tables() == [("t_a", Own("n1", 1, 1))]

    async def test_what_is_done_can_be_read(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        assert await append(journal, batch("t_a", 1, 1, b"one", b"two")) == [None]
        assert await append(journal, batch("t_a", 1, 3, b"\x00\xff")) == [None]
        assert await journal.entries("t_a") == [
            Entry(1, b"one"),
            Entry(2, b"two"),
            Entry(3, b"\x00\xff"),
        ]
        assert await journal.entries("t_a", 3) == [Entry(3, b"\x00\xff")]
        assert await journal.entries("t_a", 4) == []
        assert await journal.tables() == [("t_a", Own("n1", 1, 3))]

    async def test_everything_of_one_turn_is_answered_in_order(self, journal: Journal) -> None:
        for table in ("t_a", "t_b"):
            await journal.create(table, "n1")
        heard: list[tuple[str, int]] = []
        ready = asyncio.Event()

        def append_one(table: str, number: int) -> None:
            def done(error: JournalError | None) -> None:
                assert error is None
                heard.append((table, number))
                if len(heard) == 100:
                    ready.set()

            journal.append(batch(table, 1, number, b"%d" % number), done)

        for number in range(1, 51):
            append_one("t_a", number)
            append_one("t_b", number)
        await asyncio.wait_for(ready.wait(), 20)
        assert [number for table, number in heard if table == "t_a"] == list(range(1, 51))
        assert [entry.number for entry in await journal.entries("t_b")] == list(range(1, 51))

    async def test_an_append_out_of_an_answer_follows(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        finished = asyncio.Event()
        number = 1

        def done(error: JournalError | None) -> None:
            assert error is None
            nonlocal number
            number += 1
            if number > 20:
                finished.set()
            else:
                journal.append(batch("t_a", 1, number, b"x"), done)

        journal.append(batch("t_a", 1, 1, b"x"), done)
        await asyncio.wait_for(finished.wait(), 20)
        assert len(await journal.entries("t_a")) == 20

    async def test_an_answer_that_raises_harms_no_other(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        reported: list[object] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))

        def bad(_: JournalError | None) -> None:
            raise ZeroDivisionError

        journal.append(batch("t_a", 1, 1, b"x"), bad)
        assert await append(journal, batch("t_a", 1, 2, b"y")) == [None]
        assert [type(error) for error in reported] == [ZeroDivisionError]

    async def test_another_fence_is_refused_and_changes_nothing(
        self, journal: Journal, published: list[tuple[str, bytes]]
    ) -> None:
        await journal.create("t_a", "n1")
        for fence in (0, 2):
            (error,) = await append(
                journal, batch("t_a", fence, 1, b"x", publishes=[Publish("c", b"no")])
            )
            assert isinstance(error, Fenced)
        assert await journal.entries("t_a") == []
        assert await journal.tables() == [("t_a", Own("n1", 1, 0))]
        await append(journal, batch("t_a", 1, 1, b"x", publishes=[Publish("c", b"yes")]))
        await eventually(published, [("c", b"yes")])

    async def test_an_unknown_table_is_fenced(self, journal: Journal) -> None:
        (error,) = await append(journal, batch("t_none", 1, 1, b"x"))
        assert isinstance(error, Fenced)
        assert await journal.tables() == []

    async def test_a_repeat_is_done_once(
        self, journal: Journal, published: list[tuple[str, bytes]]
    ) -> None:
        await journal.create("t_a", "n1")
        first = batch("t_a", 1, 1, b"one", b"two", publishes=[Publish("c", b"1")])
        second = batch("t_a", 1, 3, b"three", publishes=[Publish("c", b"3")])
        # In one group, in the next, and after something else.
        assert await append(journal, first, first, second) == [None, None, None]
        assert await append(journal, first, second) == [None, None]
        assert [entry.data for entry in await journal.entries("t_a")] == [b"one", b"two", b"three"]
        await eventually(published, [("c", b"1"), ("c", b"3")])

    async def test_other_bytes_or_another_number_conflict(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, b"one", b"two"))
        for wrong in (
            batch("t_a", 1, 2, b"TWO"),
            batch("t_a", 1, 2, b"two", b"three"),
            batch("t_a", 1, 4, b"four"),
            Batch("t_a", 1, [Entry(2, b"two", snapshot=True)]),
        ):
            (error,) = await append(journal, wrong)
            assert isinstance(error, Conflict), wrong
        assert [entry.data for entry in await journal.entries("t_a")] == [b"one", b"two"]

    async def test_a_refused_batch_takes_those_behind_it_along(self, journal: Journal) -> None:
        for table in ("t_a", "t_b"):
            await journal.create(table, "n1")
        answers = await append(
            journal,
            batch("t_a", 1, 2, b"too far"),
            batch("t_b", 1, 1, b"fine"),
            batch("t_a", 1, 3, b"behind"),
        )
        assert [type(answer) for answer in answers] == [Conflict, type(None), Conflict]
        assert await journal.entries("t_a") == []
        assert await journal.entries("t_b") == [Entry(1, b"fine")]

    async def test_the_tail_begins_with_the_last_snapshot(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        entries = [Entry(n, b"%d" % n, snapshot=n in (1, 201)) for n in range(1, 331)]
        assert await append(journal, Batch("t_a", 1, entries)) == [None]
        assert await journal.tail("t_a") == entries[200:]
        assert await journal.entries("t_a") == entries
        await append(journal, Batch("t_a", 1, [Entry(331, b"now", snapshot=True)]))
        assert await journal.tail("t_a") == [Entry(331, b"now", snapshot=True)]

    async def test_without_a_snapshot_the_tail_is_everything(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, *[b"%d" % n for n in range(200)]))
        assert [entry.number for entry in await journal.tail("t_a")] == list(range(1, 201))

    async def test_a_taken_table_fences_the_old_holder(self, journal: Journal) -> None:
        own = await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, b"old"))
        taken = await journal.take("t_a", "n2", own)
        assert taken == Own("n2", 2, 1)
        answers = await append(
            journal,
            batch("t_a", 1, 2, b"old"),
            batch("t_a", 1, 1, b"old"),
            batch("t_a", 2, 2, b"new"),
        )
        assert [type(answer) for answer in answers] == [Fenced, Fenced, type(None)]
        assert [entry.data for entry in await journal.entries("t_a")] == [b"old", b"new"]

    async def test_only_one_of_many_takes_a_table(self, journal: Journal) -> None:
        own = await journal.create("t_a", "n1")
        takes = await asyncio.gather(*(journal.take("t_a", f"n{n}", own) for n in range(2, 8)))
        won = [take for take in takes if take is not None]
        assert len(won) == 1
        assert await journal.tables() == [("t_a", won[0])]
        assert won[0].fence == 2
        assert await journal.take("t_none", "n1", own) is None

    async def test_a_stale_expectation_takes_nothing(self, journal: Journal) -> None:
        own = await journal.create("t_a", "n1")
        again = await journal.take("t_a", "n1", own)
        assert again == Own("n1", 2, 0)
        assert await journal.take("t_a", "n2", own) is None
        assert await journal.take("t_a", "n2", Own("n3", 2, 0)) is None
        assert await journal.tables() == [("t_a", again)]

    async def test_a_released_table_is_free_at_once(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, b"x"))
        await journal.release("t_a", 1)
        ((_, own),) = await journal.tables()
        assert (own.holder, own.number) == ("", 1)
        (late,) = await append(journal, batch("t_a", 1, 2, b"late"))
        assert isinstance(late, Fenced)
        taken = await journal.take("t_a", "n2", own)
        assert taken is not None
        assert taken.fence > own.fence
        assert await append(journal, batch("t_a", taken.fence, 2, b"y")) == [None]
        with pytest.raises(Fenced):
            await journal.release("t_a", 1)

    async def test_a_release_comes_after_the_appends_before_it(self, journal: Journal) -> None:
        await journal.create("t_a", "n1")
        answers: Answers = []
        journal.append(batch("t_a", 1, 1, b"x"), lambda error: answers.append(("t_a", error)))
        await journal.release("t_a", 1)
        assert answers == [("t_a", None)]
        assert await journal.entries("t_a") == [Entry(1, b"x")]

    async def test_a_dropped_table_is_gone(self, journal: Journal) -> None:
        for table in ("t_a", "t_b"):
            await journal.create(table, "n1")
            await append(journal, batch(table, 1, 1, b"x", b"y"))
        await journal.drop("t_a")
        await journal.drop("t_a")
        assert [name for name, _ in await journal.tables()] == ["t_b"]
        assert await journal.entries("t_a") == []
        (error,) = await append(journal, batch("t_a", 1, 3, b"z"))
        assert isinstance(error, Fenced)
        assert await journal.create("t_a", "n2") == Own("n2", 1, 0)
        assert await append(journal, batch("t_a", 1, 1, b"new")) == [None]
        assert await journal.entries("t_a") == [Entry(1, b"new")]
        assert await journal.entries("t_b") == [Entry(1, b"x"), Entry(2, b"y")]

    async def test_a_table_is_dropped_only_under_its_fence(self, journal: Journal) -> None:
        own = await journal.create("t_a", "n1")
        await append(journal, batch("t_a", 1, 1, b"x"))
        await journal.release("t_a", own.fence)
        with pytest.raises(Fenced):
            await journal.drop("t_a", own.fence)
        assert await journal.entries("t_a") == [Entry(1, b"x")]
        await journal.drop("t_a", own.fence + 1)
        assert await journal.tables() == []
        await journal.drop("t_a", own.fence + 1)

    async def test_a_held_node_is_alive_and_others_are_not(self, journal: Journal) -> None:
        assert not await journal.alive("n1")
        await journal.hold("n1")
        assert await journal.alive("n1")
        assert not await journal.alive("n2")

    async def test_payloads_leave_with_their_batch_in_order(
        self, journal: Journal, published: list[tuple[str, bytes]]
    ) -> None:
        await journal.create("t_a", "n1")
        await append(
            journal,
            batch("t_a", 1, 1, b"x", publishes=[Publish("c", b"1"), Publish("d", b"2")]),
            batch("t_a", 1, 2, b"y", publishes=[Publish("c", b"3")]),
        )
        await eventually(published, [("c", b"1"), ("d", b"2"), ("c", b"3")])


async def eventually(seen: list[tuple[str, bytes]], expected: list[tuple[str, bytes]]) -> None:
    """Wait until as much was seen as is expected, and a moment for what must not come."""
    for _ in range(200):
        if len(seen) >= len(expected):
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.02)
    assert seen == expected
