"""Tests of server/journal/base.py: what a batch is; the behaviour is in contract.py."""

from __future__ import annotations

import pytest

from server.journal.base import Batch, Entry


@pytest.mark.parametrize("numbers", [[], [1, 3], [2, 1], [1, 1]])
def test_a_batch_has_contiguous_numbers(numbers: list[int]) -> None:
    with pytest.raises(ValueError, match="numbers"):
        Batch("t_a", 1, [Entry(number, b"") for number in numbers])


def test_a_batch_may_begin_anywhere() -> None:
    assert [entry.number for entry in Batch("t_a", 1, [Entry(7, b""), Entry(8, b"")]).entries] == [
        7,
        8,
    ]
